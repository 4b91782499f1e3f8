//! `compression = {'class': ..., 'chunk_length_in_kb': ..., ...}`

use std::collections::BTreeMap;

use cql::Span;

use crate::Result;
use crate::java::number;
use crate::java::order::JavaOptionMap;
use crate::refusal::{CompressionReason, refuse};

const PACKAGE: &str = "org.apache.cassandra.io.compress.";
/// Classes that exist but are not compressors.
const OTHER_CLASSES: [&str; 4] = [
    "org.apache.cassandra.io.compress.ICompressor",
    "org.apache.cassandra.io.compress.CompressionMetadata",
    "java.lang.Object",
    "java.lang.String",
];

/// Parses the map; an empty one disables compression.
pub(super) fn read(map: &JavaOptionMap, span: Span) -> Result<BTreeMap<Box<str>, Box<str>>> {
    let mut options = map.copy();
    let enabled = options.get("enabled").is_none_or(number::parse_boolean);
    if !options.is_empty() && enabled && options.get("class").is_none() {
        return refuse(CompressionReason::NoClass, span);
    }
    options.remove("enabled");
    if !enabled && !options.is_empty() {
        return refuse(CompressionReason::OptionsOfDisabled, span);
    }
    let Some(class) = options.remove("class") else {
        return Ok([("enabled".into(), "false".into())].into());
    };
    if class.is_empty() {
        return refuse(CompressionReason::EmptyClass, span);
    }
    let chunk_kb = match options.remove("chunk_length_in_kb") {
        None => 16,
        Some(text) => read_chunk_length(&text, span)?,
    };
    let ratio = match options.remove("min_compress_ratio") {
        None => 0.0,
        Some(text) => read_ratio(&text, span)?,
    };
    let class = if class.contains('.') { class } else { format!("{PACKAGE}{class}").into() };
    check_class(&class, &options, span)?;
    check_lengths(chunk_kb, ratio, span)?;
    let mut kept: BTreeMap<Box<str>, Box<str>> =
        options.iter().map(|(name, value)| (name.into(), value.into())).collect();
    kept.insert("class".into(), class);
    kept.insert("chunk_length_in_kb".into(), chunk_kb.to_string().into());
    if ratio != 0.0 {
        kept.insert("min_compress_ratio".into(), number::double_text(ratio).into());
    }
    Ok(kept)
}

fn read_chunk_length(text: &str, span: Span) -> Result<i32> {
    match number::parse_int(text) {
        Ok(length) if length > i32::MAX / 1024 => {
            refuse(CompressionReason::ChunkLengthTooLarge { length }, span)
        }
        Ok(length) => Ok(length),
        Err(_) => refuse(CompressionReason::ChunkLengthText, span),
    }
}

fn read_ratio(text: &str, span: Span) -> Result<f64> {
    match number::parse_double(text) {
        Ok(ratio) => Ok(ratio),
        Err(exception) => refuse(CompressionReason::RatioNumber { exception }, span),
    }
}

/// Checks the compressor and its options.
fn check_class(class: &str, options: &JavaOptionMap, span: Span) -> Result<()> {
    let known: &[&str] = match class.strip_prefix(PACKAGE) {
        Some("LZ4Compressor") => {
            check_lz4(options, span)?;
            &["lz4_compressor_type", "lz4_high_compressor_level"]
        }
        Some("ZstdCompressor") => {
            check_zstd(options, span)?;
            &["compression_level"]
        }
        Some("SnappyCompressor" | "DeflateCompressor" | "NoopCompressor") => &[],
        _ if OTHER_CLASSES.contains(&class) => {
            return refuse(CompressionReason::NoCompressor, span);
        }
        _ => return refuse(CompressionReason::UnknownClass { class: class.to_string() }, span),
    };
    match options.iter().find(|(name, _)| !known.contains(name)) {
        Some((name, _)) => {
            refuse(CompressionReason::UnknownOption { name: name.to_string() }, span)
        }
        None => Ok(()),
    }
}

fn check_lz4(options: &JavaOptionMap, span: Span) -> Result<()> {
    if let Some(kind) =
        options.get("lz4_compressor_type").filter(|kind| !matches!(*kind, "high" | "fast"))
    {
        return refuse(CompressionReason::Lz4Type { kind: kind.to_string() }, span);
    }
    if let Some(level) = options.get("lz4_high_compressor_level")
        && !number::parse_int(level).is_ok_and(|level| (1..=17).contains(&level))
    {
        return refuse(CompressionReason::Lz4Level { level: level.to_string() }, span);
    }
    Ok(())
}

fn check_zstd(options: &JavaOptionMap, span: Span) -> Result<()> {
    let Some(level) = options.get("compression_level") else { return Ok(()) };
    match number::parse_int(level) {
        Ok(level) if (-131_072..=22).contains(&level) => Ok(()),
        Ok(level) => refuse(CompressionReason::ZstdLevel { level }, span),
        Err(exception) => refuse(CompressionReason::ZstdNumber { exception }, span),
    }
}

fn check_lengths(chunk_kb: i32, ratio: f64, span: Span) -> Result<()> {
    let chunk = chunk_kb.saturating_mul(1024);
    if chunk <= 0 {
        return refuse(CompressionReason::NegativeChunkLength, span);
    }
    if !chunk.cast_unsigned().is_power_of_two() {
        return refuse(CompressionReason::ChunkLengthPower, span);
    }
    let longest = (f64::from(chunk) / ratio).min(f64::from(i32::MAX)).ceil();
    if longest < 0.0 {
        return refuse(CompressionReason::NegativeRatio, span);
    }
    if longest > f64::from(chunk) && longest < f64::from(i32::MAX) {
        return refuse(CompressionReason::Ratio, span);
    }
    Ok(())
}
