//! Options of a design.

use crate::prices::Prices;

/// Options of a design.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// One table for each query, none shared.
    pub rules_only: bool,
    /// Limits of partitions and reads.
    pub limits: Limits,
    /// The database that the design is for.
    pub target: Target,
    /// The time span of every file in days, where the user states it.
    pub file_span_days: Option<f64>,
    /// Keys forced by the user: taken as they are, and reviewed.
    pub keys: Vec<ForcedKey>,
    /// Options of the search.
    pub search: SearchOptions,
}

/// Options of the search.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchOptions {
    /// Whether to search; otherwise the tables of the rules are taken.
    pub enabled: bool,
    /// Whether alternatives are priced as well: ways not taken, next best designs, rates at which
    /// the choice flips.
    pub explain: bool,
    /// The prices of the cost model.
    pub prices: Prices,
    /// Materialized views may be used.
    pub allow_views: bool,
    /// The maximum number of tables.
    pub tables_most: Option<usize>,
    /// The maximum number of bytes today, counting one replica.
    pub bytes_most: Option<f64>,
    /// The effort of the search in units of solver work: the same on every machine.
    pub work: u64,
}

/// Limits of partitions and reads.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// Bytes of a partition at p99.9.
    pub partition_bytes: f64,
    /// Rows of a partition at p99.9.
    pub partition_rows: f64,
    /// A read of more partitions warns.
    pub fan_out_warn: f64,
    /// A read of more partitions is called a scan.
    pub fan_out_scan: f64,
    /// More writes per second on one partition require shards.
    pub hot_writes: f64,
    /// More reads per second on one partition warn.
    pub hot_reads: f64,
    /// Years over which growth without retention is considered.
    pub years: f64,
    /// `--strict`: a scan is an error.
    pub strict: bool,
}

/// The database that the design is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// Apache Cassandra 4.1: no SAI.
    Cassandra41,
    /// Apache Cassandra 5.0.
    Cassandra50,
    /// `ScyllaDB`: no SAI; global secondary indexes.
    Scylla,
}

/// A primary key that the user forces for a query's table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ForcedKey {
    /// The query's name.
    pub read: String,
    /// Column names of the partition key.
    pub partition: Vec<String>,
    /// Column names of the clustering key; `true` for descending.
    pub clustering: Vec<(String, bool)>,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            partition_bytes: 100e6,
            partition_rows: 300_000.0,
            fan_out_warn: 16.0,
            fan_out_scan: 100.0,
            hot_writes: 1_000.0,
            hot_reads: 5_000.0,
            years: 5.0,
            strict: false,
        }
    }
}

impl Options {
    /// Without a search: the tables of the rules, merged where one can stand for another.
    pub fn for_method() -> Self {
        Self {
            search: SearchOptions { enabled: false, ..SearchOptions::default() },
            ..Self::default()
        }
    }
}

impl Default for Options {
    fn default() -> Self {
        Self {
            rules_only: false,
            limits: Limits::default(),
            target: Target::Cassandra50,
            file_span_days: None,
            keys: Vec::new(),
            search: SearchOptions::default(),
        }
    }
}

impl Default for SearchOptions {
    fn default() -> Self {
        Self {
            enabled: true,
            explain: false,
            prices: Prices::default(),
            allow_views: false,
            tables_most: None,
            bytes_most: None,
            work: 20_000,
        }
    }
}
