//! SELECT.
//!
//! The plan says which partitions (`keys`) and which rows of them (`slices`) are read (`source`, `scan`); every row is
//! joined with its static row (`joined`), checked (`filter`), counted (`limits`), and goes into the answer (`output`), by
//! itself or with others (`group`). A page ends with a state (`paging`) from which the next one goes on.

mod command;
pub(crate) mod failure;
mod group;
mod keys;
mod limits;
mod output;
mod paging;
mod scan;
pub(crate) mod slices;
mod source;
#[cfg(test)]
mod tests;
mod tombstones;

use std::sync::Arc;

use schema::access::ReadPlan;
use schema::bind::select::BoundSelect;
use storage::{PartitionKey, Slice, Table};

use crate::answer::{ResultColumn, Rows};
use crate::error::Result;
use crate::execute::index;
use crate::execute::{Activity, Execution};
use crate::function::expression::Evaluator;
use crate::node::handle::TableHandle;
use crate::rows::filter::Filter;
use crate::rows::live::Moment;
use group::Groups;
use keys::Partitions;
use limits::Limits;
use output::Output;
use scan::Scan;
use source::Source;
use tombstones::Meter;

/// What a session hands to a SELECT besides the statement.
pub(crate) struct TableAccess {
    /// Whether the reader sees values as they are, without the masks of their columns.
    pub(crate) unmasked: bool,
    /// The rows of the table, if they are computed.
    pub(crate) computed: Option<Arc<Table>>,
}

/// Answers a SELECT without markers, whose values have been checked.
pub(crate) fn select(
    execution: &Execution<'_>,
    plan: &ReadPlan,
    select: &BoundSelect,
    access: TableAccess,
) -> Result<Rows> {
    let handle = execution.handle(&select.table)?;
    let limits = Limits::new(execution, &handle, plan, select)?;
    warn(execution, select);
    let restrictions = &select.restrictions;
    let filter = Filter::of_plan(&execution.env(), &handle, &plan.filtering, restrictions)?;
    let scan = Scan {
        handle: &handle,
        moment: moment(execution, &handle),
        recorder: execution.parameters.recorder,
        gives_lone_statics: plan.gives_lone_statics,
        filter,
        wanted: limits.wanted,
        per_partition: limits.per_partition,
    };
    let mut source = open(execution, &handle, plan, select, access.computed, &limits)?;
    let evaluator =
        Evaluator { table: &select.table, env: execution.env(), unmasked: access.unmasked };
    let nearest = index::nearest(execution, &handle, plan, select)?;
    let rows = Rows::new(ResultColumn::all_of(select));
    let mut output = Output::new(plan.order, select, evaluator, nearest, rows);
    let taken = limits.state.as_ref().map_or(0, |state| state.taken);
    let command = |key: Option<&PartitionKey>| command::text(&handle, (plan, select), &limits, key);
    let keyspace = &handle.definition.keyspace;
    let mut meter = Meter::new(execution, keyspace, source.is_named(), &command);
    let progress = match &select.aggregation {
        None => scan.run(&mut source, taken, &mut meter, &mut output)?,
        Some(aggregation) => {
            let mut groups =
                Groups::new(select, aggregation, output, execution.parameters.consistency);
            let progress = scan.run(&mut source, taken, &mut meter, &mut groups)?;
            output = groups.finish()?;
            progress
        }
    };
    let mut rows = output.finish(limits.limit);
    execution.trace(|| Activity::MergeMemtables);
    execution.trace(|| Activity::Read { rows: rows.count });
    if limits.is_paged {
        let next = scan.next_page(progress, &source, limits.left);
        rows.paging_state = next.map(|state| state.encode());
    }
    Ok(rows)
}

/// When rows of a table are read, and what counts as dead then.
pub(crate) fn moment(execution: &Execution<'_>, handle: &TableHandle) -> Moment {
    let now = execution.now_seconds();
    Moment {
        now,
        gc_before: now.saturating_sub(handle.layout.gc_grace_seconds.into()),
        by_insertion_only: handle.strict_liveness,
    }
}

/// The partitions that are read.
fn open(
    execution: &Execution<'_>,
    handle: &TableHandle,
    plan: &ReadPlan,
    select: &BoundSelect,
    computed: Option<Arc<Table>>,
    limits: &Limits,
) -> Result<Source> {
    let restrictions = &select.restrictions;
    let slices: Arc<[Slice]> = slices::slices(execution, handle, &plan.rows, restrictions)?.into();
    let partitions = if slices.is_empty() {
        Partitions::Named(Vec::new())
    } else {
        keys::partitions(execution, handle, plan, restrictions)?
    };
    let found = match plan.index.as_ref().filter(|_| partitions.are_searched()) {
        Some(index) => index::search(handle, index, restrictions, partitions.range()),
        None => None,
    };
    if let Some(recorder) = execution.parameters.recorder {
        let index = found.as_ref().map(|found| found.index_name().to_owned());
        recorder.begin_read(partitions.record(), slices.len(), index);
    }
    let table = computed.unwrap_or_else(|| Arc::clone(&handle.rows));
    let rows = (slices, plan.order.is_reversed());
    Ok(Source::open(table, partitions, found, rows, limits.state.as_ref()))
}

/// Warns of aggregates over more than one partition.
pub(crate) fn warn(execution: &Execution<'_>, select: &BoundSelect) {
    if select.aggregation.is_none() {
        return;
    }
    if select.restrictions.partition.is_empty() {
        execution.warn("Aggregation query used without partition key");
    } else if select.restrictions.key_is_in() {
        execution.warn("Aggregation query used on multiple partition keys (IN restriction)");
    }
}
