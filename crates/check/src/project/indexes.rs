//! Which statement creates which index.

use std::collections::BTreeMap;

use cql::StatementKind;
use cql::statement::index::CreateIndex;
use schema::catalog::{Index, Table};

use super::{ObjectChange, Project, ReplayedStatement, StatementOutcome, TableFacts};
use crate::Location;

/// The positions of the statements that create indexes, by keyspace and name; also of those to which the server gives a name.
pub(super) fn creations(project: &Project<'_>) -> BTreeMap<(Box<str>, Box<str>), usize> {
    let mut found = BTreeMap::new();
    for (at, seen) in project.definitions() {
        let StatementOutcome::Changes(Some(ObjectChange::Table {
            before: Some(before),
            after: Some(after),
        })) = &seen.outcome
        else {
            continue;
        };
        let is_new = after.indexes.len() > before.indexes.len();
        if let (true, Some(index)) = (is_new, after.indexes.last()) {
            found.insert((after.keyspace.clone(), index.name.clone()), at);
        }
    }
    found
}

impl Project<'_> {
    /// The index that a statement creates, and its table with it; `None` for any other statement, or where nothing comes of it.
    pub(crate) fn statement_index<'p>(
        &'p self,
        seen: &'p ReplayedStatement,
    ) -> Option<(&'p CreateIndex, &'p Table)> {
        let StatementKind::CreateIndex(create) = &self.syntax(seen)?.kind else { return None };
        match &seen.outcome {
            StatementOutcome::Changes(Some(ObjectChange::Table { after: Some(after), .. })) => {
                Some((create, after))
            }
            _ => None,
        }
    }

    /// The statement that creates an index of a table.
    pub(crate) fn index_creation(
        &self,
        facts: &TableFacts,
        index: &Index,
    ) -> Option<(&ReplayedStatement, &CreateIndex)> {
        let name = (facts.table.keyspace.clone(), index.name.clone());
        let seen = self.statements.get(*self.index_creations.get(&name)?)?;
        match &self.syntax(seen)?.kind {
            StatementKind::CreateIndex(create) => Some((seen, create)),
            _ => None,
        }
    }

    /// Where an index names its column; the table's name if no text creates the index.
    pub(crate) fn index_location(&self, facts: &TableFacts, index: &Index) -> Location {
        let place = self.index_creation(facts, index).map(|(seen, create)| {
            let target =
                create.targets.first().map_or(create.table.name.span, |one| one.column.span);
            Location { text: seen.place.text, span: target }
        });
        place.unwrap_or(facts.place)
    }
}
