//! What a name at a place means.

use std::sync::Arc;

use cql::StatementKind;
use schema::catalog::Table;

use super::segment::{StatementToken, statement_tokens};
use crate::{Location, Project, TableFacts};

/// Words behind which the name of a table stands.
pub(super) const BEFORE_TABLE: [&str; 6] = ["FROM", "INTO", "UPDATE", "TABLE", "TRUNCATE", "ON"];

/// What a name means.
pub(super) enum ResolvedName<'p> {
    /// A table or view.
    Table(&'p Arc<Table>),
    /// A column of one, by its position.
    Column(&'p Arc<Table>, usize),
    /// A user type, by its keyspace and name.
    Type(String),
}

/// The name at an offset, and what it means.
pub(super) fn resolve_name<'p, 't>(
    project: &'p Project<'t>,
    text: usize,
    offset: usize,
) -> Option<(StatementToken<'t>, ResolvedName<'p>)> {
    let source = project.texts.get(text)?.text;
    let all = statement_tokens(source, offset);
    let touches = |word: &&StatementToken<'_>| {
        word.span.start as usize <= offset && offset <= word.span.end as usize && word.is_name()
    };
    let at = all.iter().position(|word| touches(&word))?;
    let (word, name) = (all[at], all[at].name());
    let behind_dot = at >= 2 && all[at - 1].text == ".";
    let keyspace = behind_dot.then(|| all[at - 2].name());
    let opens = if behind_dot { at.checked_sub(3) } else { at.checked_sub(1) };
    let names_table = opens.is_some_and(|at| {
        let skipped = at.checked_sub(2).filter(|_| all[at].is_keyword("EXISTS"));
        let opener = skipped.map_or(&all[at], |at| &all[at]);
        BEFORE_TABLE.iter().any(|known| opener.is_keyword(known) || all[at].is_keyword(known))
            || all[at].is_keyword("EXISTS")
    });
    if names_table && let Some(table) = find_table(project, keyspace.as_deref(), &name) {
        return Some((word, ResolvedName::Table(table)));
    }
    if let Some(table) = statement_table(project, &all)
        && let Some(column) = table.column_index(&name)
    {
        return Some((word, ResolvedName::Column(table, column)));
    }
    let known = |keyspace: &Arc<schema::catalog::Keyspace>| keyspace.types.contains_key(&name);
    if project.catalog.keyspaces.values().any(known) {
        return Some((word, ResolvedName::Type(name)));
    }
    find_table(project, keyspace.as_deref(), &name).map(|table| (word, ResolvedName::Table(table)))
}

/// A table by its name; without a keyspace the first that users made.
pub(super) fn find_table<'p>(
    project: &'p Project<'_>,
    keyspace: Option<&str>,
    name: &str,
) -> Option<&'p Arc<Table>> {
    if let Some(keyspace) = keyspace {
        return project.catalog.keyspace(keyspace)?.table_or_view(name);
    }
    let mut own = project.catalog.keyspaces.values().filter(|known| !known.system);
    own.find_map(|known| known.table_or_view(name))
}

/// The table that a statement is about.
pub(super) fn statement_table<'p>(
    project: &'p Project<'_>,
    all: &[StatementToken<'_>],
) -> Option<&'p Arc<Table>> {
    let opens = |word: &StatementToken<'_>| BEFORE_TABLE.iter().any(|known| word.is_keyword(known));
    (0..all.len()).filter(|at| opens(&all[*at])).find_map(|at| {
        let mut rest = all
            .get(at + 1..)?
            .iter()
            .filter(|word| !["IF", "NOT", "EXISTS"].iter().any(|known| word.is_keyword(known)));
        let first = rest.next()?;
        match (rest.next(), rest.next()) {
            (Some(dot), Some(second)) if dot.text == "." => {
                find_table(project, Some(&first.name()), &second.name())
            }
            _ => find_table(project, None, &first.name()),
        }
    })
}

/// Where what stands at a place is created.
pub fn definition(project: &Project<'_>, text: usize, offset: usize) -> Option<Location> {
    match resolve_name(project, text, offset)?.1 {
        ResolvedName::Table(table) => project.facts(table).map(|facts| facts.place),
        ResolvedName::Column(table, column) => {
            let facts: &TableFacts = project.facts(table)?;
            Some(project.column_location(facts, &table.columns().get(column)?.name))
        }
        ResolvedName::Type(name) => project.statements.iter().find_map(|seen| {
            let StatementKind::CreateType(create) = &project.syntax(seen)?.kind else {
                return None;
            };
            let is_it = *create.name.name.text == *name;
            is_it.then_some(Location { text: seen.place.text, span: create.name.name.span })
        }),
    }
}
