//! The slices of a partition that a SELECT reads, from the restrictions of clustering columns.

use std::borrow::Cow;

use schema::access::ClusteringSlice;
use schema::bind::restrictions::{Restriction, Restrictions, Slice as Range, SliceBound};
use storage::{Layout, Position, Slice, position};

use crate::error::Result;
use crate::execute::Execution;
use crate::node::handle::TableHandle;
use crate::rows::value::{self, NullableValue, cartesian_product};

type ClusteringPrefix<'t> = Vec<NullableValue<'t>>;

/// The slices of a plan with values, disjoint and in table order. What they do not cover is left to
/// the row filter.
pub(crate) fn build_slices(
    execution: &Execution<'_>,
    handle: &TableHandle,
    plan: &ClusteringSlice,
    restrictions: &Restrictions,
) -> Result<Vec<Slice>> {
    let layout = &*handle.layout;
    let mut prefixes: Vec<ClusteringPrefix<'_>> = vec![Vec::new()];
    for restriction in restrictions.select(&plan.prefix) {
        let choices = value::evaluate_choices(&execution.env(), restriction)?;
        prefixes =
            cartesian_product(prefixes, &choices, &|bytes| execution.check_result_size(bytes))?;
    }
    let bounds = plan.bounds.and_then(|id| restrictions.get(id));
    if let Some((restriction, range)) =
        bounds.and_then(|restriction| Some((restriction, restriction.range()?)))
    {
        let range = ClusteringBounds::evaluate(execution, restriction, range)?;
        let slices = prefixes.iter().flat_map(|prefix| range.slices(layout, prefix));
        return Ok(sort_slices(slices.collect()));
    }
    let whole = |prefix: &ClusteringPrefix<'_>| Slice {
        start: position::prefix_start(layout, as_values(prefix)),
        end: position::prefix_end(layout, as_values(prefix)),
    };
    Ok(sort_slices(prefixes.iter().map(whole).collect()))
}

/// Sorts slices and drops duplicates.
fn sort_slices(mut slices: Vec<Slice>) -> Vec<Slice> {
    if slices.len() > 1 {
        slices.sort_by(|a, b| a.start.cmp(&b.start));
        slices.dedup();
    }
    slices.retain(|slice| !slice.is_empty());
    slices
}

fn as_values<'a>(values: &'a [Option<Cow<'_, [u8]>>]) -> impl Iterator<Item = Option<&'a [u8]>> {
    values.iter().map(Option::as_deref)
}

/// The bounds of a range on one or several columns.
struct ClusteringBounds<'t> {
    /// The values of the lower bound, and whether it is inclusive. Null is less than all values.
    start: Option<(Vec<NullableValue<'t>>, bool)>,
    end: Option<(Vec<NullableValue<'t>>, bool)>,
}

impl<'t> ClusteringBounds<'t> {
    fn evaluate(
        execution: &Execution<'_>,
        restriction: &Restriction,
        range: &'t Range,
    ) -> Result<Self> {
        let read = |bound: &'t Option<SliceBound>| -> Result<_> {
            let Some(bound) = bound else { return Ok(None) };
            let mut values = value::evaluate_operand(&execution.env(), &bound.value)?;
            values.truncate(restriction.columns.len());
            Ok(Some((values, bound.inclusive)))
        };
        Ok(Self { start: read(&range.start)?, end: read(&range.end)? })
    }

    /// The slices of rows that start with a prefix and lie within the range.
    fn slices(&self, layout: &Layout, prefix: &ClusteringPrefix<'t>) -> Vec<Slice> {
        let all = || {
            vec![Slice {
                start: position::prefix_start(layout, as_values(prefix)),
                end: position::prefix_end(layout, as_values(prefix)),
            }]
        };
        let above = self.start.as_ref().map(|bound| one_sided_slices(layout, prefix, bound, true));
        let below = self.end.as_ref().map(|bound| one_sided_slices(layout, prefix, bound, false));
        match (above, below) {
            (Some(above), Some(below)) => intersect(&above, &below),
            (Some(only), None) | (None, Some(only)) => only,
            (None, None) => all(),
        }
    }
}

/// The rows above or below a tuple of values. If columns have different directions, these are
/// several slices: for each position in the tuple, those that equal the values before it and are
/// above (or below) the value there.
fn one_sided_slices<'t>(
    layout: &Layout,
    prefix: &ClusteringPrefix<'t>,
    (values, inclusive): &(Vec<NullableValue<'t>>, bool),
    above: bool,
) -> Vec<Slice> {
    let mut slices = Vec::with_capacity(values.len() + 1);
    for equal in 0..values.len() {
        let at = prefix.len() + equal;
        let descending = layout.clustering.get(at).is_some_and(|(_, descending)| *descending);
        let up_to_here = || as_values(prefix).chain(as_values(values).take(equal));
        let with_this = || as_values(prefix).chain(as_values(values).take(equal + 1));
        // In stored order, greater values of a descending column come first.
        let slice = if above == descending {
            Slice {
                start: position::prefix_start(layout, up_to_here()),
                end: position::prefix_start(layout, with_this()),
            }
        } else {
            Slice {
                start: position::prefix_end(layout, with_this()),
                end: position::prefix_end(layout, up_to_here()),
            }
        };
        slices.push(slice);
    }
    if *inclusive {
        let all = || as_values(prefix).chain(as_values(values));
        slices.push(Slice {
            start: position::prefix_start(layout, all()),
            end: position::prefix_end(layout, all()),
        });
    }
    merge_adjacent(sort_slices(slices))
}

/// Merges adjacent slices.
fn merge_adjacent(slices: Vec<Slice>) -> Vec<Slice> {
    let mut joined: Vec<Slice> = Vec::with_capacity(slices.len());
    for slice in slices {
        match joined.last_mut() {
            Some(last) if last.end >= slice.start => {
                let end: Position = last.end.clone().max(slice.end);
                last.end = end;
            }
            _ => joined.push(slice),
        }
    }
    joined
}

fn intersect(a: &[Slice], b: &[Slice]) -> Vec<Slice> {
    let mut overlaps = Vec::new();
    for left in a {
        for other in b {
            let slice = Slice {
                start: left.start.clone().max(other.start.clone()),
                end: left.end.clone().min(other.end.clone()),
            };
            if !slice.is_empty() {
                overlaps.push(slice);
            }
        }
    }
    overlaps
}
