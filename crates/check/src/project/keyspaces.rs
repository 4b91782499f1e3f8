//! Statements that say how a keyspace is kept.

use cql::StatementKind;
use cql::property::{Property, PropertyValue};
use cql::term::{ConstantKind, TermKind};

use super::{KeyspaceState, ObjectChange, Outcome, Project, Seen};
use crate::Place;

/// A CREATE or ALTER KEYSPACE whose word is still valid after all statements.
#[derive(Debug)]
pub struct KeyspaceSeen<'p> {
    /// What the statement makes of the keyspace.
    pub state: &'p KeyspaceState,
    /// Its name in the statement.
    pub place: Place,
    properties: &'p [Property],
}

impl Project<'_> {
    /// What a statement says about a keyspace, unless a later one says otherwise.
    pub fn keyspace_seen<'p>(&'p self, seen: &'p Seen) -> Option<KeyspaceSeen<'p>> {
        let Outcome::Changes(Some(ObjectChange::Keyspace { after: Some(state), .. })) =
            &seen.outcome
        else {
            return None;
        };
        let (name, properties) = match &self.syntax(seen)?.kind {
            StatementKind::CreateKeyspace(create) => (&create.name, &*create.properties),
            StatementKind::AlterKeyspace(alter) => (&alter.name, &*alter.properties),
            _ => return None,
        };
        let now = self.catalog.keyspace(&state.name)?;
        let holds =
            now.replication == state.replication && now.durable_writes == state.durable_writes;
        let place = Place { text: seen.place.text, span: name.span };
        holds.then_some(KeyspaceSeen { state, place, properties })
    }
}

impl KeyspaceSeen<'_> {
    /// The class of its replication, without its package.
    pub fn strategy(&self) -> &str {
        let class = &*self.state.replication.class;
        class.rsplit('.').next().unwrap_or(class)
    }

    /// Where a property is written; the name of the keyspace where it is not.
    pub fn property_place(&self, name: &str) -> Place {
        let span = self.property(name).map(|property| property.span);
        span.map_or(self.place, |span| Place { text: self.place.text, span })
    }

    /// Where the value of an entry of `replication` is written, quotes included.
    pub fn replication_value(&self, entry: &str) -> Option<Place> {
        let PropertyValue::Map(map) = &self.property("replication")?.value else { return None };
        let is_it = |kind: &TermKind| matches!(kind, TermKind::Constant(known) if known.kind == ConstantKind::String && &*known.text == entry);
        let (_, value) = map.iter().find(|(key, _)| is_it(&key.kind))?;
        Some(Place { text: self.place.text, span: value.span })
    }

    /// Whether the statement sets a property.
    pub fn sets(&self, name: &str) -> bool {
        self.property(name).is_some()
    }

    fn property(&self, name: &str) -> Option<&Property> {
        self.properties.iter().find(|property| &*property.name.text == name)
    }
}
