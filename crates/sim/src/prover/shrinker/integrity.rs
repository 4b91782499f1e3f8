//! Referential integrity of reduced facts.

use std::collections::BTreeSet;

use model::concept::{Concept, Reference};
use model::id::{AttributeId, EntityId, IdList};

use crate::dataset::{Dataset, Datum, Row};

/// Whether every reference refers to an existing row.
pub(crate) fn has_integrity(concept: &Concept, rows: &[Vec<Row>]) -> bool {
    find_dangling(concept, rows).is_empty()
}

/// The facts without rows that have dangling references, repeatedly until none is left.
pub(super) fn drop_dangling(concept: &Concept, mut data: Dataset) -> Dataset {
    loop {
        let gone = find_dangling(concept, &data.rows);
        if gone.is_empty() {
            return data;
        }
        for (entity, rows) in concept.entities.ids().zip(&mut data.rows) {
            let mut at = 0;
            rows.retain(|_| {
                at += 1;
                !gone.contains(&(entity, at - 1))
            });
        }
    }
}

/// The rows with dangling references: their entity and position.
fn find_dangling(concept: &Concept, rows: &[Vec<Row>]) -> BTreeSet<(EntityId, usize)> {
    let mut found = BTreeSet::new();
    for (at, entity) in concept.entities.enumerate_ids() {
        for reference in &entity.references {
            let targets = targets(rows, reference);
            for (position, row) in rows.get(at.index()).into_iter().flatten().enumerate() {
                let key = values(row, &reference.attributes);
                if key.iter().all(|value| value.is_some()) && !targets.contains(&key) {
                    found.insert((at, position));
                }
            }
        }
    }
    found
}

fn targets<'r>(rows: &'r [Vec<Row>], reference: &Reference) -> BTreeSet<Vec<&'r Datum>> {
    let targets = rows.get(reference.target.index()).into_iter().flatten();
    targets.map(|row| values(row, &reference.target_attributes)).collect()
}

fn values<'r>(row: &'r Row, attributes: &[AttributeId]) -> Vec<&'r Datum> {
    attributes.iter().map(|at| row.get(at.index()).unwrap_or(&None)).collect()
}
