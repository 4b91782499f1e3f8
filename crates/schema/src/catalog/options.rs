//! [`TableParams`]: table options.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

/// Options by name. Most tables have the default ones and share them.
pub type OptionMap = Arc<BTreeMap<Box<str>, Box<str>>>;

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
    pub caching: OptionMap,
    /// `compaction`: the full class name under `class`, and its options
    pub compaction: OptionMap,
    /// `compression`: the full class name under `class`, and its options; `enabled: false` when off
    pub compression: OptionMap,
    /// `memtable`
    pub memtable: Box<str>,
    /// `extensions`
    pub extensions: OptionMap,
    /// `cdc`
    pub cdc: bool,
    /// `read_repair`
    pub read_repair: Box<str>,
}

impl Default for TableParams {
    fn default() -> Self {
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
            caching: CACHING.clone(),
            compaction: COMPACTION.clone(),
            compression: COMPRESSION.clone(),
            memtable: "default".into(),
            extensions: NONE.clone(),
            cdc: false,
            read_repair: "BLOCKING".into(),
        }
    }
}

static NONE: LazyLock<OptionMap> = LazyLock::new(OptionMap::default);
static CACHING: LazyLock<OptionMap> =
    LazyLock::new(|| map(&[("keys", "ALL"), ("rows_per_partition", "NONE")]));
static COMPACTION: LazyLock<OptionMap> = LazyLock::new(|| {
    map(&[
        ("class", "org.apache.cassandra.db.compaction.SizeTieredCompactionStrategy"),
        ("max_threshold", "32"),
        ("min_threshold", "4"),
    ])
});
static COMPRESSION: LazyLock<OptionMap> = LazyLock::new(|| {
    map(&[
        ("class", "org.apache.cassandra.io.compress.LZ4Compressor"),
        ("chunk_length_in_kb", "16"),
    ])
});

fn map(entries: &[(&str, &str)]) -> OptionMap {
    Arc::new(entries.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect())
}
