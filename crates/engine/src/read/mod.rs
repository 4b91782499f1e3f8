//! SELECT.
//!
//! Restrictions say which partitions (`keys`) and which rows of them (`slices`) are read (`source`, `scan`); every row is
//! joined with its static row (`joined`), checked (`filter`), counted (`limits`), and goes into the answer (`output`), by
//! itself or with others (`group`). A page ends with a state (`paging`) from which the next one goes on.

mod command;
pub(crate) mod failure;
pub(crate) mod filter;
mod group;
pub(crate) mod joined;
mod keys;
mod limits;
pub(crate) mod live;
mod output;
mod paging;
mod scan;
pub(crate) mod slices;
mod source;
mod term;
#[cfg(test)]
mod tests;
mod tombstones;

use std::sync::Arc;

use schema::bind::select::BoundSelect;
use storage::{PartitionKey, Slice, Table};

use crate::answer::Rows;
use crate::error::Result;
use crate::execution::Execution;
use crate::function::expression::Evaluator;
use crate::handle::TableHandle;
use crate::{auth, index, prepared, system};
use filter::Filter;
use group::Groups;
use keys::Partitions;
use limits::Limits;
use live::Moment;
use output::Output;
use scan::Scan;
use source::Source;
use tombstones::Meter;

/// Answers a SELECT without markers, whose values have been checked.
pub(crate) fn select(execution: &Execution<'_>, select: &BoundSelect) -> Result<Rows> {
    let handle = execution.handle(&select.table)?;
    let limits = Limits::new(execution, &handle, select)?;
    warn(execution, select);
    let filter = Filter::of_select(execution, &handle, &select.restrictions)?;
    let scan = Scan {
        handle: &handle,
        moment: moment(execution, &handle),
        gives_lone_statics: select.restrictions.returns_static_content() && !filter.checks_rows(),
        filter,
        wanted: limits.wanted,
        per_partition: limits.per_partition,
    };
    let mut source = open(execution, &handle, select, &limits)?;
    let evaluator = Evaluator {
        table: &select.table,
        env: execution.env(),
        unmasked: auth::may_unmask(execution, &select.table),
    };
    let nearest = index::nearest(execution, &handle, select)?;
    let rows = Rows::new(prepared::select_columns(select));
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
    limits: &Limits,
) -> Result<Source> {
    let slices = wanted_slices(execution, handle, select)?;
    let partitions = if slices.is_empty() {
        Partitions::Named(Vec::new())
    } else {
        keys::partitions(execution, handle, &select.restrictions)?
    };
    let found = if select.restrictions.uses_index && !handle.is_computed {
        index::search(execution, handle, select)?
    } else {
        None
    };
    let table = stored(execution, handle);
    let rows = (slices, select.is_reversed);
    Ok(Source::open(table, partitions, found, rows, limits.state.as_ref()))
}

/// The rows of a table, stored or computed.
fn stored(execution: &Execution<'_>, handle: &TableHandle) -> Arc<Table> {
    if handle.is_computed { system::rows(execution, handle) } else { Arc::clone(&handle.rows) }
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
