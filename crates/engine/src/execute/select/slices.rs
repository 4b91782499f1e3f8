//! Which rows of a partition a SELECT reads: slices, from the restrictions of clustering columns.

use std::borrow::Cow;

use schema::access::ClusteringSlice;
use schema::bind::restrictions::{Restriction, Restrictions, Slice as Range, SliceBound};
use storage::{Layout, Position, Slice, position};

use crate::error::Result;
use crate::execute::Execution;
use crate::node::handle::TableHandle;
use crate::rows::value::{self, Nullable, product};

type Prefix<'t> = Vec<Nullable<'t>>;

/// The slices of a plan with these values, in the order of the table, apart from one another. What they do not decide is
/// left to the row filter.
pub(crate) fn slices(
    execution: &Execution<'_>,
    handle: &TableHandle,
    plan: &ClusteringSlice,
    restrictions: &Restrictions,
) -> Result<Vec<Slice>> {
    let layout = &*handle.layout;
    let mut prefixes: Vec<Prefix<'_>> = vec![Vec::new()];
    for restriction in restrictions.select(&plan.prefix) {
        prefixes = product(prefixes, &value::choices(&execution.env(), restriction)?);
    }
    let bounds = plan.bounds.and_then(|id| restrictions.get(id));
    if let Some((restriction, range)) = bounds.and_then(|one| Some((one, one.range()?))) {
        let range = Bounds::read(execution, restriction, range)?;
        let found = prefixes.iter().flat_map(|prefix| range.slices(layout, prefix));
        return Ok(sorted(found.collect()));
    }
    let whole = |prefix: &Prefix<'_>| Slice {
        start: position::before(layout, borrowed(prefix)),
        end: position::after(layout, borrowed(prefix)),
    };
    Ok(sorted(prefixes.iter().map(whole).collect()))
}

/// Slices in order, each once.
fn sorted(mut slices: Vec<Slice>) -> Vec<Slice> {
    if slices.len() > 1 {
        slices.sort_by(|a, b| a.start.cmp(&b.start));
        slices.dedup();
    }
    slices.retain(|slice| !slice.is_empty());
    slices
}

fn borrowed<'a>(values: &'a [Option<Cow<'_, [u8]>>]) -> impl Iterator<Item = Option<&'a [u8]>> {
    values.iter().map(Option::as_deref)
}

/// The ends of a range of one or several columns.
struct Bounds<'t> {
    /// The values of the lower end, and whether they belong to the range. Null lies before all values.
    start: Option<(Vec<Nullable<'t>>, bool)>,
    end: Option<(Vec<Nullable<'t>>, bool)>,
}

impl<'t> Bounds<'t> {
    fn read(
        execution: &Execution<'_>,
        restriction: &Restriction,
        range: &'t Range,
    ) -> Result<Self> {
        let read = |bound: &'t Option<SliceBound>| -> Result<_> {
            let Some(bound) = bound else { return Ok(None) };
            let mut values = value::operand(&execution.env(), &bound.value)?;
            values.truncate(restriction.columns.len());
            Ok(Some((values, bound.inclusive)))
        };
        Ok(Self { start: read(&range.start)?, end: read(&range.end)? })
    }

    /// The slices of rows that start with a prefix and go on inside of the range.
    fn slices(&self, layout: &Layout, prefix: &Prefix<'t>) -> Vec<Slice> {
        let all = || {
            vec![Slice {
                start: position::before(layout, borrowed(prefix)),
                end: position::after(layout, borrowed(prefix)),
            }]
        };
        let above = self.start.as_ref().map(|bound| half(layout, prefix, bound, true));
        let below = self.end.as_ref().map(|bound| half(layout, prefix, bound, false));
        match (above, below) {
            (Some(above), Some(below)) => intersection(&above, &below),
            (Some(only), None) | (None, Some(only)) => only,
            (None, None) => all(),
        }
    }
}

/// The rows above or below a tuple of values. Where columns are kept in different directions these are several slices:
/// those equal to the first values and above the next one, for each of the values.
fn half<'t>(
    layout: &Layout,
    prefix: &Prefix<'t>,
    (values, inclusive): &(Vec<Nullable<'t>>, bool),
    above: bool,
) -> Vec<Slice> {
    let mut found = Vec::with_capacity(values.len() + 1);
    for equal in 0..values.len() {
        let at = prefix.len() + equal;
        let descending = layout.clustering.get(at).is_some_and(|(_, descending)| *descending);
        let up_to_here = || borrowed(prefix).chain(borrowed(values).take(equal));
        let with_this = || borrowed(prefix).chain(borrowed(values).take(equal + 1));
        // In stored order, larger values of a descending column come first.
        let slice = if above == descending {
            Slice {
                start: position::before(layout, up_to_here()),
                end: position::before(layout, with_this()),
            }
        } else {
            Slice {
                start: position::after(layout, with_this()),
                end: position::after(layout, up_to_here()),
            }
        };
        found.push(slice);
    }
    if *inclusive {
        let all = || borrowed(prefix).chain(borrowed(values));
        found.push(Slice {
            start: position::before(layout, all()),
            end: position::after(layout, all()),
        });
    }
    joined(sorted(found))
}

/// Slices that touch become one.
fn joined(slices: Vec<Slice>) -> Vec<Slice> {
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

fn intersection(a: &[Slice], b: &[Slice]) -> Vec<Slice> {
    let mut found = Vec::new();
    for one in a {
        for other in b {
            let slice = Slice {
                start: one.start.clone().max(other.start.clone()),
                end: one.end.clone().min(other.end.clone()),
            };
            if !slice.is_empty() {
                found.push(slice);
            }
        }
    }
    found
}
