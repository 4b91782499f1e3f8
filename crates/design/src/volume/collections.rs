//! The growth of collections: what rows gain by the elements that are added to them.

use model::concept::{Concept, DAY, Growth};
use model::plan::{CollectionGrowth, PlannedTable};
use schema::size::{self, PartitionLayout};

use super::bytes::layout_after;
use super::rows::{attribute, retention};
use super::{SHORTEST, attribute_of};

/// What the collections of a table gain per day, from their elements at the horizon.
pub(super) fn estimate_growth(
    concept: &Concept,
    table: &PlannedTable,
    today: &PartitionLayout,
    horizon: f64,
) -> CollectionGrowth {
    let Some(Growth { curve, .. }) = fastest_growth(concept, table) else {
        return CollectionGrowth::default();
    };
    let later = layout_after(concept, table, today.expires, horizon);
    let later = PartitionLayout { span: today.span, ..later };
    let days = curve.elapsed(horizon).max(SHORTEST);
    let per_day =
        |measure: fn(&PartitionLayout) -> f64| (measure(&later) - measure(today)).max(0.0) / days;
    CollectionGrowth {
        fixed_bytes: per_day(size::partition_overhead),
        row_bytes: per_day(size::row),
        row_cells: per_day(size::cells),
        curve,
        lives_for: retention(concept, table).map(|seconds| (seconds / DAY).max(SHORTEST)),
    }
}

/// The growth of the collection that gains most.
fn fastest_growth(concept: &Concept, table: &PlannedTable) -> Option<Growth> {
    let collections = table.columns.iter().filter(|column| column.ty.is_collection());
    let attributes = collections
        .filter_map(|column| attribute(concept, table, attribute_of(&column.derivation)?));
    let growths = attributes.map(|found| found.items_growth).filter(|growth| growth.daily > 0.0);
    growths.max_by(|one, other| one.daily.total_cmp(&other.daily))
}
