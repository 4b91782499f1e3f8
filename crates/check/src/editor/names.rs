//! What a name at a place means.

use std::sync::Arc;

use cql::StatementKind;
use schema::catalog::Table;

use super::segment::{Word, words};
use crate::{Place, Project, TableFacts};

/// Words behind which the name of a table stands.
pub(super) const BEFORE_TABLE: [&str; 6] = ["FROM", "INTO", "UPDATE", "TABLE", "TRUNCATE", "ON"];

/// What a name means.
pub(super) enum Meaning<'p> {
    /// A table or view.
    Table(&'p Arc<Table>),
    /// A column of one, by its position.
    Column(&'p Arc<Table>, usize),
    /// A user type, by its keyspace and name.
    Type(String),
}

/// The name at an offset, and what it means.
pub(super) fn meaning<'p, 't>(
    project: &'p Project<'t>,
    text: usize,
    offset: usize,
) -> Option<(Word<'t>, Meaning<'p>)> {
    let source = project.texts.get(text)?.text;
    let all = words(source, offset);
    let touches = |word: &&Word<'_>| {
        word.span.start as usize <= offset && offset <= word.span.end as usize && word.is_name()
    };
    let at = all.iter().position(|word| touches(&word))?;
    let (word, name) = (all[at], all[at].name());
    let behind_dot = at >= 2 && all[at - 1].text == ".";
    let keyspace = behind_dot.then(|| all[at - 2].name());
    let opens = if behind_dot { at.checked_sub(3) } else { at.checked_sub(1) };
    let names_table = opens.is_some_and(|at| {
        let skipped = at.checked_sub(2).filter(|_| all[at].is("EXISTS"));
        let opener = skipped.map_or(&all[at], |at| &all[at]);
        BEFORE_TABLE.iter().any(|known| opener.is(known) || all[at].is(known))
            || all[at].is("EXISTS")
    });
    if names_table && let Some(table) = table(project, keyspace.as_deref(), &name) {
        return Some((word, Meaning::Table(table)));
    }
    if let Some(table) = table_of(project, &all)
        && let Some(column) = table.column_index(&name)
    {
        return Some((word, Meaning::Column(table, column)));
    }
    let known = |keyspace: &Arc<schema::catalog::Keyspace>| keyspace.types.contains_key(&*name);
    if project.catalog.keyspaces.values().any(known) {
        return Some((word, Meaning::Type(name)));
    }
    table(project, keyspace.as_deref(), &name).map(|table| (word, Meaning::Table(table)))
}

/// A table by its name; without a keyspace the first that users made.
pub(super) fn table<'p>(
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
pub(super) fn table_of<'p>(project: &'p Project<'_>, all: &[Word<'_>]) -> Option<&'p Arc<Table>> {
    let opens = |word: &Word<'_>| BEFORE_TABLE.iter().any(|known| word.is(known));
    (0..all.len()).filter(|at| opens(&all[*at])).find_map(|at| {
        let mut rest = all
            .get(at + 1..)?
            .iter()
            .filter(|word| !["IF", "NOT", "EXISTS"].iter().any(|known| word.is(known)));
        let first = rest.next()?;
        match (rest.next(), rest.next()) {
            (Some(dot), Some(second)) if dot.text == "." => {
                table(project, Some(&first.name()), &second.name())
            }
            _ => table(project, None, &first.name()),
        }
    })
}

/// Where what stands at a place is created.
pub fn definition(project: &Project<'_>, text: usize, offset: usize) -> Option<Place> {
    match meaning(project, text, offset)?.1 {
        Meaning::Table(table) => project.facts(table).map(|facts| facts.place),
        Meaning::Column(table, column) => {
            let facts: &TableFacts = project.facts(table)?;
            Some(project.column_place(facts, &table.columns().get(column)?.name))
        }
        Meaning::Type(name) => project.statements.iter().find_map(|seen| {
            let StatementKind::CreateType(create) = &project.syntax(seen)?.kind else {
                return None;
            };
            let is_it = *create.name.name.text == *name;
            is_it.then_some(Place { text: seen.place.text, span: create.name.name.span })
        }),
    }
}
