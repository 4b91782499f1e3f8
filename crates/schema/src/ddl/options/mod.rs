//! Table options: each is parsed, checked and stored as in the server.
//!
//! The server parses the options twice: before it looks at the schema (a value that cannot be
//! parsed is the first error of all), and again when it executes the statement, where unknown names
//! and values out of range are refused.

mod caching;
mod compaction;
mod compression;
mod range;
mod speculative_retry;

use super::properties::Properties;
use crate::Result;
use crate::catalog::TableParams;
use crate::refusal::{OptionReason, refuse};

/// The option with the id of a table.
const ID: &str = "id";

/// An option that is only supported by servers that repair tables by themselves.
const AUTO_REPAIR: &str = "auto_repair";

const KNOWN: [&str; 21] = [
    "additional_write_policy",
    "allow_auto_snapshot",
    AUTO_REPAIR,
    "bloom_filter_fp_chance",
    "caching",
    "cdc",
    "comment",
    "compaction",
    "compression",
    "crc_check_chance",
    "default_time_to_live",
    "extensions",
    "gc_grace_seconds",
    "incremental_backups",
    "max_index_interval",
    "memtable",
    "memtable_flush_period_in_ms",
    "min_index_interval",
    "read_repair",
    "speculative_retry",
    ID,
];

/// The errors of the options that do not depend on the schema.
pub(super) fn check_values(properties: &Properties<'_>) -> Result<()> {
    build(properties, None).map(|_| ())
}

/// The options of a new table or view.
pub(super) fn create(properties: &Properties<'_>) -> Result<TableParams> {
    properties.refuse_unknown(&KNOWN)?;
    let params = build(properties, None)?;
    if properties.has(AUTO_REPAIR) {
        return refuse(OptionReason::AutoRepairDisabled, properties.span_of(AUTO_REPAIR));
    }
    range::check(properties, &params)?;
    Ok(params)
}

/// The options of an altered table or view. Values that are out of range only together with the
/// table's other options are not refused, as in the server.
pub(super) fn alter(properties: &Properties<'_>, previous: &TableParams) -> Result<TableParams> {
    create(properties)?;
    if id(properties)?.is_some() {
        return refuse(OptionReason::AlteredId, properties.span_of(ID));
    }
    build(properties, Some(previous))
}

/// The table id, in canonical form; one that is not a UUID is refused.
pub(super) fn id(properties: &Properties<'_>) -> Result<Option<Box<str>>> {
    let Some(text) = properties.text(ID)? else { return Ok(None) };
    match canonical_uuid(text) {
        Some(id) => Ok(Some(id.into())),
        None => refuse(OptionReason::WrongId, properties.span_of(ID)),
    }
}

/// Five groups of hexadecimal digits. Java pads short groups and truncates long ones.
fn canonical_uuid(text: &str) -> Option<String> {
    if text.len() > 36 {
        return None;
    }
    let widths = [8, 4, 4, 4, 12];
    let mut groups = Vec::with_capacity(widths.len());
    for group in text.split('-') {
        let width = *widths.get(groups.len())?;
        let kept = u64::from_str_radix(group, 16).ok()? & ((1 << (4 * width)) - 1);
        groups.push(format!("{kept:0width$x}"));
    }
    (groups.len() == widths.len()).then(|| groups.join("-"))
}

/// The order is the server's: the first error is the one reported.
fn build(properties: &Properties<'_>, previous: Option<&TableParams>) -> Result<TableParams> {
    let mut params = previous.cloned().unwrap_or_default();
    if let Some(value) = properties.boolean("allow_auto_snapshot")? {
        params.allow_auto_snapshot = value;
    }
    let bloom = properties.double("bloom_filter_fp_chance")?;
    if let Some(map) = properties.map("caching")? {
        params.caching = caching::read(map, properties.span_of("caching"))?.into();
    }
    if let Some(text) = properties.text("comment")? {
        params.comment = text.into();
    }
    if let Some(map) = properties.map("compaction")? {
        params.compaction = compaction::read(map, properties.span_of("compaction"))?.into();
    }
    if let Some(map) = properties.map("compression")? {
        params.compression = compression::read(map, properties.span_of("compression"))?.into();
    }
    read_memtable(properties, &mut params)?;
    read_numbers(properties, &mut params)?;
    read_policies(properties, &mut params)?;
    check_auto_repair(properties)?;
    // -1, given or not, selects the default of the compaction strategy.
    match bloom.or_else(|| previous.map(|previous| previous.bloom_filter_fp_chance)) {
        Some(chance) if chance.total_cmp(&-1.0).is_ne() => params.bloom_filter_fp_chance = chance,
        _ => params.bloom_filter_fp_chance = compaction::default_bloom_filter(&params.compaction),
    }
    Ok(params)
}

fn check_auto_repair(properties: &Properties<'_>) -> Result<()> {
    let known = ["full_enabled", "incremental_enabled", "preview_repaired_enabled", "priority"];
    let Some(map) = properties.map(AUTO_REPAIR)? else { return Ok(()) };
    let unknown = map.iter().find(|(name, _)| !known.contains(&name.to_lowercase().as_str()));
    match unknown {
        Some((name, _)) => refuse(
            OptionReason::UnknownAutoRepair { name: name.to_string() },
            properties.span_of(AUTO_REPAIR),
        ),
        None => Ok(()),
    }
}

fn read_memtable(properties: &Properties<'_>, params: &mut TableParams) -> Result<()> {
    match properties.text("memtable")? {
        None => Ok(()),
        Some("default") => {
            params.memtable = "default".into();
            Ok(())
        }
        Some(name) => refuse(
            OptionReason::UnknownMemtable { name: name.to_string() },
            properties.span_of("memtable"),
        ),
    }
}

fn read_numbers(properties: &Properties<'_>, params: &mut TableParams) -> Result<()> {
    let set = |slot: &mut i32, value: Option<i32>| *slot = value.unwrap_or(*slot);
    set(&mut params.default_time_to_live, properties.int("default_time_to_live")?);
    set(&mut params.gc_grace_seconds, properties.int("gc_grace_seconds")?);
    if let Some(value) = properties.boolean("incremental_backups")? {
        params.incremental_backups = value;
    }
    set(&mut params.max_index_interval, properties.int("max_index_interval")?);
    set(&mut params.memtable_flush_period_in_ms, properties.int("memtable_flush_period_in_ms")?);
    set(&mut params.min_index_interval, properties.int("min_index_interval")?);
    Ok(())
}

fn read_policies(properties: &Properties<'_>, params: &mut TableParams) -> Result<()> {
    if let Some(text) = properties.text("speculative_retry")? {
        params.speculative_retry =
            speculative_retry::read(text, properties.span_of("speculative_retry"))?;
    }
    if let Some(text) = properties.text("additional_write_policy")? {
        params.additional_write_policy =
            speculative_retry::read(text, properties.span_of("additional_write_policy"))?;
    }
    if let Some(value) = properties.double("crc_check_chance")? {
        params.crc_check_chance = value;
    }
    if let Some(value) = properties.boolean("cdc")? {
        params.cdc = value;
    }
    if let Some(text) = properties.text("read_repair")? {
        let name = text.to_uppercase();
        if name != "NONE" && name != "BLOCKING" {
            return refuse(
                OptionReason::UnknownReadRepair { name },
                properties.span_of("read_repair"),
            );
        }
        params.read_repair = name.into();
    }
    Ok(())
}
