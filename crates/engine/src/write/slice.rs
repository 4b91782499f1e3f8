//! Ranges of rows: from restrictions of clustering columns to places among the rows.

use std::borrow::Cow;

use model::bind::restrictions::{
    Restriction, RestrictionKind, RestrictionSet, Slice as ValueRange, SliceBound,
};
use storage::{Slice, position};

use super::target::{Prefix, operand, products};
use crate::error::Result;
use crate::execution::Execution;
use crate::handle::TableHandle;

/// The ranges of rows that restrictions name, apart from one another and in the order of the table.
pub(super) fn of_restrictions(
    execution: &Execution<'_>,
    handle: &TableHandle,
    set: &RestrictionSet,
) -> Result<Vec<Slice>> {
    let mut prefixes = products(execution, handle, set)?;
    prefixes.sort_unstable();
    prefixes.dedup();
    let last = set.restrictions.last().and_then(|restriction| match &restriction.kind {
        RestrictionKind::Slice(range) => Some((restriction, range)),
        _ => None,
    });
    let mut slices = Vec::with_capacity(prefixes.len());
    for prefix in &prefixes {
        match last {
            None => slices.push(around(handle, prefix)),
            Some((restriction, range)) => {
                slices.extend(within(execution, handle, prefix, restriction, range)?);
            }
        }
    }
    slices.sort_by(|a, b| a.start.cmp(&b.start));
    Ok(slices)
}

/// All rows that start with these values.
fn around(handle: &TableHandle, prefix: &[Cow<'_, [u8]>]) -> Slice {
    let values = || prefix.iter().map(|value| Some(&**value));
    let layout = &handle.layout;
    Slice { start: position::before(layout, values()), end: position::after(layout, values()) }
}

/// The rows behind a prefix that lie between the ends of a range.
fn within(
    execution: &Execution<'_>,
    handle: &TableHandle,
    prefix: &[Cow<'_, [u8]>],
    restriction: &Restriction,
    range: &ValueRange,
) -> Result<Vec<Slice>> {
    let mut slices = vec![around(handle, prefix)];
    for (bound, is_start) in [(&range.start, true), (&range.end, false)] {
        let Some(bound) = bound else { continue };
        let values = operand(execution, handle, restriction, &bound.value)?;
        slices = meet(&slices, &beyond(handle, prefix, &values, bound, is_start));
    }
    Ok(slices)
}

/// The rows above a lower end (or below an upper one) of several columns: those that share all its values but the last
/// and lie beyond that, those that share all but the last two, and so on. Columns of different directions put these
/// apart.
fn beyond(
    handle: &TableHandle,
    prefix: &[Cow<'_, [u8]>],
    end: &Prefix<'_>,
    bound: &SliceBound,
    is_start: bool,
) -> Vec<Slice> {
    let layout = &handle.layout;
    let mut slices: Vec<Slice> = Vec::with_capacity(end.len());
    for shared in (0..end.len()).rev() {
        let values =
            |count: usize| prefix.iter().chain(end.iter().take(count)).map(|value| Some(&**value));
        let is_last = shared + 1 == end.len();
        let with_value = is_last && bound.inclusive;
        let descending =
            layout.clustering.get(prefix.len() + shared).is_some_and(|(_, descending)| *descending);
        let forward = is_start != descending;
        let value_end = if forward == with_value {
            position::before(layout, values(shared + 1))
        } else {
            position::after(layout, values(shared + 1))
        };
        slices.push(if forward {
            Slice { start: value_end, end: position::after(layout, values(shared)) }
        } else {
            Slice { start: position::before(layout, values(shared)), end: value_end }
        });
    }
    slices.sort_by(|a, b| a.start.cmp(&b.start));
    join(slices)
}

/// Joins slices that touch.
fn join(slices: Vec<Slice>) -> Vec<Slice> {
    let mut joined: Vec<Slice> = Vec::with_capacity(slices.len());
    for slice in slices {
        match joined.last_mut() {
            Some(last) if last.end == slice.start => last.end = slice.end,
            _ => joined.push(slice),
        }
    }
    joined
}

/// What lies in slices of both lists.
fn meet(some: &[Slice], others: &[Slice]) -> Vec<Slice> {
    let mut met = Vec::new();
    for one in some {
        for other in others {
            let slice = Slice {
                start: (&one.start).max(&other.start).clone(),
                end: (&one.end).min(&other.end).clone(),
            };
            if !slice.is_empty() {
                met.push(slice);
            }
        }
    }
    met
}
