//! Statements that a cluster was seen to run.

use std::collections::BTreeSet;

cql::named_enum! {
    /// Where statements were seen.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub enum StatementOrigin {
        SlowQueryLog => "slow query log",
        TombstoneWarning => "tombstone warning",
        FullQueryLog => "full query log",
        AuditLog => "audit log",
        RunningQueries => "system_views.queries",
        PreparedStatements => "system.prepared_statements",
        Trace => "system_traces",
        Warning => "warning in the log",
    }
}

/// The text of a statement with a `?` for each value (`cql::redact`), and the keyspace it runs in.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct StatementShape {
    /// The keyspace in use; empty if the source does not tell or the statement names it.
    pub keyspace: String,
    /// The text.
    pub text: String,
}

/// How often a shape was seen, and what it cost. What the sources do not tell is absent.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ObservedStatement {
    /// Where it was seen.
    pub origins: BTreeSet<StatementOrigin>,
    /// Occurrences in the logs.
    pub count: u64,
    /// Times of the first and last occurrence, in milliseconds since 1970.
    pub first_ms: Option<i64>,
    /// The last occurrence.
    pub last_ms: Option<i64>,
    /// The largest duration, in milliseconds.
    pub max_ms: Option<f64>,
    /// The sum of the durations that were told, and how many there were.
    pub total_ms: f64,
    /// The number of durations in `total_ms`.
    pub timed: u64,
    /// The most tombstones of one read.
    pub max_tombstones: Option<u64>,
    /// The live rows of that read.
    pub live_rows: Option<u64>,
    /// The most `SSTables` of one read.
    pub max_sstables: Option<u64>,
    /// The most values of one IN list.
    pub max_in_values: Option<u64>,
    /// Occurrences that were sent without being prepared, where the source tells.
    pub unprepared: Option<u64>,
    /// Occurrences that a limit aborted.
    pub aborted: u64,
    /// The consistency levels that were used.
    pub consistency: BTreeSet<String>,
}

impl ObservedStatement {
    /// Adds the figures of other occurrences of the same shape.
    pub fn merge(&mut self, other: Self) {
        self.origins.extend(other.origins);
        self.count += other.count;
        self.first_ms = smaller(self.first_ms, other.first_ms);
        self.last_ms = self.last_ms.max(other.last_ms);
        if other.max_tombstones > self.max_tombstones {
            self.max_tombstones = other.max_tombstones;
            self.live_rows = other.live_rows;
        }
        if other.max_ms.is_some_and(|ms| self.max_ms.is_none_or(|known| ms > known)) {
            self.max_ms = other.max_ms;
        }
        self.total_ms += other.total_ms;
        self.timed += other.timed;
        self.max_sstables = self.max_sstables.max(other.max_sstables);
        self.max_in_values = self.max_in_values.max(other.max_in_values);
        if let Some(unprepared) = other.unprepared {
            *self.unprepared.get_or_insert(0) += unprepared;
        }
        self.aborted += other.aborted;
        self.consistency.extend(other.consistency);
    }
}

/// The smaller of two values of which either may be missing.
fn smaller(one: Option<i64>, other: Option<i64>) -> Option<i64> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.min(other)),
        (one, other) => one.or(other),
    }
}
