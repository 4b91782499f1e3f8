//! What statements of programs mean: the keyspace of their tables is often put in by the program, or named when it connects, and so
//! are the columns that they read.

use cql::selectable::{Selectable, SelectableKind};
use cql::statement::select::{Select, Selector};
use cql::statement::write::WriteKind;
use cql::{Name, ParsedSource, QualifiedName, StatementKind};
use schema::Session;

/// Puts in the keyspace that statements leave open, where one keyspace alone has the table, and columns for those that the program
/// puts in.
pub(super) fn resolve_all(parsed: &mut ParsedSource, session: &Session) {
    for statement in &mut parsed.statements {
        match &mut statement.kind {
            StatementKind::Select(select) => {
                resolve_table(&mut select.table, session);
                resolve_columns(select, session);
            }
            StatementKind::Insert(insert) => resolve_table(&mut insert.table, session),
            StatementKind::Update(update) => resolve_table(&mut update.table, session),
            StatementKind::Delete(delete) => resolve_table(&mut delete.table, session),
            StatementKind::Batch(batch) => {
                for statement in &mut batch.statements {
                    match &mut statement.kind {
                        WriteKind::Insert(insert) => resolve_table(&mut insert.table, session),
                        WriteKind::Update(update) => resolve_table(&mut update.table, session),
                        WriteKind::Delete(delete) => resolve_table(&mut delete.table, session),
                    }
                }
            }
            _ => {}
        }
    }
}

/// A SELECT whose columns the program puts in may read any: all of them take the place.
fn resolve_columns(select: &mut Select, session: &Session) {
    let place = select.selectors.iter().find_map(|selector| match &selector.expression.kind {
        SelectableKind::Column(name) if cql::is_template(&name.text) => Some(name.span),
        _ => None,
    });
    let keyspace = select.table.keyspace.as_ref().map(|name| &*name.text);
    let keyspace = keyspace.or(session.keyspace.as_deref()).unwrap_or_default();
    let table = session.catalog.table(keyspace, &select.table.name.text);
    let (Some(span), Some(table)) = (place, table) else { return };
    let selector = |name: &str| Selector {
        expression: Selectable {
            kind: SelectableKind::Column(Name { text: name.into(), span }),
            span,
        },
        alias: None,
    };
    select.selectors = table.columns().iter().map(|column| selector(&column.name)).collect();
}

fn resolve_table(name: &mut QualifiedName, session: &Session) {
    let table = &*name.name.text;
    let is_known = |own: &str| session.catalog.table(own, table).is_some();
    let is_open = match (&name.keyspace, &session.keyspace) {
        (Some(keyspace), _) => cql::is_template(&keyspace.text),
        (None, used) => !used.as_deref().is_some_and(is_known),
    };
    if !is_open {
        return;
    }
    let keyspaces = session.catalog.keyspaces.keys();
    let mut having =
        keyspaces.filter(|keyspace| !keyspace.starts_with("system") && is_known(keyspace));
    if let (Some(only), None) = (having.next(), having.next()) {
        let span = name.keyspace.as_ref().map_or(name.name.span, |keyspace| keyspace.span);
        name.keyspace = Some(Name { text: only.into(), span });
    }
}
