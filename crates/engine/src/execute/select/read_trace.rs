//! [`ReadTrace`]: the trace events of a read.

use std::ops::Bound;

use schema::access::{IndexUse, ReadPlan};
use schema::bind::restrictions::{Slice, SliceBound, TokenRestrictionKind};
use schema::bind::select::BoundSelect;
use schema::catalog::{ColumnKind, IndexClass};
use schema::partitioner::Token;
use storage::{DecoratedKey, RingRange};

use crate::execute::internal_read::can_read_by_names;
use crate::execute::{Activity, Execution};
use crate::node::handle::TableHandle;

/// The token of the node, which divides the ring.
const NODE_TOKEN: Token = Token(0);

/// How a table is read, as far as its trace shows it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ReadTrace<'a> {
    pub(crate) handle: &'a TableHandle,
    /// Whether rows are read by their names rather than by slices.
    names_rows: bool,
    /// Whether a static column is selected.
    selects_statics: bool,
    index: Option<SearchedIndex>,
}

/// The kind of an index that is searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SearchedIndex {
    BuiltIn,
    StorageAttached,
}

/// What a read found.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ReadTotals {
    /// Live rows.
    pub(crate) live: u64,
    pub(crate) tombstones: u64,
    /// The rows that were read by an index, and their partitions.
    pub(crate) rows: u64,
    pub(crate) partitions: u64,
}

impl<'a> ReadTrace<'a> {
    pub(crate) fn new(handle: &'a TableHandle, plan: &ReadPlan, select: &BoundSelect) -> Self {
        let table = &handle.definition;
        let is_named = table.clustering().is_empty() || plan.rows.rows.is_some();
        let is_static = |at: &usize| {
            table.columns().get(*at).is_some_and(|column| column.kind == ColumnKind::Static)
        };
        let selects_statics =
            select.selection.is_wildcard || select.selection.columns_read.iter().any(is_static);
        let names_rows = is_named && can_read_by_names(table);
        Self { handle, names_rows, selects_statics, index: None }
    }

    /// Whether a static row counts as a row that was read: it is part of every slice, but read with
    /// named rows only if it is selected.
    pub(crate) fn has_counted_statics(&self) -> bool {
        let by_names =
            self.index.map_or(self.names_rows, |_| can_read_by_names(&self.handle.definition));
        !by_names || self.selects_statics
    }

    /// Records the events before the first partition is read; `index` is the one that is searched.
    pub(crate) fn begin(
        &mut self,
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
        let searched = plan.index.as_ref().zip(index);
        self.index = searched.map(|(_, name)| self.classify(name));
        if let Some((plan, name)) = searched {
            // Partitions that are named are planned twice.
            for _ in 0..if range.is_some() { 1 } else { 2 } {
                execution.trace(|| self.choose_index(plan, name));
            }
        }
        if let Some(range) = range {
            let has_index_view = self.index == Some(SearchedIndex::StorageAttached);
            let ranges = count_ranges(range);
            let has_values = self.handle.definition.columns().iter().any(|c| !c.is_primary_key());
            execution.trace(|| Activity::ComputeRanges);
            execution.trace(|| Activity::SubmitRanges { ranges, has_index_view, has_values });
            execution.trace(|| Activity::RangesSubmitted);
        }
        match (searched, range) {
            (Some((plan, name)), _) => {
                let table = select.table.qualified_name();
                let indexes = self.list_indexes(plan, name);
                execution.trace(|| Activity::ReadIndex { table, indexes });
                self.begin_built_in(execution, name);
            }
            (None, Some(range)) => {
                execution.trace(|| {
                    let (from, to) = print_bounds(range, select);
                    Activity::ScanRange { from, to }
                });
            }
            (None, None) => {}
        }
    }

    fn classify(&self, index: &str) -> SearchedIndex {
        let own = self.handle.indexes.iter().find(|own| &*own.definition.name == index);
        match own.map(|own| own.definition.class == IndexClass::Legacy) {
            Some(true) => SearchedIndex::BuiltIn,
            _ => SearchedIndex::StorageAttached,
        }
    }

    /// The indexes that are searched: one that is built in, or all that are storage-attached.
    fn list_indexes(&self, plan: &IndexUse, chosen: &str) -> Vec<String> {
        match self.index {
            Some(SearchedIndex::StorageAttached) => self.list_alternatives(plan),
            _ => vec![chosen.to_owned()],
        }
    }

    /// The names of the indexes of the same kind that could be searched.
    fn list_alternatives(&self, plan: &IndexUse) -> Vec<String> {
        let found = plan.searches.iter().filter_map(|search| self.handle.indexes.get(search.index));
        let names = found.map(|index| index.definition.name.to_string());
        let mut names: Vec<_> =
            names.filter(|name| Some(self.classify(name)) == self.index).collect();
        names.dedup();
        names
    }

    fn choose_index(&self, plan: &IndexUse, chosen: &str) -> Activity {
        let names = self.list_alternatives(plan);
        let estimates = match self.index {
            // The rows of a value are estimated by files, of which there are none.
            Some(SearchedIndex::BuiltIn) => {
                names.iter().map(|name| format!("{name}:0")).collect::<Vec<_>>().join(",")
            }
            _ => format!("{}:{}", names.join(","), i64::MAX),
        };
        Activity::ChooseIndex { estimates, indexes: self.list_indexes(plan, chosen).join(",") }
    }

    /// Records the read of the entries of a built-in index, which are rows of a table.
    fn begin_built_in(&self, execution: &Execution<'_>, index: &str) {
        if self.index != Some(SearchedIndex::BuiltIn) {
            return;
        }
        let table = format!("{}.{index}", self.handle.definition.name);
        execution.trace(|| Activity::QueryPartition { table });
        execution.trace(|| Activity::AcquireSstables);
        execution.trace(|| read_activity(self.names_rows));
    }

    /// Records the events before a partition is read.
    pub(crate) fn begin_partition(&self, execution: &Execution<'_>) {
        if self.handle.definition.is_virtual {
            return;
        }
        let table = || self.handle.definition.name.to_string();
        let by_names = match self.index {
            Some(_) => can_read_by_names(&self.handle.definition),
            None => self.names_rows,
        };
        execution.trace(|| Activity::QueryPartition { table: table() });
        execution.trace(|| Activity::AcquireSstables);
        execution.trace(|| read_activity(by_names));
    }

    /// Whether the reads of partitions are traced although they are part of one command.
    pub(crate) fn has_index(&self) -> bool {
        self.index.is_some()
    }

    /// Records the events after a partition was read.
    pub(crate) fn end_partition(&self, execution: &Execution<'_>, totals: ReadTotals) {
        if !self.names_rows && self.index.is_none() && !self.handle.definition.is_virtual {
            execution.trace(|| Activity::SlicesMerged);
        }
        self.end(execution, totals);
    }

    /// Records the events after the read.
    pub(crate) fn end(&self, execution: &Execution<'_>, totals: ReadTotals) {
        if self.handle.definition.is_virtual {
            return;
        }
        let ReadTotals { live, tombstones, rows, partitions } = totals;
        execution.trace(|| Activity::Read { rows: live, tombstones });
        match self.index {
            Some(SearchedIndex::StorageAttached) => execution.trace(|| {
                let micros = execution.elapsed_micros();
                Activity::IndexSearched { rows, partitions, micros }
            }),
            Some(SearchedIndex::BuiltIn) if partitions > 0 && !self.names_rows => {
                execution.trace(|| Activity::SlicesMerged);
            }
            _ => {}
        }
    }
}

/// Reading the rows of a partition from memory.
fn read_activity(by_names: bool) -> Activity {
    if by_names { Activity::MergeMemtables } else { Activity::SkipSstables }
}

/// The number of ranges in a range of the ring: the token of the node ends one.
fn count_ranges(range: &RingRange) -> usize {
    let has_lower = match &range.start {
        Bound::Included(key) | Bound::Excluded(key) => key.token().0 <= NODE_TOKEN.0,
        Bound::Unbounded => true,
    };
    let has_upper = match &range.end {
        Bound::Included(key) => key.token().0 > NODE_TOKEN.0,
        Bound::Excluded(key) => key.token().0 > NODE_TOKEN.0 + 1,
        Bound::Unbounded => true,
    };
    if has_lower && has_upper { 2 } else { 1 }
}

/// The bounds of a range as the server prints them: positions before or after the tokens of the
/// statement.
fn print_bounds(range: &RingRange, select: &BoundSelect) -> (String, String) {
    let token = select.restrictions.partition.token.as_ref().map(|token| &token.kind);
    let is_inclusive = |bound: fn(&Slice) -> &Option<SliceBound>| match token {
        Some(TokenRestrictionKind::Slice(slice)) => {
            bound(slice).as_ref().is_none_or(|bound| bound.inclusive)
        }
        _ => true,
    };
    let (with_start, with_end) =
        (is_inclusive(|slice| &slice.start), is_inclusive(|slice| &slice.end));
    let print = |bound: &Bound<DecoratedKey>, is_after: bool| match bound {
        Bound::Included(key) | Bound::Excluded(key) if is_after => {
            format!("max({})", key.token().0.wrapping_sub(1))
        }
        Bound::Included(key) | Bound::Excluded(key) => format!("min({})", key.token()),
        Bound::Unbounded => format!("min({})", i64::MIN),
    };
    (print(&range.start, !with_start), print(&range.end, with_end))
}
