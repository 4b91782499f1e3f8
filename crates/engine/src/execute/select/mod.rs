//! SELECT.
//!
//! The plan gives the partitions (`keys`) and rows (`slices`) to read (`source`, `scan`). Every row
//! is combined with its static row (`rows::full_row`), matched (`rows::filter`), counted (`limits`)
//! and added to the result set (`output`), alone or as part of a group (`group`). A page ends with
//! a state (`paging`) from which the next one continues. `tombstones` counts what reads skip,
//! `read_command` prints the read for warnings.

mod checked_sort;
pub(crate) mod failure;
mod group;
mod keys;
mod limits;
mod output;
mod paging;
mod read_command;
mod read_trace;
mod scan;
pub(crate) mod slices;
mod source;
#[cfg(test)]
mod tests;
mod tombstones;

use std::sync::Arc;

use schema::access::{Partitions as PlannedPartitions, ReadPlan};
use schema::bind::select::BoundSelect;
use storage::{DecoratedKey, Memtable, Slice};

use crate::error::Result;
use crate::execute::Execution;
use crate::execute::index;
use crate::function::expression::Evaluator;
use crate::node::handle::TableHandle;
use crate::request_governor::TimedOperation;
use crate::result::{ResultColumn, ResultSet};
use crate::rows::cursor::RowRange;
use crate::rows::filter::RowFilter;
use crate::rows::live_row::ReadTime;
use group::GroupCollector;
use keys::PartitionSelection;
use limits::DataLimits;
use output::ResultSetBuilder;
use read_trace::ReadTrace;
use scan::Scan;
use source::PartitionSource;
use tombstones::TombstoneCounter;

/// What the session provides for a SELECT besides the statement.
pub(crate) struct TableAccess {
    /// Whether column values are returned without their masks.
    pub(crate) unmasked: bool,
    /// The rows of the table, if they are computed.
    pub(crate) computed: Option<Arc<Memtable>>,
}

/// Executes a SELECT with values for its markers, which have been validated.
pub(crate) fn select(
    execution: &Execution<'_>,
    plan: &ReadPlan,
    select: &BoundSelect,
    access: TableAccess,
) -> Result<ResultSet> {
    let handle = execution.handle(&select.table)?;
    execution.start(classify_operation(plan));
    let limits = DataLimits::new(execution, &handle, plan, select)?;
    warn_of_aggregation(execution, select);
    let restrictions = &select.restrictions;
    let filter =
        RowFilter::for_plan(&execution.list_monitored(), &handle, &plan.filtering, restrictions)?;
    let scan = Scan {
        handle: &handle,
        moment: read_time(execution, &handle),
        recorder: execution.parameters.recorder,
        gives_lone_statics: plan.gives_lone_statics,
        filter,
        wanted: limits.wanted,
        per_partition: limits.per_partition,
    };
    let mut trace = ReadTrace::new(&handle, plan, select);
    let mut source = open_source(execution, &mut trace, plan, select, access.computed, &limits)?;
    let evaluator = Evaluator {
        table: &select.table,
        env: execution.list_monitored(),
        unmasked: access.unmasked,
    };
    let nearest = index::build_ann_query(execution, &handle, plan, select)?;
    let rows = ResultSet::new(ResultColumn::for_select(select));
    let mut output = ResultSetBuilder::new(&handle, plan.order, select, evaluator, nearest, rows);
    let taken = limits.state.as_ref().map_or(0, |state| state.taken);
    let command = |key: Option<&DecoratedKey>| {
        read_command::render_cql(&handle, (plan, select), &limits, key)
    };
    let is_aggregate = select.aggregation.is_some();
    let mut meter =
        TombstoneCounter::new(execution, trace, source.is_named(), is_aggregate, &command);
    let progress = match &select.aggregation {
        None => scan.run(&mut source, taken, &mut meter, &mut output)?,
        Some(aggregation) => {
            let place = (&execution.schema.catalog, execution.parameters.consistency);
            let mut groups = GroupCollector::new(select, aggregation, output, place);
            let progress = scan.run(&mut source, taken, &mut meter, &mut groups)?;
            output = groups.finish()?;
            progress
        }
    };
    let mut rows = output.finish(limits.limit, || execution.check_time())?;
    if !handle.definition.is_virtual {
        let histograms = handle.metrics.histograms();
        let latencies = if source.is_named() { &histograms.reads } else { &histograms.scans };
        latencies.add(execution.elapsed_micros());
    }
    if limits.is_paged {
        let next = scan.next_page(progress, &source, limits.left);
        rows.paging_state = next.map(|state| state.encode());
    }
    Ok(rows)
}

fn classify_operation(plan: &ReadPlan) -> TimedOperation {
    match plan.partitions {
        PlannedPartitions::All | PlannedPartitions::TokenRange { .. } => TimedOperation::Range,
        _ => TimedOperation::Read,
    }
}

/// The time of a read of a table, and what counts as dead at that time.
pub(crate) fn read_time(execution: &Execution<'_>, handle: &TableHandle) -> ReadTime {
    let now = execution.now_seconds();
    ReadTime {
        now,
        gc_before: now.saturating_sub(handle.layout.gc_grace_seconds.into()),
        by_insertion_only: handle.strict_liveness,
    }
}

/// The partitions that are read.
fn open_source(
    execution: &Execution<'_>,
    trace: &mut ReadTrace<'_>,
    plan: &ReadPlan,
    select: &BoundSelect,
    computed: Option<Arc<Memtable>>,
    limits: &DataLimits,
) -> Result<PartitionSource> {
    let (handle, restrictions) = (trace.handle, &select.restrictions);
    let slices: Arc<[Slice]> =
        slices::build_slices(execution, handle, &plan.rows, restrictions)?.into();
    let partitions = if slices.is_empty() {
        PartitionSelection::Named(Vec::new())
    } else {
        keys::select_partitions(execution, handle, plan, restrictions)?
    };
    let candidates = match plan.index.as_ref().filter(|_| partitions.can_search_index()) {
        Some(index) => {
            index::search(execution, handle, index, restrictions, partitions.ring_range())?
        }
        None => None,
    };
    let index = candidates.as_ref().map(|candidates| candidates.index_name().to_owned());
    trace.begin(execution, (plan, select), (partitions.range(), index.as_deref()));
    if let Some(recorder) = execution.parameters.recorder {
        recorder.begin_read(partitions.to_record(), slices.len(), index);
    }
    let table = computed.unwrap_or_else(|| Arc::clone(&handle.rows));
    let rows = RowRange {
        slices,
        reversed: plan.order.is_reversed(),
        first_rows: limits.first_rows(plan.filtering.checks.is_empty()),
    };
    Ok(PartitionSource::open(table, partitions, candidates, rows, limits.state.as_ref()))
}

/// Warns of aggregates over more than one partition.
pub(crate) fn warn_of_aggregation(execution: &Execution<'_>, select: &BoundSelect) {
    if select.aggregation.is_none() {
        return;
    }
    if select.restrictions.partition.is_empty() {
        execution.warn("Aggregation query used without partition key");
    } else if select.restrictions.is_key_in_relation() {
        execution.warn("Aggregation query used on multiple partition keys (IN restriction)");
    }
}
