//! Options of tables, views and keyspaces, in range and just out of it.

use super::statement_writer::StatementWriter;

/// An option with values that are fine and values that are not.
type OptionValues = (&'static str, &'static [&'static str], &'static [&'static str]);

const TABLE_OPTIONS: &[OptionValues] = &[
    ("comment", &["'a table'", "''"], &["{'a': 'b'}", "5"]),
    (
        "gc_grace_seconds",
        &["864000", "1", "'3600'"],
        &["-1", "'a'", "1.5", "99999999999", "{'a': 1}", "true"],
    ),
    ("default_time_to_live", &["0", "86400", "630720000"], &["-1", "630720001", "'x'"]),
    (
        "bloom_filter_fp_chance",
        &["0.01", "1", "1.0", "0.1"],
        &["0", "1.1", "-0.1", "'a'", "0.00001"],
    ),
    ("crc_check_chance", &["1.0", "0", "0.5"], &["1.5", "-1", "'a'"]),
    ("min_index_interval", &["128", "1"], &["0", "4096", "-1"]),
    ("max_index_interval", &["2048", "4000"], &["1", "0", "64"]),
    ("memtable_flush_period_in_ms", &["0", "100000"], &["-1", "'x'"]),
    (
        "speculative_retry",
        &["'99p'", "'ALWAYS'", "'NONE'", "'50ms'", "'MIN(99p,50ms)'", "'95PERCENTILE'"],
        &["'sometimes'", "'101p'", "'-5ms'", "99", "'MIN(1ms)'", "''"],
    ),
    ("additional_write_policy", &["'99p'", "'ALWAYS'", "'NEVER'"], &["'often'", "'0p'"]),
    ("cdc", &["false"], &["'maybe'"]),
    ("read_repair", &["'BLOCKING'", "'NONE'", "'none'"], &["'ASYNC'", "5"]),
    ("memtable", &["'default'"], &["'fastest'", "{'class': 'x'}"]),
    ("allow_auto_snapshot", &["true", "false"], &["'x'"]),
    ("incremental_backups", &["true", "false"], &["1"]),
    ("extensions", &["{'a': 'b'}", "{'a': '0xcafe'}"], &["'a'"]),
    (
        "caching",
        &[
            "{'keys': 'ALL', 'rows_per_partition': 'NONE'}",
            "{'keys': 'NONE'}",
            "{'keys': 'ALL', 'rows_per_partition': '10'}",
        ],
        &[
            "{'keys': 'SOME'}",
            "{'rows_per_partition': '-1'}",
            "{'rows': 'ALL'}",
            "'ALL'",
            "{'rows_per_partition': 'few'}",
        ],
    ),
    (
        "compaction",
        &[
            "{'class': 'SizeTieredCompactionStrategy', 'min_threshold': 4}",
            "{'class': 'LeveledCompactionStrategy', 'sstable_size_in_mb': 160}",
            "{'class': 'TimeWindowCompactionStrategy', 'compaction_window_unit': 'DAYS', 'compaction_window_size': 1}",
            "{'class': 'UnifiedCompactionStrategy', 'scaling_parameters': 'T4'}",
            "{'class': 'org.apache.cassandra.db.compaction.SizeTieredCompactionStrategy', 'enabled': 'false'}",
        ],
        &[
            "{'min_threshold': 4}",
            "{'class': 'SizeTieredCompactionStrategy', 'min_threshold': 1}",
            "{'class': 'DateTieredCompactionStrategy'}",
            "{'class': 'SizeTieredCompactionStrategy', 'min_threshold': 9, 'max_threshold': 4}",
            "{'class': 'SizeTieredCompactionStrategy', 'bucket_low': 3}",
            "{'class': 'LeveledCompactionStrategy', 'sstable_size_in_mb': 0}",
            "{'class': 'LeveledCompactionStrategy', 'sstable_size': 5}",
            "{'class': 'TimeWindowCompactionStrategy', 'compaction_window_unit': 'days'}",
            "{'class': 'TimeWindowCompactionStrategy', 'compaction_window_size': 0}",
            "{'class': 'UnifiedCompactionStrategy', 'scaling_parameters': 'X4'}",
            "{'class': 'UnifiedCompactionStrategy', 'target_sstable_size': '1'}",
            "{'class': 'SizeTieredCompactionStrategy', 'tombstone_threshold': 0}",
            "{'class': 'SizeTieredCompactionStrategy', 'tombstone_compaction_interval': 0}",
            "{'class': 'SizeTieredCompactionStrategy', 'enabled': 'maybe'}",
            "'SizeTieredCompactionStrategy'",
            "{'class': 'LeveledCompactionStrategy', 'fanout_size': 0}",
            "{'class': 'SizeTieredCompactionStrategy', 'max_threshold': 0}",
            "{'class': 'SizeTieredCompactionStrategy', 'min_sstable_size': -1}",
            "{}",
        ],
    ),
    (
        "compression",
        &[
            "{'class': 'LZ4Compressor', 'chunk_length_in_kb': 16}",
            "{'class': 'ZstdCompressor', 'compression_level': 3}",
            "{'enabled': 'false'}",
            "{}",
            "{'class': 'SnappyCompressor'}",
            "{'class': 'DeflateCompressor', 'min_compress_ratio': 1.5}",
            "{'class': 'NoopCompressor'}",
        ],
        &[
            "{'class': 'LZ4Compressor', 'chunk_length_in_kb': 15}",
            "{'class': 'LZ5Compressor'}",
            "{'sstable_compression': 'LZ4Compressor'}",
            "{'class': 'LZ4Compressor', 'chunk_length_kb': 16}",
            "{'class': 'LZ4Compressor', 'enabled': 'false'}",
            "{'chunk_length_in_kb': 16}",
            "{'class': 'LZ4Compressor', 'min_compress_ratio': 0.5}",
            "{'class': 'LZ4Compressor', 'lz4_compressor_type': 'slow'}",
            "{'class': 'ZstdCompressor', 'compression_level': 100}",
            "{'class': 'LZ4Compressor', 'level': 3}",
            "{'class': 'LZ4Compressor', 'chunk_length_in_kb': 'x'}",
            "{'class': 'LZ4Compressor', 'chunk_length_in_kb': -1}",
            "{'class': ''}",
            "'LZ4Compressor'",
        ],
    ),
];

const UNKNOWN_OPTIONS: &[&str] = &[
    "read_repair_chance = 0.1",
    "dclocal_read_repair_chance = 0.1",
    "compactions = {}",
    "ttl = 5",
    "id = 'x'",
    "replicate_on_write = true",
];

impl StatementWriter<'_> {
    /// Options for a table or view, without those that a view or a counter table cannot have.
    pub(super) fn table_options(&mut self, count: usize, expiring: bool) -> Vec<String> {
        let mut options: Vec<String> = Vec::new();
        for _ in 0..count {
            let (name, good, bad) = *self.rng.pick(TABLE_OPTIONS);
            let clashes =
                name.ends_with("_interval") || options.iter().any(|other| other.starts_with(name));
            if clashes && !self.slip("option twice", 1) {
                continue;
            }
            if name == "default_time_to_live"
                && !expiring
                && !self.slip("expiry where none is allowed", 2)
            {
                continue;
            }
            let value = if self.slip("option out of range", 4) {
                self.pick_word(bad)
            } else {
                self.pick_word(good)
            };
            options.push(format!("{name} = {value}"));
        }
        if self.slip("unknown option", 1) {
            options.push(self.pick_word(UNKNOWN_OPTIONS).to_owned());
        }
        options
    }

    /// The replication of a keyspace.
    pub(super) fn replication(&mut self) -> String {
        const GOOD: &[&str] = &[
            "{'class': 'SimpleStrategy', 'replication_factor': 1}",
            "{'class': 'SimpleStrategy', 'replication_factor': '1'}",
            "{'class': 'NetworkTopologyStrategy', 'replication_factor': 1}",
            "{'class': 'org.apache.cassandra.locator.SimpleStrategy', 'replication_factor': 1}",
            "{'class': 'NetworkTopologyStrategy'}",
        ];
        const BAD: &[&str] = &[
            "{'class': 'SimpleStrategy', 'replication_factor': 'one'}",
            "{'class': 'SimpleStrategy', 'replication_factor': -1}",
            "{'class': 'SimpleStrategy', 'replication_factor': 1.5}",
            "{'class': 'SimplestStrategy', 'replication_factor': 1}",
            "{'replication_factor': 1}",
            "{'class': 'NetworkTopologyStrategy', 'nowhere': 1}",
            "{'class': 'LocalStrategy'}",
            "{'class': 'SimpleStrategy', 'replication_factor': 1, 'dc1': 1}",
            "{'class': 'SimpleStrategy', 'replication_factor': '2/1'}",
            "{'class': ''}",
            "'SimpleStrategy'",
            "{}",
        ];
        if self.slip("replication", 4) {
            self.pick_word(BAD).to_owned()
        } else {
            self.pick_word(GOOD).to_owned()
        }
    }
}
