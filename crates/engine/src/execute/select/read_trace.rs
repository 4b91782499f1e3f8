//! [`ReadTrace`]: the trace events of a read.

use std::ops::Bound;

use schema::access::ReadPlan;
use schema::bind::select::BoundSelect;
use storage::{DecoratedKey, RingRange};

use crate::execute::{Activity, Execution};
use crate::node::handle::TableHandle;

/// How a table is read, as far as its trace shows it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ReadTrace<'a> {
    pub(crate) handle: &'a TableHandle,
    /// Whether rows are read by their names rather than by slices. The server reads collections
    /// and counters by slices.
    names_rows: bool,
}

impl<'a> ReadTrace<'a> {
    pub(crate) fn new(handle: &'a TableHandle, plan: &ReadPlan) -> Self {
        let table = &handle.definition;
        let is_named = table.clustering().is_empty() || plan.rows.rows.is_some();
        let is_simple = !table.is_counter()
            && !table.columns().iter().any(schema::catalog::Column::is_multi_cell);
        Self { handle, names_rows: is_named && is_simple }
    }

    /// Records the events before the first partition is read.
    pub(crate) fn begin(
        &self,
        execution: &Execution<'_>,
        (plan, select): (&ReadPlan, &BoundSelect),
        (range, index): (Option<&RingRange>, Option<&str>),
    ) {
        if self.handle.is_computed && self.handle.definition.is_virtual {
            return;
        }
        if plan.index.is_none() && !plan.filtering.checks.is_empty() {
            execution.trace(|| Activity::NoIndex);
        }
        if range.is_some() {
            execution.trace(|| Activity::ComputeRanges);
            execution.trace(|| Activity::SubmitRanges);
            execution.trace(|| Activity::RangesSubmitted);
        }
        match (index, range) {
            (Some(index), _) => execution.trace(|| Activity::ReadIndex {
                table: select.table.qualified_name(),
                index: index.to_owned(),
            }),
            (None, Some(range)) => {
                execution.trace(|| Activity::ScanRange {
                    from: print_bound(&range.start, "min", "max"),
                    to: print_bound(&range.end, "max", "min"),
                });
            }
            (None, None) => {}
        }
    }

    /// Records the events before a partition is read.
    pub(crate) fn begin_partition(&self, execution: &Execution<'_>) {
        if self.handle.definition.is_virtual {
            return;
        }
        let table = || self.handle.definition.name.to_string();
        execution.trace(|| Activity::QueryPartition { table: table() });
        execution.trace(|| Activity::AcquireSstables);
        execution.trace(|| {
            if self.names_rows { Activity::MergeMemtables } else { Activity::SkipSstables }
        });
    }

    /// Records the events after a partition was read.
    pub(crate) fn end_partition(&self, execution: &Execution<'_>, counts: (u64, u64)) {
        if !self.names_rows && !self.handle.definition.is_virtual {
            execution.trace(|| Activity::SlicesMerged);
        }
        self.end(execution, counts);
    }

    /// Records the events after the read of live rows and tombstones.
    pub(crate) fn end(&self, execution: &Execution<'_>, (rows, tombstones): (u64, u64)) {
        if !self.handle.definition.is_virtual {
            execution.trace(|| Activity::Read { rows, tombstones });
        }
    }
}

/// A bound of the ring as the server prints it: the position before or after a token.
fn print_bound(bound: &Bound<DecoratedKey>, included: &str, excluded: &str) -> String {
    match bound {
        Bound::Included(key) => format!("{included}({})", key.token()),
        Bound::Excluded(key) => format!("{excluded}({})", key.token()),
        Bound::Unbounded => format!("min({})", i64::MIN),
    }
}
