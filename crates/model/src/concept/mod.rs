//! What an application stores: entities, their keys, how they refer to one another, and how many
//! there are of each.
//!
//! This is plain data that [`crate::sql`] reads from a model file. Entities, attributes and
//! references are named by their position in the lists below.

mod attribute;
mod check;
mod constraint;
mod default_value;
mod figure;
mod growth;
mod reference;
mod value_limit;

pub use attribute::{Attribute, Skew, zipf_share};
pub use check::{Check, CheckKind, Generation, UniqueConstraint};
pub use constraint::Constraint;
pub use default_value::{ClientValue, ColumnDefault, DefaultValue, TimeShift};
pub use figure::{Figure, Origin};
pub use growth::{DATES_MAX, Growth, GrowthCurve};
pub use reference::{FanOut, FanOutCourse, Reference, ReferenceAction};
pub use value_limit::ValueLimit;

use std::ops::Index;
use std::sync::Arc;

use cql::Span;
use cql::types::UserType;

use crate::id::{AttributeId, EntityId, IdList, members};

members! {
    Entity: EntityId;
    Attribute: AttributeId;
    Reference: ReferenceId;
}

/// Seconds of a day.
pub const DAY: f64 = 86_400.0;

/// Nodes of a cluster without directives.
pub const DEFAULT_NODES: u32 = 6;

/// An application's data.
#[derive(Clone, Debug, PartialEq)]
pub struct Concept {
    /// The keyspace's name.
    pub keyspace: String,
    /// Datacenters and the copies in each.
    pub replication: Vec<(String, u32)>,
    /// Nodes of the cluster.
    pub nodes: u32,
    /// The name of the tenant column, which leads every partition key.
    pub tenant: Option<String>,
    /// The entities, in the order of the file.
    pub entities: Vec<Entity>,
    /// Composite types that attributes have, in the order of the file.
    pub types: Vec<Arc<UserType>>,
}

/// An entity: a table of the model file.
#[derive(Clone, Debug, PartialEq)]
pub struct Entity {
    /// Its name, as the file has it.
    pub name: String,
    /// Its attributes in the order they are declared.
    pub attributes: Vec<Attribute>,
    /// Its keys, as positions among the attributes: the primary key first, then those that are
    /// unique and not null. Empty only when the file gave none (which is reported).
    pub keys: Vec<Vec<AttributeId>>,
    /// What it refers to.
    pub references: Vec<Reference>,
    /// UNIQUE constraints that are no keys.
    pub unique: Vec<UniqueConstraint>,
    /// CHECK constraints.
    pub checks: Vec<Check>,
    /// The entity of which this is a subtype: its primary key is a reference to that one's.
    pub supertype: Option<EntityId>,
    /// Rows today.
    pub rows: Figure<f64>,
    /// New rows per day.
    pub grows: Figure<f64>,
    /// The course of their growth.
    pub curve: GrowthCurve,
    /// Seconds after which a row expires; `None`: never.
    pub retain: Option<f64>,
    /// Its name in the file.
    pub span: Span,
}

/// An attribute of the concept: its entity and its position there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AttributeRef {
    /// The entity.
    pub entity: EntityId,
    /// Its attribute.
    pub attribute: AttributeId,
}

impl Concept {
    /// An attribute, where there is one.
    pub fn attribute(&self, of: AttributeRef) -> Option<&Attribute> {
        self.entities.member(of.entity)?.attributes.member(of.attribute)
    }

    /// The entity of that name.
    pub fn entity_named(&self, name: &str) -> Option<EntityId> {
        self.entities.find_id(|entity| entity.name == name)
    }

    /// Copies of everything, over all datacenters.
    pub fn copies(&self) -> u32 {
        self.replication.iter().map(|(_, copies)| copies).sum()
    }
}

impl Index<AttributeRef> for Concept {
    type Output = Attribute;

    fn index(&self, of: AttributeRef) -> &Attribute {
        &self.entities[of.entity].attributes[of.attribute]
    }
}

impl Entity {
    /// The attribute of that name.
    pub fn attribute_named(&self, name: &str) -> Option<AttributeId> {
        self.attributes.find_id(|attribute| attribute.name == name && !attribute.hidden)
    }

    /// New rows per day, on average over some days.
    pub fn growth_over(&self, days: f64) -> Figure<f64> {
        let value = self.grows.value * self.curve.elapsed(days) / days;
        Figure { value, origin: self.grows.origin }
    }

    /// The attributes from which generated columns are computed.
    pub fn generation_inputs(&self) -> Vec<AttributeId> {
        let expressions =
            self.attributes.iter().filter_map(|it| it.generated.as_ref()?.expression.as_ref());
        expressions.flat_map(|it| it.columns().into_iter().copied()).collect()
    }

    /// The primary key; empty when the file gave none.
    pub fn primary_key(&self) -> &[AttributeId] {
        self.keys.first().map_or(&[], Vec::as_slice)
    }
}
