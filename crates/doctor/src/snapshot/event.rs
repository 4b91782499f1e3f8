//! What a node's log reports, one line at a time.

use super::table::TableName;

cql::named_enum! {
    /// The kinds of events that are counted.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub enum EventKind {
        TombstoneWarning => "read of many tombstones",
        TombstoneFailure => "read aborted because of tombstones",
        LargePartition => "large partition",
        PartitionTombstones => "partition with many tombstones",
        LargeRow => "large row",
        LargeCell => "large cell or collection",
        BatchSize => "batch beyond the size threshold",
        UnloggedBatch => "unlogged batch over many partitions",
        LoggedBatchWithoutGrace => "logged batch on a table with gc_grace_seconds = 0",
        SlowQuery => "slow query",
        AggregationWithoutKey => "aggregation without a partition key",
        IndexFanOut => "index query over many SSTables or nodes",
        LargeIn => "IN with many values",
        Guardrail => "guardrail",
        DroppedMessages => "dropped messages",
        GcPause => "garbage collection pause",
        SchemaDisagreement => "schema disagreement",
        PreparedStatementsEvicted => "prepared statements evicted",
        TooManyTables => "many tables",
        CompactionAborted => "compaction aborted",
        OutOfDiskSpace => "low disk space",
        ReadTimeout => "read timeout",
        WriteTimeout => "write timeout",
        CounterTimeout => "counter write timeout",
        RepairFailed => "failed repair",
        RepairCompleted => "completed repair",
        HintsDropped => "hints that could not be kept",
        CorruptSstable => "corrupt SSTable",
        NodeDown => "node seen as down",
        Restart => "start of the node",
        BusyThreadPool => "thread pool with waiting tasks",
        LargeAllocation => "large allocation of memory",
    }
}

/// One event of a log.
#[derive(Clone, Debug, PartialEq)]
pub struct LogEvent {
    /// Its kind.
    pub kind: EventKind,
    /// The time of its line in milliseconds since 1970 (logs have no zone: taken as UTC).
    pub at_ms: Option<i64>,
    /// The table it concerns.
    pub table: Option<TableName>,
    /// Its figures.
    pub details: EventDetails,
}

/// The figures of an event; which of them are given depends on the kind.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EventDetails {
    /// Its measure: tombstones, bytes, partitions, milliseconds, messages.
    pub value: Option<f64>,
    /// How many times the line says that it happened (a slow query that was logged together).
    pub times: u64,
    /// Live rows, for a read of tombstones.
    pub live_rows: Option<u64>,
    /// The statement, whole. It may contain user data.
    pub statement: Option<String>,
    /// The partition key as logged. It is user data.
    pub key: Option<String>,
    /// A word that tells events of one kind apart: the verb of dropped messages, the guardrail, the
    /// collector.
    pub label: Option<String>,
}

/// The events of one kind, table and label, summed up: a log of any size takes bounded memory.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EventSummary {
    /// How often it happened.
    pub count: u64,
    /// The sum of the values that were told.
    pub total: f64,
    /// The largest value.
    pub max: Option<f64>,
    /// The first time.
    pub first_ms: Option<i64>,
    /// The last time.
    pub last_ms: Option<i64>,
    /// The event with the largest value.
    pub worst: Option<EventDetails>,
}

impl EventSummary {
    /// Counts an event.
    pub fn add(&mut self, event: &LogEvent) {
        self.count += event.details.times.max(1);
        self.total += event.details.value.unwrap_or(0.0);
        if self.worst.is_none() || event.details.value.is_some_and(|value| Some(value) > self.max) {
            self.worst = Some(event.details.clone());
        }
        if event.details.value.is_some_and(|value| self.max.is_none_or(|max| value > max)) {
            self.max = event.details.value;
        }
        if let Some(at) = event.at_ms {
            self.first_ms = Some(self.first_ms.map_or(at, |first| first.min(at)));
            self.last_ms = Some(self.last_ms.map_or(at, |last| last.max(at)));
        }
    }
}
