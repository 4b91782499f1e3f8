//! Statements that say how a keyspace is kept.

use cql::StatementKind;
use cql::property::{Property, PropertyValue};
use cql::term::{ConstantKind, TermKind};

use super::{KeyspaceState, ObjectChange, Project, ReplayedStatement, StatementOutcome};
use crate::Location;

/// A CREATE or ALTER KEYSPACE of a keyspace that is still there after all statements.
#[derive(Debug)]
pub(crate) struct KeyspaceStatement<'p> {
    /// What the statement makes of the keyspace.
    pub(crate) state: &'p KeyspaceState,
    /// Its name in the statement.
    pub(crate) place: Location,
    /// Whether it says how the keyspace is replicated, and no later statement says otherwise.
    pub(crate) says_replication: bool,
    /// Whether it says whether writes are durable, and no later statement says otherwise.
    pub(crate) says_durability: bool,
    properties: &'p [Property],
}

impl Project<'_> {
    /// What a statement says about how a keyspace is replicated, unless a later one says otherwise.
    pub(crate) fn replication_statement<'p>(
        &'p self,
        seen: &'p ReplayedStatement,
    ) -> Option<KeyspaceStatement<'p>> {
        self.keyspace_statement(seen).filter(|keyspace| keyspace.says_replication)
    }

    /// What a statement says about a keyspace.
    pub(crate) fn keyspace_statement<'p>(
        &'p self,
        seen: &'p ReplayedStatement,
    ) -> Option<KeyspaceStatement<'p>> {
        let StatementOutcome::Changes(Some(ObjectChange::Keyspace { after: Some(state), .. })) =
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
        // What a template puts in is not known.
        let sets = |option: &str| {
            properties.iter().any(|property| {
                let is_open = matches!(property.value, PropertyValue::Placeholder(_));
                &*property.name.text == option && !is_open
            })
        };
        Some(KeyspaceStatement {
            state,
            place: Location { text: seen.place.text, span: name.span },
            says_replication: sets("replication") && now.replication == state.replication,
            says_durability: sets("durable_writes") && now.durable_writes == state.durable_writes,
            properties,
        })
    }
}

impl KeyspaceStatement<'_> {
    /// The class of its replication, without its package.
    pub(crate) fn strategy(&self) -> &str {
        let class = &*self.state.replication.class;
        class.rsplit('.').next().unwrap_or(class)
    }

    /// Where a property is written; the name of the keyspace where it is not.
    pub(crate) fn property_location(&self, name: &str) -> Location {
        let span = self.property(name).map(|property| property.span);
        span.map_or(self.place, |span| Location { text: self.place.text, span })
    }

    /// Where the value of an entry of `replication` is written, quotes included.
    pub(crate) fn replication_location(&self, entry: &str) -> Option<Location> {
        let PropertyValue::Map(map) = &self.property("replication")?.value else { return None };
        let is_it = |kind: &TermKind| matches!(kind, TermKind::Constant(known) if known.kind == ConstantKind::String && &*known.text == entry);
        let (_, value) = map.iter().find(|(key, _)| is_it(&key.kind))?;
        Some(Location { text: self.place.text, span: value.span })
    }

    fn property(&self, name: &str) -> Option<&Property> {
        self.properties.iter().find(|property| &*property.name.text == name)
    }
}
