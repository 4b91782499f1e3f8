//! [`CollectionSeries`]: the collections of a table over time. A collection is read as a whole, and
//! cannot be paged.

use model::concept::{Attribute, Concept};
use model::plan::{ColumnRole, Derivation, PlannedColumn, first_day};
use schema::size::limits::{COLLECTION_LIMITS, Limit, Measure};
use schema::size::{self, PartitionLayout};

use super::Estimate;
use crate::volume;

/// A collection over time.
#[derive(Clone, Debug, PartialEq)]
pub struct CollectionSeries {
    /// The name of the column.
    pub column: String,
    /// Its size on each date, in their order.
    pub points: Vec<CollectionPoint>,
    /// When it crosses the limits, in their order.
    pub crossings: Vec<CollectionCrossing>,
}

/// An average collection of a row on one date.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CollectionPoint {
    /// Days from today.
    pub days: f64,
    /// Its elements.
    pub elements: f64,
    /// Its bytes in the row, with what is stored beside each element.
    pub bytes: f64,
}

/// When a collection crosses a limit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CollectionCrossing {
    /// The limit.
    pub limit: &'static Limit,
    /// Days until then; 0 if it has; `None` if it never will.
    pub days: Option<f64>,
}

/// The collections of a table that grow, or that are beyond a limit today.
pub(super) fn collection_series(
    concept: &Concept,
    estimate: &Estimate,
    dates: &[f64],
) -> Vec<CollectionSeries> {
    let columns = estimate.table.columns.iter().filter(|column| column.ty.is_collection());
    let series = columns.filter_map(|column| {
        let Derivation::Attribute(of) = column.derivation else { return None };
        let found = volume::attribute(concept, &estimate.table, of)?;
        let sizes = CollectionSizes::new(concept, estimate, column, found);
        let crossings = sizes.crossings();
        let is_shown =
            found.items_growth.daily > 0.0 || crossings.iter().any(|it| it.days.is_some());
        is_shown.then(|| CollectionSeries {
            column: column.name.clone(),
            points: dates.iter().map(|days| sizes.point(*days)).collect(),
            crossings,
        })
    });
    series.collect()
}

/// The sizes of one collection.
struct CollectionSizes<'a> {
    attribute: &'a Attribute,
    /// Days that a row lives; `None`: forever.
    lives_for: Option<f64>,
    /// A row without the collection, and one with a single further element.
    empty: f64,
    today: f64,
    /// Bytes that a further element adds.
    each: f64,
}

impl<'a> CollectionSizes<'a> {
    fn new(
        concept: &Concept,
        estimate: &Estimate,
        column: &PlannedColumn,
        attribute: &'a Attribute,
    ) -> Self {
        let table = &estimate.table;
        let field = volume::field(concept, table, column);
        let bytes = |items: f64, added: f64| {
            let mut field = field.clone();
            (field.items, field.added) = (items, added);
            let is_static = column.role == ColumnRole::Static;
            let alone = PartitionLayout {
                statics: if is_static { vec![field.clone()] } else { Vec::new() },
                regulars: if is_static { Vec::new() } else { vec![field] },
                ..estimate.layout.clone()
            };
            if is_static { size::partition_overhead(&alone) } else { size::row(&alone) }
        };
        // Many, so that the lengths in front of them do not matter.
        let (items, more) = (attribute.items.value, 1e4);
        let today = bytes(items, 0.0);
        Self {
            attribute,
            lives_for: estimate.retain_days,
            empty: bytes(0.0, 0.0),
            today,
            each: (bytes(items, more) - today) / more,
        }
    }

    fn point(&self, days: f64) -> CollectionPoint {
        let days_lived = self.lives_for.map_or(days, |most| days.min(most));
        let added = self.attribute.items_growth.increase(days_lived);
        CollectionPoint {
            days,
            elements: self.attribute.items.value + added,
            bytes: (self.today - self.empty).max(0.0) + added * self.each,
        }
    }

    fn crossings(&self) -> Vec<CollectionCrossing> {
        let crossing = |limit: &'static Limit| CollectionCrossing {
            limit,
            days: first_day(limit.most, |days| {
                let point = self.point(days);
                if limit.measure == Measure::Elements { point.elements } else { point.bytes }
            }),
        };
        COLLECTION_LIMITS.iter().map(crossing).collect()
    }
}
