//! How often statements are repeated.

use model::concept::{Entity, Origin, Reference};
use model::id::{AttributeId, IdList, SourceId};

use super::join_graph::JoinGraph;

/// How often something happens: on average, and at most.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Count {
    pub(super) mean: f64,
    pub(super) most: f64,
}

/// Elements of a list parameter whose length is not declared.
pub(super) const LIST_ELEMENTS: Count = Count { mean: 10.0, most: 500.0 };
/// The assumed ratio of maximum to average where the average is known.
const SPREAD: f64 = 4.0;
/// The assumed ratio of maximum to average where the average itself is assumed.
const WIDE_SPREAD: f64 = 10.0;

impl Count {
    pub(super) const ONE: Self = Self { mean: 1.0, most: 1.0 };

    pub(super) fn new(number: usize) -> Self {
        let number = u32::try_from(number).map_or(f64::MAX, f64::from);
        Self { mean: number, most: number }
    }

    pub(super) fn times(self, other: Self) -> Self {
        Self { mean: self.mean * other.mean, most: self.most * other.most }
    }
}

/// Elements of an array.
pub(super) fn items(entity: &Entity, attribute: AttributeId) -> Count {
    let Some(attribute) = entity.attributes.member(attribute) else { return Count::ONE };
    let mean = attribute.items.value;
    let assumed = attribute.items.origin == Origin::Assumed;
    Count { mean, most: mean * if assumed { WIDE_SPREAD } else { SPREAD } }
}

/// Rows joined to one row of `source`.
pub(super) fn count_joined_rows(shape: JoinGraph<'_>, source: SourceId, years: f64) -> Count {
    let many = shape.routes(source).into_iter().flatten().filter(|hop| !hop.to_one);
    many.fold(Count::ONE, |count, hop| {
        let retain = shape.entity(hop.to).and_then(|entity| entity.retain);
        count.times(fan_out(hop.reference, retain, years))
    })
}

/// Rows that refer to one row, at the end of the planning period or retention.
fn fan_out(reference: &Reference, retain: Option<f64>, years: f64) -> Count {
    const YEAR: f64 = 365.25 * model::concept::DAY;
    let figures = &reference.fan_out;
    let periods = figures.per.map_or(1.0, |per| retain.unwrap_or(years * YEAR) / per.max(1.0));
    Count { mean: figures.mean * periods, most: figures.max.max(figures.mean) * periods }
}

/// Rows of an entity with the same values of some attributes.
pub(super) fn rows_under(entity: &Entity, attributes: &[AttributeId]) -> Count {
    let referring = entity.references.iter().find(|reference| {
        !reference.attributes.is_empty()
            && reference.attributes.iter().all(|attribute| attributes.contains(attribute))
    });
    if let Some(reference) = referring {
        return fan_out(reference, entity.retain, 1.0);
    }
    let distinct: f64 = attributes
        .iter()
        .filter_map(|attribute| entity.attributes.member(*attribute))
        .map(|attribute| attribute.distinct.value.max(1.0))
        .product();
    let mean = (entity.rows.value / distinct).max(1.0);
    Count { mean, most: mean * WIDE_SPREAD }
}
