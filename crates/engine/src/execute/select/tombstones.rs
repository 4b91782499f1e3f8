//! [`TombstoneCounter`]: counts the tombstones of a read, of which the server warns and above a
//! limit fails; and checks its limits on time and memory at intervals.

use schema::catalog::Keyspace;
use storage::{DecoratedKey, RangeTombstone};

use super::failure;
use super::read_trace::{ReadTotals, ReadTrace};
use crate::error::Result;
use crate::execute::Execution;
use crate::execute::internal_read::count_bounds;
use crate::rows::live_row::ReadTime;

/// The tombstones of one read command.
pub(crate) struct TombstoneCounter<'a> {
    execution: &'a Execution<'a>,
    /// Prints the command as the server does.
    command: &'a dyn Fn(Option<&DecoratedKey>) -> String,
    warns_above: u64,
    fails_above: u64,
    /// Whether each partition is a command of its own.
    by_partition: bool,
    live: u64,
    tombstones: u64,
    /// The rows of the whole read, dead ones included.
    rows: u64,
    /// The bytes of rows since the last check.
    unchecked_bytes: usize,
    /// Whether it reads pages for an aggregate, each with its own time limit.
    is_aggregate: bool,
    /// The size of the result at the last check.
    result_bytes: usize,
    trace: ReadTrace<'a>,
    /// The partitions of the whole read.
    partitions: u64,
}

/// The time limit is checked after this many rows.
const ROWS_PER_CHECK: u64 = 128;
/// It is also checked after this many bytes of rows, whose values filters read.
const BYTES_PER_CHECK: usize = 256 << 10;
/// The rows of a page of an aggregate, for which the time limit counts anew.
const AGGREGATE_PAGE_ROWS: u64 = 80 * ROWS_PER_CHECK;
/// The size of the result is checked when it has grown by this much.
const RESULT_BYTES_PER_CHECK: usize = 64 << 10;

impl<'a> TombstoneCounter<'a> {
    pub(crate) fn new(
        execution: &'a Execution<'a>,
        trace: ReadTrace<'a>,
        by_partition: bool,
        is_aggregate: bool,
        command: &'a dyn Fn(Option<&DecoratedKey>) -> String,
    ) -> Self {
        let settings = &execution.node.settings;
        let is_exempt = Keyspace::is_local_system(&trace.handle.definition.keyspace);
        let threshold = |setting: u64| if is_exempt { u64::MAX } else { setting };
        Self {
            execution,
            command,
            warns_above: threshold(settings.tombstone_warn_threshold),
            fails_above: threshold(settings.tombstone_failure_threshold),
            by_partition,
            live: 0,
            tombstones: 0,
            rows: 0,
            unchecked_bytes: 0,
            is_aggregate,
            result_bytes: 0,
            trace,
            partitions: 0,
        }
    }

    /// Begins a partition.
    pub(crate) fn begin_partition(&mut self) {
        self.partitions += 1;
        if self.by_partition || self.trace.has_index() {
            self.trace.begin_partition(self.execution);
        }
    }

    /// Counts the static row of a partition, if it has one.
    pub(crate) fn begin_rows(&mut self, has_statics: bool, dead: u32) -> Result<()> {
        self.count_row(has_statics && self.trace.has_counted_statics(), dead)
    }

    /// Counts a row.
    pub(crate) fn count_row(&mut self, lives: bool, dead: u32) -> Result<()> {
        self.live += u64::from(lives);
        self.rows += 1;
        if self.rows.is_multiple_of(ROWS_PER_CHECK) {
            self.execution.check_time()?;
            if self.is_aggregate && self.rows.is_multiple_of(AGGREGATE_PAGE_ROWS) {
                self.execution.restart();
            }
        }
        self.add(u64::from(dead))
    }

    /// Counts the bytes of a row, for the time that its filters take.
    pub(crate) fn count_bytes(&mut self, bytes: usize) -> Result<()> {
        self.unchecked_bytes += bytes;
        if self.unchecked_bytes < BYTES_PER_CHECK {
            return Ok(());
        }
        self.unchecked_bytes = 0;
        self.execution.check_time()
    }

    /// The statement that reads.
    pub(crate) fn execution(&self) -> &'a Execution<'a> {
        self.execution
    }

    /// Fails if a result of this size is too large.
    pub(crate) fn check_result(&mut self, bytes: usize) -> Result<()> {
        if bytes.saturating_sub(self.result_bytes) < RESULT_BYTES_PER_CHECK {
            return Ok(());
        }
        self.result_bytes = bytes;
        self.execution.check_result_size(bytes)
    }

    /// Counts the bounds of range tombstones; two that touch share one.
    pub(crate) fn count_ranges(
        &mut self,
        ranges: &[RangeTombstone],
        moment: &ReadTime,
    ) -> Result<()> {
        self.add(count_bounds(ranges, moment))
    }

    fn totals(&self) -> ReadTotals {
        // A partition counts as a row, for its static row.
        let rows = self.rows.saturating_sub(self.partitions);
        let (live, tombstones, partitions) = (self.live, self.tombstones, self.partitions);
        ReadTotals { live, tombstones, rows, partitions }
    }

    fn add(&mut self, tombstones: u64) -> Result<()> {
        self.tombstones += tombstones;
        if self.tombstones > self.fails_above {
            let consistency = self.execution.parameters.consistency;
            return Err(failure::read_failure(consistency, "READ_TOO_MANY_TOMBSTONES"));
        }
        Ok(())
    }

    /// Ends a partition.
    pub(crate) fn end_partition(&mut self, key: &DecoratedKey) {
        if self.by_partition {
            self.record();
            self.trace.end_partition(self.execution, self.totals());
            self.warn(Some(key), key);
            (self.live, self.tombstones) = (0, 0);
        }
    }

    /// Ends the read.
    pub(crate) fn finish(&mut self, last: Option<&DecoratedKey>) {
        if !self.by_partition {
            self.record();
            self.trace.end(self.execution, self.totals());
        } else if self.partitions == 0 {
            self.record();
            if !self.trace.has_index() {
                self.trace.begin_partition(self.execution);
            }
            self.trace.end(self.execution, ReadTotals::default());
        }
        if let Some(key) = last.filter(|_| !self.by_partition) {
            self.warn(None, key);
        }
    }

    /// Counts the read among those of the table.
    fn record(&self) {
        if !self.trace.handle.definition.is_virtual {
            self.trace.handle.metrics.count_read(self.live, self.tombstones);
        }
    }

    fn warn(&self, named: Option<&DecoratedKey>, last: &DecoratedKey) {
        const QUERY_CHARACTERS_MAX: usize = 512;
        if self.tombstones <= self.warns_above {
            return;
        }
        let query: String = (self.command)(named).chars().take(QUERY_CHARACTERS_MAX).collect();
        self.execution.warn(format!(
            "Read {} live rows and {} tombstone cells for query {query}; token {} (see tombstone_warn_threshold)",
            self.live,
            self.tombstones,
            last.token()
        ));
    }
}
