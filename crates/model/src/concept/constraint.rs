//! The constraints of a model, each named by its place, so that a violation, a check and a
//! precondition can be matched.

use super::{AttributeRef, Check, Concept, Entity};
use crate::id::{AttributeId, EntityId, IdList, ReferenceId};

/// A constraint: SQL refuses a write that violates it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Constraint {
    /// NOT NULL.
    NotNull(AttributeRef),
    /// A sum is a value of its column's type.
    Range(AttributeRef),
    /// A CHECK constraint or what a type demands, by its position among the checks of the entity.
    Check(EntityId, usize),
    /// A key, by its position among the keys of the entity: 0 is the primary key.
    Key(EntityId, usize),
    /// A UNIQUE constraint that is no key, by its position among those of the entity.
    Unique(EntityId, usize),
    /// A foreign key of the entity: the row that a row refers to exists.
    Target(EntityId, ReferenceId),
    /// A foreign key of the entity without an action: no row refers to a row that is deleted, or
    /// whose key changes.
    Restriction(EntityId, ReferenceId),
}

impl Constraint {
    /// The constraint as SQL declares it, with its table.
    pub fn describe(self, concept: &Concept) -> String {
        let entity = concept.entities.member(self.entity());
        let table = entity.map_or("?", |entity| entity.name.as_str());
        let list = |attributes: &[AttributeId]| list_names(entity, attributes);
        match self {
            Self::NotNull(of) => format!("{table}.{} NOT NULL", list(&[of.attribute])),
            Self::Range(of) => format!("the range of {table}.{}", list(&[of.attribute])),
            Self::Check(_, at) => {
                let check = entity.and_then(|entity| entity.checks.get(at));
                format!("{} of {table}", check.map_or_else(|| "?".to_owned(), Check::describe))
            }
            Self::Key(_, at) => {
                let kind = if at == 0 { "PRIMARY KEY" } else { "UNIQUE" };
                let key = entity.and_then(|entity| entity.keys.get(at));
                format!("{kind} ({}) of {table}", list(key.map_or(&[], Vec::as_slice)))
            }
            Self::Unique(_, at) => {
                let unique = entity.and_then(|entity| entity.unique.get(at));
                format!("UNIQUE ({}) of {table}", list(unique.map_or(&[], |it| &it.attributes)))
            }
            Self::Target(_, at) | Self::Restriction(_, at) => {
                let reference = entity.and_then(|entity| entity.references.member(at));
                let attributes = reference.map_or(&[][..], |it| &it.attributes);
                format!("FOREIGN KEY ({}) of {table}", list(attributes))
            }
        }
    }

    /// The entity that declares it.
    pub const fn entity(self) -> EntityId {
        match self {
            Self::NotNull(of) | Self::Range(of) => of.entity,
            Self::Check(entity, _)
            | Self::Key(entity, _)
            | Self::Unique(entity, _)
            | Self::Target(entity, _)
            | Self::Restriction(entity, _) => entity,
        }
    }
}

fn list_names(entity: Option<&Entity>, attributes: &[AttributeId]) -> String {
    let named = attributes.iter().filter_map(|at| entity?.attributes.member(*at));
    named.map(|attribute| attribute.name.as_str()).collect::<Vec<_>>().join(", ")
}
