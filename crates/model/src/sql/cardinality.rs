//! Queries that are marked `:one`, and whether anything makes sure that they find one row.

use super::draft::ModelDraft;
use crate::concept::Concept;
use crate::dependency::{Dependencies, Determinant};
use crate::id::IdList;
use crate::workload::{Column, Comparison, Limit, OutputValue, Predicate, Read, Workload};

/// Warns about each query that is marked `:one` although several rows may match.
pub(super) fn warn_several_rows(draft: &mut ModelDraft, concept: &Concept, workload: &Workload) {
    for read in workload.reads.iter().filter(|read| !read.many && !has_one_row(concept, read)) {
        let message = format!(
            "{} is marked :one, but neither a key nor LIMIT 1 makes sure that one row matches",
            read.name
        );
        let help = "declare the compared columns UNIQUE, add ORDER BY and LIMIT 1, or write :many";
        draft.warn("MF262", read.span, message, help);
    }
}

fn has_one_row(concept: &Concept, read: &Read) -> bool {
    let is_aggregate = |value: OutputValue| !matches!(value, OutputValue::Column(_));
    if read.limit == Some(Limit::Number(1)) {
        return true;
    }
    if read.group.is_empty() && read.outputs.iter().any(|output| is_aggregate(output.value)) {
        return true;
    }
    let known = list_known(concept, read);
    let dependencies = Dependencies::new(concept, &read.sources);
    if read.group.is_empty() {
        return dependencies.is_key(&known);
    }
    let closure = dependencies.closure(&known);
    read.group.iter().all(|column| closure.contains(Determinant::Value(*column)))
}

/// The columns that have one value in all rows: those compared for equality, and the keys of the rows
/// that a unique constraint finds by them.
fn list_known(concept: &Concept, read: &Read) -> Vec<Determinant> {
    let equal = |predicate: &Predicate| match predicate {
        Predicate::Compare { column, comparison: Comparison::Equal, .. } => Some(*column),
        _ => None,
    };
    let mut columns: Vec<Column> =
        read.conditions.iter().filter_map(|condition| equal(&condition.predicate)).collect();
    for (source, of) in read.sources.enumerate_ids() {
        let entity = &concept.entities[of.entity];
        let is_found = entity.unique.iter().any(|unique| {
            unique
                .attributes
                .iter()
                .all(|&attribute| columns.contains(&Column { source, attribute }))
        });
        if is_found {
            columns
                .extend(entity.primary_key().iter().map(|&attribute| Column { source, attribute }));
        }
    }
    columns.into_iter().map(Determinant::Value).collect()
}
