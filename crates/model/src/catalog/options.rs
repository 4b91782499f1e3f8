//! Table options.

use std::collections::BTreeMap;

/// The options of a table, with Cassandra's defaults.
#[derive(Clone, Debug, PartialEq)]
pub struct TableParams {
    /// `comment`
    pub comment: Box<str>,
    /// `allow_auto_snapshot`
    pub allow_auto_snapshot: bool,
    /// `bloom_filter_fp_chance`
    pub bloom_filter_fp_chance: f64,
    /// `crc_check_chance`
    pub crc_check_chance: f64,
    /// `gc_grace_seconds`
    pub gc_grace_seconds: i32,
    /// `incremental_backups`
    pub incremental_backups: bool,
    /// `default_time_to_live`
    pub default_time_to_live: i32,
    /// `memtable_flush_period_in_ms`
    pub memtable_flush_period_in_ms: i32,
    /// `min_index_interval`
    pub min_index_interval: i32,
    /// `max_index_interval`
    pub max_index_interval: i32,
    /// `speculative_retry`
    pub speculative_retry: Box<str>,
    /// `additional_write_policy`
    pub additional_write_policy: Box<str>,
    /// `caching`: `keys` and `rows_per_partition`
    pub caching: BTreeMap<Box<str>, Box<str>>,
    /// `compaction`: the full class name under `class`, and its options
    pub compaction: BTreeMap<Box<str>, Box<str>>,
    /// `compression`: the full class name under `class`, and its options; `enabled: false` when off
    pub compression: BTreeMap<Box<str>, Box<str>>,
    /// `memtable`
    pub memtable: Box<str>,
    /// `extensions`
    pub extensions: BTreeMap<Box<str>, Box<str>>,
    /// `cdc`
    pub cdc: bool,
    /// `read_repair`
    pub read_repair: Box<str>,
}

impl Default for TableParams {
    fn default() -> Self {
        let map = |entries: &[(&str, &str)]| {
            entries.iter().map(|(k, v)| ((*k).into(), (*v).into())).collect()
        };
        Self {
            comment: "".into(),
            allow_auto_snapshot: true,
            bloom_filter_fp_chance: 0.01,
            crc_check_chance: 1.0,
            gc_grace_seconds: 864_000,
            incremental_backups: true,
            default_time_to_live: 0,
            memtable_flush_period_in_ms: 0,
            min_index_interval: 128,
            max_index_interval: 2048,
            speculative_retry: "99p".into(),
            additional_write_policy: "99p".into(),
            caching: map(&[("keys", "ALL"), ("rows_per_partition", "NONE")]),
            compaction: map(&[
                ("class", "org.apache.cassandra.db.compaction.SizeTieredCompactionStrategy"),
                ("max_threshold", "32"),
                ("min_threshold", "4"),
            ]),
            compression: map(&[
                ("class", "org.apache.cassandra.io.compress.LZ4Compressor"),
                ("chunk_length_in_kb", "16"),
            ]),
            memtable: "default".into(),
            extensions: BTreeMap::new(),
            cdc: false,
            read_repair: "BLOCKING".into(),
        }
    }
}
