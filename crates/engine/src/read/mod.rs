//! SELECT.
//!
//! Restrictions say which partitions (`keys`) and which rows of them (`slices`) are read (`source`, `scan`); every row is
//! joined with its static row (`joined`), checked (`filter`), counted, and goes into the answer (`output`), by itself or
//! with others (`group`). A page ends with a state (`paging`) from which the next one goes on.

mod filter;
mod joined;
mod keys;
pub(crate) mod live;
mod output;
mod paging;
mod scan;
pub(crate) mod slices;
mod source;
mod term;

use std::sync::Arc;

use model::bind::select::{BoundSelect, limit_value};
use storage::{Slice, Table};

use crate::answer::Rows;
use crate::error::Result;
use crate::execution::Execution;
use crate::handle::TableHandle;
use crate::{prepared, system};
use filter::Filter;
use keys::Partitions;
use output::Output;
use paging::PagingState;
use scan::Scan;
use source::Source;

/// Answers a SELECT without markers, whose values have been checked.
pub(crate) fn select(execution: &Execution<'_>, select: &BoundSelect) -> Result<Rows> {
    let handle = execution.handle(&select.table)?;
    let columns = prepared::select_columns(select);
    let limit = limit(select.limit.as_ref());
    let page = execution.parameters.page_rows();
    let is_paged = page.is_some_and(|page| limit.is_none_or(|limit| limit > page));
    let state = match execution.parameters.paging_state.filter(|_| is_paged) {
        Some(bytes) => Some(PagingState::decode(bytes)?),
        None => None,
    };
    let slices = wanted_slices(execution, &handle, select)?;
    let left = state.as_ref().map_or(limit, |state| state.left);
    let filter = Filter::of_select(execution, &select.restrictions)?;
    let scan = Scan {
        handle: &handle,
        now_seconds: execution.now_seconds(),
        by_insertion_only: lives_by_insertion(execution, &handle),
        gives_lone_statics: select.restrictions.returns_static_content() && !filter.checks_rows(),
        filter,
        wanted: left.unwrap_or(u32::MAX).min(page.filter(|_| is_paged).unwrap_or(u32::MAX)),
        per_partition: if select.is_distinct {
            1
        } else {
            self::limit(select.per_partition_limit.as_ref()).unwrap_or(u32::MAX)
        },
    };
    let partitions = if slices.is_empty() {
        Partitions::Named(Vec::new())
    } else {
        keys::partitions(execution, &handle, &select.restrictions)?
    };
    let table = stored(execution, &handle);
    let reversed = select.is_reversed;
    let mut source = Source::open(table, partitions, slices, reversed, state.as_ref());
    let mut output = Output::new(select, Rows::new(columns));
    let taken = state.as_ref().map_or(0, |state| state.taken);
    let progress = scan.run(&mut source, taken, &mut output)?;
    let mut rows = output.rows;
    if is_paged {
        let next = scan.next_page(progress, &source, left);
        rows.paging_state = next.map(|state| state.encode());
    }
    Ok(rows)
}

/// The rows of a table, stored or computed.
fn stored(execution: &Execution<'_>, handle: &TableHandle) -> Arc<Table> {
    if handle.is_computed { system::rows(execution, handle) } else { Arc::clone(&handle.rows) }
}

/// Whether rows live by their insertion alone: in a view whose key has a column that is none in the key of its base, so
/// that a row goes when that column changes.
pub(crate) fn lives_by_insertion(execution: &Execution<'_>, handle: &TableHandle) -> bool {
    let Some(view) = &handle.view else { return false };
    let base = execution.schema.table(&view.table.keyspace, &view.base_table);
    let is_base_key = |name: &str| {
        let column = base.and_then(|base| base.definition.column(name));
        column.is_some_and(model::catalog::Column::is_primary_key)
    };
    !view.table.primary_key().iter().all(|column| is_base_key(&column.name))
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

/// The number of a limit that was checked to be above nought.
fn limit(term: Option<&model::bind::term::BoundTerm>) -> Option<u32> {
    term.and_then(limit_value).and_then(|rows| u32::try_from(rows).ok())
}
