//! SELECT.
//!
//! Restrictions say which partitions (`keys`) and which rows of them (`slices`) are read (`source`, `scan`); every row is
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

use schema::bind::select::BoundSelect;
use storage::{PartitionKey, Slice, Table};

use crate::answer::{ResultColumn, Rows};
use crate::error::Result;
use crate::execute::Execution;
use crate::execute::index;
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
    select: &BoundSelect,
    access: TableAccess,
) -> Result<Rows> {
    let handle = execution.handle(&select.table)?;
    let limits = Limits::new(execution, &handle, select)?;
    warn(execution, select);
    let filter = Filter::of_select(&execution.env(), &handle, &select.restrictions)?;
    let scan = Scan {
        handle: &handle,
        moment: moment(execution, &handle),
        gives_lone_statics: select.restrictions.returns_static_content() && !filter.checks_rows(),
        filter,
        wanted: limits.wanted,
        per_partition: limits.per_partition,
    };
    let mut source = open(execution, &handle, select, access.computed, &limits)?;
    let evaluator =
        Evaluator { table: &select.table, env: execution.env(), unmasked: access.unmasked };
    let nearest = index::nearest(execution, &handle, select)?;
    let rows = Rows::new(ResultColumn::all_of(select));
    let mut output = Output::new(select, evaluator, nearest, rows);
    let taken = limits.state.as_ref().map_or(0, |state| state.taken);
    let command = |key: Option<&PartitionKey>| command::text(&handle, select, &limits, key);
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
    execution.trace(|| "Merging memtable contents".to_owned());
    execution.trace(|| format!("Read {} live rows and 0 tombstone cells", rows.count));
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
    select: &BoundSelect,
    computed: Option<Arc<Table>>,
    limits: &Limits,
) -> Result<Source> {
    let slices = wanted_slices(execution, handle, select)?;
    let partitions = if slices.is_empty() {
        Partitions::Named(Vec::new())
    } else {
        keys::partitions(execution, handle, &select.restrictions)?
    };
    let found = if select.restrictions.uses_index && !handle.is_computed {
        index::search(handle, select)?
    } else {
        None
    };
    let table = computed.unwrap_or_else(|| Arc::clone(&handle.rows));
    let rows = (slices, select.is_reversed);
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

/// The slices of a partition that are read. DISTINCT looks for any row.
fn wanted_slices(
    execution: &Execution<'_>,
    handle: &TableHandle,
    select: &BoundSelect,
) -> Result<Arc<[Slice]>> {
    if select.is_distinct {
        return Ok([Slice::all()].into());
    }
    Ok(slices::slices(execution, handle, &select.restrictions.clustering)?.into())
}
