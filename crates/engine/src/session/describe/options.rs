//! DESCRIBE of table options.

use std::collections::BTreeMap;

use cql::types::NativeType;
use schema::catalog::TableParams;

use super::cql_builder::{CqlBuilder, quote};

/// Appends all options, the first one without AND.
pub(super) fn add_options(text: &mut CqlBuilder, params: &TableParams, is_view: bool) {
    let lines = [
        ("additional_write_policy", quote(&params.additional_write_policy)),
        ("allow_auto_snapshot", params.allow_auto_snapshot.to_string()),
        ("bloom_filter_fp_chance", double_literal(params.bloom_filter_fp_chance)),
        ("caching", map_literal(&params.caching)),
        ("cdc", params.cdc.to_string()),
        ("comment", quote(&params.comment)),
        ("compaction", map_literal(&params.compaction)),
        ("compression", map_literal(&params.compression)),
        ("memtable", quote(&params.memtable)),
        ("crc_check_chance", double_literal(params.crc_check_chance)),
        ("default_time_to_live", params.default_time_to_live.to_string()),
        ("extensions", extensions_literal(&params.extensions)),
        ("gc_grace_seconds", params.gc_grace_seconds.to_string()),
        ("incremental_backups", params.incremental_backups.to_string()),
        ("max_index_interval", params.max_index_interval.to_string()),
        ("memtable_flush_period_in_ms", params.memtable_flush_period_in_ms.to_string()),
        ("min_index_interval", params.min_index_interval.to_string()),
        ("read_repair", quote(&params.read_repair)),
        ("speculative_retry", quote(&params.speculative_retry)),
    ];
    let shown = |(name, _): &(&str, String)| !is_view || *name != "default_time_to_live";
    for (i, (name, value)) in lines.into_iter().filter(shown).enumerate() {
        if i > 0 {
            text.new_line().add("AND ");
        }
        text.add(name).add(" = ").add(value);
    }
}

/// `{'a': 'b'}`
pub(super) fn map_literal(entries: &BTreeMap<Box<str>, Box<str>>) -> String {
    let entries: Vec<_> =
        entries.iter().map(|(key, value)| format!("{}: {}", quote(key), quote(value))).collect();
    format!("{{{}}}", entries.join(", "))
}

/// A map whose values are blobs.
fn extensions_literal(entries: &BTreeMap<Box<str>, Box<str>>) -> String {
    let entries: Vec<_> =
        entries.iter().map(|(key, value)| format!("{}: {value}", quote(key))).collect();
    format!("{{{}}}", entries.join(", "))
}

fn double_literal(value: f64) -> String {
    let bytes = value.to_be_bytes();
    cql::value::literal(&NativeType::Double.into(), Some(&bytes)).unwrap_or_default()
}
