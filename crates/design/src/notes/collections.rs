//! Collections near their limit: they are always read as a whole and must not grow.

use std::collections::BTreeSet;

use model::concept::{Attribute, AttributeRef, DAY};
use model::id::IdList;
use model::plan::topic::TableTopic;
use model::plan::{Derivation, Note, NoteKind, NoteSubject, PlannedColumn, PlannedTable};
use model::workload::Column;

use super::note;
use super::review::Review;
use crate::volume::YEAR;

/// Recommended maximum number of elements of a collection.
pub(super) const MOST_ELEMENTS: f64 = 100.0;
/// Recommended maximum size of a collection in bytes.
const MOST_BYTES: f64 = 64e3;
/// The share of a limit from which a collection counts as near it.
const NEAR: f64 = 0.5;

/// The collections of a table: column and attribute.
pub(super) fn find_collections<'a>(
    review: Review<'a>,
    table: &'a PlannedTable,
) -> impl Iterator<Item = (&'a PlannedColumn, Column, &'a Attribute)> {
    table.columns.iter().filter_map(move |column| match column.derivation {
        Derivation::Attribute(of) if column.ty.is_collection() => {
            Some((column, of, review.attribute(table, of)?))
        }
        _ => None,
    })
}

/// A warning for each collection that is near its limit or grows.
pub(super) fn notes(review: Review<'_>) -> Vec<Note> {
    let mut seen = BTreeSet::new();
    let mut notes = Vec::new();
    for (at, table) in review.tables() {
        for (column, of, attribute) in find_collections(review, table) {
            let Some(source) = table.holds.sources.member(of.source) else { continue };
            let array = AttributeRef { entity: source.entity, attribute: of.attribute };
            if !seen.insert(array) {
                continue;
            }
            let large = size_topic(table, column, attribute);
            let growing = growth_topic(review, (table, column), array, attribute);
            notes.extend(large.into_iter().chain(growing).map(|topic| Note {
                span: Some(attribute.span),
                ..note(NoteKind::Warning, NoteSubject::Table(at), topic)
            }));
        }
    }
    notes
}

/// The collections to which more is appended than removed, so that they outgrow the limit.
pub(super) fn find_growing(review: Review<'_>) -> Vec<String> {
    let mut names = Vec::new();
    for (_, table) in review.tables() {
        for (column, of, attribute) in find_collections(review, table) {
            let Some(source) = table.holds.sources.member(of.source) else { continue };
            let array = AttributeRef { entity: source.entity, attribute: of.attribute };
            if growth_topic(review, (table, column), array, attribute).is_some() {
                names.push(format!("{}.{}", table.name, column.name));
            }
        }
    }
    names
}

fn size_topic(
    table: &PlannedTable,
    column: &PlannedColumn,
    attribute: &Attribute,
) -> Option<TableTopic> {
    let items = attribute.items.value;
    let size = items * attribute.bytes.value;
    (items > NEAR * MOST_ELEMENTS || size > NEAR * MOST_BYTES).then(|| {
        TableTopic::LargeCollection {
            table: table.name.clone(),
            column: column.name.clone(),
            items,
            bytes: size,
            items_max: MOST_ELEMENTS,
            bytes_max: MOST_BYTES,
        }
    })
}

/// The growth of an array, as declared or because more is appended than removed: elements per row
/// and year.
fn growth_topic(
    review: Review<'_>,
    (table, column): (&PlannedTable, &PlannedColumn),
    array: AttributeRef,
    attribute: &Attribute,
) -> Option<TableTopic> {
    let rows = review.context.concept.entities.member(array.entity)?.rows.value;
    let declared = attribute.items_growth.increase(YEAR);
    let (appends, yearly) = if declared > 0.0 {
        (None, declared)
    } else {
        let (appended, write) = review.tally.appended.get(&array)?;
        let write = review.context.workload.writes.member(*write)?;
        (Some((write.name.clone(), *appended)), appended * DAY * YEAR / rows.max(1.0))
    };
    (yearly > 0.0 && yearly + attribute.items.value > NEAR * MOST_ELEMENTS).then(|| {
        TableTopic::GrowingCollection {
            table: table.name.clone(),
            column: column.name.clone(),
            appends,
            yearly,
        }
    })
}
