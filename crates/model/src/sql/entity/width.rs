//! Whole numbers that refer to whole numbers of another width, as a `bigint` that refers to a
//! `serial`: both are stored alike, so that they are the same key in every table.

use cql::types::{NativeType, Type};

use crate::concept::Entity;
use crate::id::IdList;

/// The most references that follow one another.
const ROUNDS_MAX: usize = 16;

/// Gives the columns that refer to whole numbers the type of what they refer to: no other values can
/// be stored in them.
pub(super) fn adopt_widths(entities: &mut [Entity]) {
    let is_whole = |ty: &Type| {
        matches!(ty, Type::Native(NativeType::Bigint | NativeType::Int | NativeType::Smallint))
    };
    for _ in 0..ROUNDS_MAX {
        let mut changes = Vec::new();
        for (at, entity) in entities.enumerate_ids() {
            for reference in &entity.references {
                let target = &entities[reference.target];
                for (&own, &to) in reference.attributes.iter().zip(&reference.target_attributes) {
                    let (ty, other) = (&entity.attributes[own].ty, &target.attributes[to].ty);
                    if ty != other && is_whole(ty) && is_whole(other) {
                        changes.push((at, own, other.clone()));
                    }
                }
            }
        }
        if changes.is_empty() {
            return;
        }
        for (entity, attribute, ty) in changes {
            entities[entity].attributes[attribute].ty = ty;
        }
    }
}
