//! The tables that statements of programs mean: their keyspace is often put in by the program, or named when it connects.

use cql::statement::write::WriteKind;
use cql::{Name, Parsed, QualifiedName, StatementKind};
use model::Session;

/// Puts in the keyspace that statements leave open, where one keyspace alone has the table.
pub(super) fn keyspaces(parsed: &mut Parsed, session: &Session) {
    for statement in &mut parsed.statements {
        match &mut statement.kind {
            StatementKind::Select(select) => complete(&mut select.table, session),
            StatementKind::Insert(insert) => complete(&mut insert.table, session),
            StatementKind::Update(update) => complete(&mut update.table, session),
            StatementKind::Delete(delete) => complete(&mut delete.table, session),
            StatementKind::Batch(batch) => {
                for statement in &mut batch.statements {
                    match &mut statement.kind {
                        WriteKind::Insert(insert) => complete(&mut insert.table, session),
                        WriteKind::Update(update) => complete(&mut update.table, session),
                        WriteKind::Delete(delete) => complete(&mut delete.table, session),
                    }
                }
            }
            _ => {}
        }
    }
}

fn complete(name: &mut QualifiedName, session: &Session) {
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
        name.keyspace = Some(Name { text: only.clone(), span });
    }
}
