//! The errors of a SELECT at execution.

use super::values::{KeyPresence, check_clustering, is_empty_range, resolve_partitions};
use super::{BoundSelect, row_filter};
use crate::bind::restrictions::is_null;
use crate::bind::term::BoundTerm;
use crate::refusal::{NearestReason, SelectionReason, ValueReason, refuse};
use crate::{Refusal, Result};

/// The maximum LIMIT of an ordering by ANN.
const MAX_NEAREST: i32 = 1000;

/// Checks the execution of a SELECT with its literal values. `page_size` is the number of rows in a
/// page, `None` if paging is off. What depends on markers or on the results of functions is assumed
/// to be valid.
pub(crate) fn check_execution(select: &BoundSelect, page_size: Option<u32>) -> Result<()> {
    check_limit(select, select.limit.as_ref())?;
    check_limit(select, select.per_partition_limit.as_ref())?;
    select.selection.check_execution(select.span)?;
    super::group::check_function(select)?;
    if select.restrictions.is_nearest() {
        check_nearest(select)?;
    }
    row_filter::check(&select.restrictions)?;
    let named =
        if select.restrictions.is_key_range { check_range(select)? } else { check_slices(select)? };
    let reads = named == KeyPresence::Something || select.aggregation.is_some();
    if reads
        && page_size.is_some()
        && !select.restrictions.is_nearest()
        && select.has_post_query_ordering()
    {
        let span = select.orderings.first().map_or(select.span, |ordering| ordering.span);
        return refuse(SelectionReason::PagedOrder, span);
    }
    Ok(())
}

fn check_limit(select: &BoundSelect, limit: Option<&BoundTerm>) -> Result<()> {
    let Some(limit) = limit else { return Ok(()) };
    if is_null(limit) {
        return refuse(SelectionReason::NullLimit, select.span);
    }
    if matches!(limit, BoundTerm::Value(Some(bytes)) if bytes.is_empty()) {
        let failure = Refusal::new(SelectionReason::EmptyLimit, select.span);
        return Err(failure.into());
    }
    match limit_value(limit) {
        Some(rows) if rows <= 0 => refuse(SelectionReason::NonPositiveLimit, select.span),
        _ => Ok(()),
    }
}

/// The value of a LIMIT, if it is a constant.
pub fn limit_value(limit: &BoundTerm) -> Option<i32> {
    match limit {
        BoundTerm::Value(Some(bytes)) => Some(i32::from_be_bytes(bytes.as_ref().try_into().ok()?)),
        _ => None,
    }
}

fn check_nearest(select: &BoundSelect) -> Result<()> {
    let reason = if select.aggregation.is_some() {
        NearestReason::Aggregation
    } else if select.per_partition_limit.is_some() {
        NearestReason::PartitionLimit
    } else if select.limit.is_none() {
        NearestReason::NoLimit
    } else {
        return Ok(());
    };
    refuse(reason, select.span)
}

/// The limit of an ordering by ANN is checked by the index, after everything else.
fn check_nearest_limit(select: &BoundSelect) -> Result<()> {
    let limit = select.limit.as_ref().and_then(limit_value);
    match limit.filter(|rows| select.restrictions.is_nearest() && *rows > MAX_NEAREST) {
        None => Ok(()),
        Some(rows) => refuse(
            NearestReason::LimitTooLarge { most: MAX_NEAREST.to_string(), rows: rows.to_string() },
            select.span,
        ),
    }
}

/// Checks a read of a range of partitions.
fn check_range(select: &BoundSelect) -> Result<KeyPresence> {
    // Static columns are read even if no row is named.
    if check_rows(select)? == KeyPresence::Nothing && !select.has_static_columns() {
        return Ok(KeyPresence::Nothing);
    }
    let partition = &select.restrictions.partition;
    if let Some(token) = partition.token.as_ref().filter(|_| partition.is_on_token(&select.table)) {
        token.check_calls()?;
        if token.has_null() {
            return refuse(ValueReason::NullToken, token.span);
        }
    }
    check_nearest_limit(select)?;
    Ok(KeyPresence::Something)
}

/// Checks a read of named partitions.
fn check_slices(select: &BoundSelect) -> Result<KeyPresence> {
    let partitions = resolve_partitions(&select.restrictions.partition, &select.table)?;
    if partitions.named == KeyPresence::Nothing {
        return Ok(KeyPresence::Nothing);
    }
    // If rows are named individually, static columns are read even if there are no rows.
    let needs_rows = select.restrictions.is_column_range() || !select.has_static_columns();
    if check_rows(select)? == KeyPresence::Nothing && needs_rows {
        return Ok(KeyPresence::Nothing);
    }
    if !select.is_distinct && is_empty_range(&select.restrictions.clustering, &select.table) {
        return Ok(KeyPresence::Nothing);
    }
    partitions.check_keys()?;
    check_nearest_limit(select)?;
    Ok(KeyPresence::Something)
}

/// Whether any rows are named.
fn check_rows(select: &BoundSelect) -> Result<KeyPresence> {
    if select.is_distinct {
        return Ok(KeyPresence::Something);
    }
    check_clustering(&select.restrictions.clustering, &select.table)
}
