//! The number of rows to generate for each entity.

use model::concept::{Concept, Entity};
use model::id::{AttributeId, EntityId, IdList};

use super::random::to_whole;

/// The minimum of rows of an entity.
const ROWS_MIN: usize = 5;

/// The rows of each entity, in proportion to the model within a budget, with a minimum for each.
pub(super) fn allocate_rows(concept: &Concept, order: &[EntityId], budget: u64) -> Vec<usize> {
    let entities = concept.entities.len().max(1);
    let budget = usize::try_from(budget).unwrap_or(usize::MAX).max(ROWS_MIN * entities);
    let stated: f64 = concept.entities.iter().map(|entity| entity.rows.value.max(1.0)).sum();
    let floor = (budget / (8 * entities)).max(ROWS_MIN);
    let mut counts: Vec<usize> = concept
        .entities
        .iter()
        .map(|entity| {
            let rows = entity.rows.value.max(1.0);
            let share = to_whole(budget as f64 * rows / stated);
            share.max(floor).min(to_whole(rows.min(1e9)).max(3))
        })
        .collect();
    for &at in order {
        if let Some(entity) = concept.entities.member(at) {
            let most = rows_max(entity, &counts);
            counts[at.index()] = counts[at.index()].min(most).max(1);
        }
    }
    counts
}

/// The most rows that keys made of references allow, with a margin.
fn rows_max(entity: &Entity, counts: &[usize]) -> usize {
    let mut most = usize::MAX;
    for key in &entity.keys {
        let mut product: usize = 1;
        let mut covered: Vec<AttributeId> = Vec::new();
        for reference in &entity.references {
            let inside = reference.attributes.iter().all(|attribute| key.contains(attribute));
            if inside && !reference.attributes.iter().all(|it| covered.contains(it)) {
                let parents = counts.get(reference.target.index()).copied().unwrap_or(0);
                product = product.saturating_mul(parents);
                covered.extend(&reference.attributes);
            }
        }
        let whole = !key.is_empty() && key.iter().all(|attribute| covered.contains(attribute));
        if whole {
            let alone = entity.references.iter().any(|it| it.is_unique(entity));
            most = most.min(if alone { product * 7 / 10 } else { product / 2 }.max(1));
        }
    }
    most
}
