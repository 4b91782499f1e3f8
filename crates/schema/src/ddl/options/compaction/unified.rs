//! The options of unified compaction.

use super::CompactionOptions;
use crate::Result;
use crate::java::number;
use crate::refusal::{CompactionReason, SizeFault};

/// One MiB: the minimum target size of the strategy.
const SMALLEST: i64 = 1 << 20;
const TARGET: i64 = 1 << 30;

pub(super) fn check(options: &mut CompactionOptions<'_>) -> Result<()> {
    if let Some(text) = options.get("scaling_parameters") {
        check_scaling(options, text)?;
    }
    let shards = options.int("base_shard_count", 1)?;
    if shards <= 0 {
        return options.refuse(CompactionReason::ShardCount { shards });
    }
    let target = check_size(options, "target_sstable_size")?.unwrap_or(TARGET);
    check_size(options, "flush_size_override")?;
    options.int("max_sstables_to_compact", 0)?;
    check_frequency(options)?;
    if let Some(text) =
        options.get("unsafe_aggressive_sstable_expiration").filter(|text| !number::is_boolean(text))
    {
        return options.refuse(CompactionReason::UnifiedExpirationFlag { text: text.to_string() });
    }
    if let Some(text) = options.get("overlap_inclusion_method")
        && !matches!(text.to_uppercase().as_str(), "NONE" | "SINGLE" | "TRANSITIVE")
    {
        return options.refuse(CompactionReason::OverlapInclusion { text: text.to_string() });
    }
    check_min_size(options, target)?;
    check_growth(options)?;
    options.mark_known(&[
        "scaling_parameters",
        "base_shard_count",
        "target_sstable_size",
        "flush_size_override",
        "max_sstables_to_compact",
        "expired_sstable_check_frequency_seconds",
        "unsafe_aggressive_sstable_expiration",
        "overlap_inclusion_method",
        "min_sstable_size",
        "sstable_growth",
    ]);
    Ok(())
}

/// `T4, L8, N, -3`: tiered and leveled fan factors per level. Empty elements at the ends are
/// ignored.
fn check_scaling(options: &CompactionOptions<'_>, text: &str) -> Result<()> {
    let mut parts: Vec<&str> = text.split(',').collect();
    while parts.len() > 1 && parts.last().is_some_and(|part| part.is_empty()) {
        parts.pop();
    }
    for part in parts {
        let part = part.trim();
        let (digits, is_factor) = match part.strip_prefix(['L', 'T']) {
            Some(digits) => (digits, true),
            None if part == "N" => continue,
            None => (part.strip_prefix(['+', '-']).unwrap_or(part), false),
        };
        if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return options.refuse(CompactionReason::ScalingParameter { part: part.to_string() });
        }
        match number::parse_int(if is_factor { digits } else { part }) {
            Err(exception) => {
                return options.refuse(CompactionReason::ScalingNumber { exception });
            }
            Ok(factor) if is_factor && factor < 2 => {
                return options.refuse(CompactionReason::FanFactor { part: part.to_string() });
            }
            Ok(_) => {}
        }
    }
    Ok(())
}

fn check_size(options: &CompactionOptions<'_>, name: &str) -> Result<Option<i64>> {
    let Some(text) = options.get(name) else { return Ok(None) };
    match parse_bytes(text) {
        Ok(size) if size >= SMALLEST => Ok(Some(size)),
        Ok(_) => options.refuse(CompactionReason::SmallSize {
            name: name.to_string(),
            text: text.to_string(),
            least: bytes_text(SMALLEST),
        }),
        Err(fault) => options.refuse(CompactionReason::WrongSize {
            name: name.to_string(),
            text: text.to_string(),
            fault,
        }),
    }
}

fn check_frequency(options: &CompactionOptions<'_>) -> Result<()> {
    let name = "expired_sstable_check_frequency_seconds";
    match options.get(name).map(|text| (text, number::parse_long(text))) {
        Some((text, Err(_))) => options
            .refuse(CompactionReason::NoLong { text: text.to_string(), name: name.to_string() }),
        Some((_, Ok(seconds @ ..=0))) => {
            options.refuse(CompactionReason::Frequency { name: name.to_string(), seconds })
        }
        _ => Ok(()),
    }
}

fn check_min_size(options: &CompactionOptions<'_>, target: i64) -> Result<()> {
    let name = "min_sstable_size";
    let Some(text) = options.get(name) else { return Ok(()) };
    let Ok(size) = parse_bytes(text) else {
        return options.refuse(CompactionReason::WrongMinSize {
            text: text.to_string(),
            name: name.to_string(),
        });
    };
    if size < 0 {
        return options.refuse(CompactionReason::NegativeUnifiedMinSize { name: name.to_string() });
    }
    #[expect(clippy::cast_precision_loss, reason = "the server computes in doubles")]
    let limit = (target as f64 * std::f64::consts::FRAC_1_SQRT_2).ceil();
    #[expect(clippy::cast_precision_loss, reason = "the server computes in doubles")]
    if size as f64 >= limit {
        return options.refuse(CompactionReason::LargeMinSize {
            name: name.to_string(),
            size: bytes_text(size),
            target: bytes_text(target),
        });
    }
    Ok(())
}

fn check_growth(options: &CompactionOptions<'_>) -> Result<()> {
    let Some(text) = options.get("sstable_growth") else { return Ok(()) };
    let trimmed = text.trim();
    let parsed = match trimmed.strip_suffix('%') {
        Some(percent) => number::parse_double(percent.trim()).map(|value| value / 100.0),
        None => number::parse_double(trimmed),
    };
    match parsed {
        Err(exception) => options.refuse(CompactionReason::GrowthNumber { exception }),
        Ok(growth) if !(0.0..=1.0).contains(&growth) => {
            options.refuse(CompactionReason::Growth { text: text.to_string() })
        }
        Ok(_) => Ok(()),
    }
}

/// Parses `100MiB`, `1.5 GB` or `5B`.
fn parse_bytes(text: &str) -> std::result::Result<i64, SizeFault> {
    let Some(amount) = text.strip_suffix('B') else { return Err(SizeFault::Unit) };
    let is_number = |c: char| c.is_ascii_digit() || matches!(c, '.' | 'e' | 'E' | '+' | '-');
    let end = amount.find(|c| !is_number(c)).unwrap_or(amount.len());
    let (number, unit) = amount.split_at(end);
    let value: f64 = number.parse().map_err(|_| SizeFault::Number)?;
    let unit = unit.trim_start();
    let position = amount.len() - unit.len();
    let mut rest = unit.chars();
    let scale = match rest.next() {
        None => return Ok(saturate(value)),
        Some(prefix) => "KMGTPE".find(prefix).and_then(|index| i32::try_from(index + 1).ok()),
    };
    let Some(power) = scale else {
        return Err(SizeFault::Characters { start: position, end: amount.len() });
    };
    match rest.as_str() {
        "" => Ok(saturate(value * 1000_f64.powi(power))),
        "i" => Ok(saturate(value * 1024_f64.powi(power))),
        more => {
            let position = amount.len() - more.trim_start_matches('i').len();
            Err(SizeFault::Characters { start: position, end: amount.len() })
        }
    }
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "Java's cast of a double to a long saturates too"
)]
fn saturate(value: f64) -> i64 {
    value as i64
}

/// A size as the server prints it: `1.000MiB`.
fn bytes_text(size: i64) -> String {
    let exponent = size.unsigned_abs().max(1).ilog2() / 10;
    match "KMGTPE".chars().nth((exponent as usize).wrapping_sub(1)) {
        None => format!("{size}B"),
        #[expect(clippy::cast_precision_loss, reason = "three digits are printed")]
        Some(prefix) => {
            format!("{:.3}{prefix}iB", size as f64 / 1024_f64.powi(exponent.cast_signed()))
        }
    }
}
