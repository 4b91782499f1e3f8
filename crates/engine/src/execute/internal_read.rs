//! [`InternalRead`]: the trace events of reads that a write makes.

use schema::catalog;
use storage::{DecoratedKey, RangeTombstone, Slice, SliceFilter};

use super::select::read_time;
use super::{Activity, Execution};
use crate::node::handle::TableHandle;
use crate::rows::live_row::{LiveRow, ReadTime};

/// The stages of the server that read before they write.
const COUNTER_STAGE: &str = "CounterMutationStage-1";
const MUTATION_STAGE: &str = "MutationStage-1";

/// A read of rows of one partition.
#[derive(Clone, Copy, Debug)]
pub(crate) struct InternalRead<'a> {
    pub(crate) handle: &'a TableHandle,
    pub(crate) key: &'a DecoratedKey,
    pub(crate) slices: &'a [Slice],
    /// Whether rows are named by their whole clustering key.
    pub(crate) names_rows: bool,
    pub(crate) reads_statics: bool,
    /// Whether only the first live row is read.
    pub(crate) is_limited: bool,
}

/// What a read found.
#[derive(Clone, Copy, Debug, Default)]
struct ReadCounts {
    partition_exists: bool,
    rows: u64,
    tombstones: u64,
}

impl InternalRead<'_> {
    /// Records a read of a statement, for a list or a condition.
    pub(crate) fn trace_for_statement(&self, execution: &Execution<'_>) {
        if !execution.is_traced() {
            return;
        }
        let counts = self.count(execution);
        let is_by_names = self.is_traced_by_names(execution, None);
        if !is_by_names && counts.partition_exists {
            execution.trace(|| Activity::SlicesMerged);
        }
        execution.trace(|| counts.to_activity());
    }

    /// Records the read of counters.
    pub(crate) fn trace_for_counters(&self, execution: &Execution<'_>) {
        if !execution.is_traced() {
            return;
        }
        let counts = self.count(execution);
        self.is_traced_by_names(execution, Some(COUNTER_STAGE));
        if counts.partition_exists {
            execution.trace(|| Activity::SlicesMerged.move_to_thread(COUNTER_STAGE));
        }
    }

    /// Records the read of the rows that views depend on. The server ends it when it has used the
    /// rows, if there are any.
    pub(crate) fn trace_for_views(&self, execution: &Execution<'_>) {
        if !execution.is_traced() {
            return;
        }
        let counts = self.count(execution);
        let is_by_names = self.is_traced_by_names(execution, Some(MUTATION_STAGE));
        let read = || counts.to_activity().move_to_thread(MUTATION_STAGE);
        let merged = || Activity::SlicesMerged.move_to_thread(MUTATION_STAGE);
        let has_end = !is_by_names && counts.partition_exists;
        let is_empty = counts.rows + counts.tombstones == 0;
        if has_end && is_empty {
            execution.trace(merged);
        }
        execution.trace(read);
        if has_end && !is_empty {
            execution.trace(merged);
        }
    }

    /// Records the events before the rows; returns whether they are read by names.
    fn is_traced_by_names(&self, execution: &Execution<'_>, thread: Option<&'static str>) -> bool {
        let is_by_names = self.names_rows && can_read_by_names(&self.handle.definition);
        let third = if is_by_names { Activity::MergeMemtables } else { Activity::SkipSstables };
        let table = self.handle.definition.name.to_string();
        for activity in [Activity::QueryPartition { table }, Activity::AcquireSstables, third] {
            execution.trace(|| match thread {
                Some(thread) => activity.move_to_thread(thread),
                None => activity,
            });
        }
        is_by_names
    }

    fn count(&self, execution: &Execution<'_>) -> ReadCounts {
        let Self { handle, key, slices, .. } = *self;
        let filter = SliceFilter { slices, reversed: false, after: None, max_rows: usize::MAX };
        let Some(read) = handle.rows.read(key, filter) else { return ReadCounts::default() };
        let moment = read_time(execution, handle);
        let mut dead = 0;
        let mut rows = 0;
        if let Some(statics) = read.statics.as_ref().filter(|_| self.reads_statics) {
            rows += u64::from(LiveRow::read_static(statics, &moment, &mut dead).is_some());
        }
        for row in &read.rows {
            if LiveRow::new().fill(row, &moment, &mut dead) {
                rows += 1;
                if self.is_limited {
                    break;
                }
            }
        }
        let tombstones = u64::from(dead) + count_bounds(&read.ranges, &moment);
        ReadCounts { partition_exists: true, rows, tombstones }
    }
}

impl ReadCounts {
    fn to_activity(self) -> Activity {
        Activity::Read { rows: self.rows, tombstones: self.tombstones }
    }
}

/// Whether rows of a table can be read by their names. The server reads collections and counters by
/// slices.
pub(crate) fn can_read_by_names(table: &catalog::Table) -> bool {
    !table.is_counter() && !table.columns().iter().any(catalog::Column::is_multi_cell)
}

/// The number of bounds of range tombstones; two that touch share one.
pub(crate) fn count_bounds(ranges: &[RangeTombstone], moment: &ReadTime) -> u64 {
    let mut bounds = 0;
    let mut end = None;
    for range in ranges.iter().filter(|range| moment.is_remembered(range.deletion.local_time)) {
        bounds += if end == Some(&range.start) { 1 } else { 2 };
        end = Some(&range.end);
    }
    bounds
}
