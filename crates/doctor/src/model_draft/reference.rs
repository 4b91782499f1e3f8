//! References between entities, by names and types.

use model::vocabulary::{id_stem, to_singular};
use schema::catalog::Column;

use super::entity::Entity;
use super::open_point::OpenPoint;

/// A column that refers to the key of another entity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Reference {
    /// The position of the entity.
    pub(super) entity: usize,
    /// The column.
    pub(super) column: String,
    /// The position of the entity that it refers to.
    pub(super) target: usize,
}

/// The references of all entities, without cycles, and remarks on the others.
pub(super) fn find_references(entities: &mut [Entity<'_>]) -> Vec<Reference> {
    let mut references: Vec<Reference> = Vec::new();
    for at in 0..entities.len() {
        let columns = entities[at].columns.clone();
        for column in columns {
            // The key of a table refers to nothing by its name alone: the table may be a subtype or none.
            if entities[at].key.as_slice() == [&*column.name] {
                continue;
            }
            let targets = find_targets(entities, at, column);
            let name = column.name.to_string();
            match targets.as_slice() {
                [] => {}
                [target] if !is_reachable(&references, *target, at) => {
                    let target_name = entities[*target].name.clone();
                    references.push(Reference {
                        entity: at,
                        column: name.clone(),
                        target: *target,
                    });
                    let point = OpenPoint::ReferenceByName { column: name, target: target_name };
                    entities[at].points.push(point);
                }
                several => {
                    let names: Vec<&str> =
                        several.iter().map(|target| &*entities[*target].name).collect();
                    let point =
                        OpenPoint::ReferenceOmitted { column: name, targets: names.join(" or ") };
                    entities[at].points.push(point);
                }
            }
        }
    }
    references
}

/// The entities whose key a column is named and typed like.
fn find_targets(entities: &[Entity<'_>], own: usize, column: &Column) -> Vec<usize> {
    let mut found: Vec<(usize, bool)> = Vec::new();
    for (at, entity) in entities.iter().enumerate() {
        let [key] = entity.key.as_slice() else { continue };
        let is_typed = entity.column(key).is_some_and(|key| key.ty == column.ty);
        if at == own || !is_typed || column.ty.is_counter() {
            continue;
        }
        let names_entity = id_stem(&column.name)
            .is_some_and(|stem| !stem.is_empty() && to_singular(&entity.name) == stem);
        let has_key_name = *key == &*column.name && is_telling(key);
        if has_key_name || names_entity && id_stem(key) == Some("") {
            found.push((at, names_entity));
        }
    }
    // One whose name is in the column's is meant, where there is one.
    if found.iter().filter(|(_, names_entity)| *names_entity).count() == 1 {
        found.retain(|(_, names_entity)| *names_entity);
    }
    found.into_iter().map(|(at, _)| at).collect()
}

/// Whether the name of a key tells what it is the key of.
fn is_telling(key: &str) -> bool {
    id_stem(key).is_some_and(|stem| !stem.is_empty())
}

/// Whether references lead from one entity to another.
fn is_reachable(references: &[Reference], from: usize, to: usize) -> bool {
    let mut seen = vec![from];
    let mut next = 0;
    while let Some(at) = seen.get(next).copied() {
        if at == to {
            return true;
        }
        for reference in references.iter().filter(|reference| reference.entity == at) {
            if !seen.contains(&reference.target) {
                seen.push(reference.target);
            }
        }
        next += 1;
    }
    false
}

/// The positions of the entities, each after those that it refers to.
pub(super) fn order_entities(count: usize, references: &[Reference]) -> Vec<usize> {
    let mut ordered: Vec<usize> = Vec::with_capacity(count);
    while ordered.len() < count {
        let is_ready = |at: &usize| {
            let own = references.iter().filter(|reference| reference.entity == *at);
            own.into_iter().all(|reference| ordered.contains(&reference.target))
        };
        let Some(next) = (0..count).filter(|at| !ordered.contains(at)).find(is_ready) else {
            break;
        };
        ordered.push(next);
    }
    ordered
}
