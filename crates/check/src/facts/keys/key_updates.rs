//! Rows that batches move from one key to another.

use cql::term::{Term, TermKind};
use schema::catalog::Column;

use crate::facts::workload::{StatementValues, StatementVerb, literal_text, statement_values};
use crate::vocabulary::status::is_state;
use crate::{Location, Project, TableFacts};

/// A key column whose value a batch changes by deleting the row and inserting it again.
#[derive(Clone, Copy, Debug)]
pub(crate) struct KeyUpdate<'p> {
    /// The column.
    pub(crate) column: &'p Column,
    /// The batch.
    pub(crate) place: Location,
}

/// The key columns of a table that batches change.
pub(crate) fn key_updates<'p>(
    project: &'p Project<'_>,
    facts: &'p TableFacts,
) -> Vec<KeyUpdate<'p>> {
    let mut all: Vec<KeyUpdate<'p>> = Vec::new();
    for seen in facts.writes(project).filter(|seen| seen.writes().len() > 1) {
        let parts = statement_values(project, seen);
        let here = |does: StatementVerb| {
            let name = &facts.table.name;
            parts.iter().filter(move |one| one.verb == does && one.table.name.text == *name)
        };
        let (Some(deleted), Some(inserted)) =
            (here(StatementVerb::Delete).next(), here(StatementVerb::Insert).next())
        else {
            continue;
        };
        for column in facts.table.primary_key() {
            if is_changed(column, deleted, inserted)
                && !all.iter().any(|known| known.column.name == column.name)
            {
                all.push(KeyUpdate { column, place: seen.place });
            }
        }
    }
    all
}

/// Whether two statements give a column different values. Of two nameless markers nobody knows; then its name has to say so.
fn is_changed(column: &Column, one: &StatementValues<'_>, other: &StatementValues<'_>) -> bool {
    let (Some(one), Some(other)) = (one.value(&column.name), other.value(&column.name)) else {
        return false;
    };
    match (marker_kind(one), marker_kind(other)) {
        (MarkerKind::Named(one), MarkerKind::Named(other)) => one != other,
        (MarkerKind::None, MarkerKind::None) => {
            literal_text(one).zip(literal_text(other)).is_some_and(|(one, other)| one != other)
        }
        (MarkerKind::None, _) | (_, MarkerKind::None) => {
            literal_text(one).or(literal_text(other)).is_some()
        }
        _ => is_state(column),
    }
}

/// What a value is, as a marker.
enum MarkerKind<'s> {
    Named(&'s str),
    Nameless,
    None,
}

fn marker_kind(term: &Term) -> MarkerKind<'_> {
    match &term.kind {
        TermKind::Marker(marker) => {
            marker.name.as_ref().map_or(MarkerKind::Nameless, |name| MarkerKind::Named(&name.text))
        }
        _ => MarkerKind::None,
    }
}
