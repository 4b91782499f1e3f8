//! Keyspaces that texts use and none of them creates: they are taken for existing, as somebody else creates them.

use std::collections::BTreeSet;

use cql::StatementKind;
use schema::Session;

use super::SourceText;
use crate::statement_object;

/// Takes them for existing.
pub(crate) fn assume(texts: &[SourceText<'_>], session: &mut Session) {
    let mut created: BTreeSet<&str> = BTreeSet::new();
    let mut used: BTreeSet<&str> = BTreeSet::new();
    for statement in texts.iter().flat_map(|text| &text.parsed.statements) {
        match &statement.kind {
            StatementKind::CreateKeyspace(create) => {
                created.insert(&create.name.text);
            }
            StatementKind::Use(target) => {
                used.insert(&target.keyspace.text);
            }
            kind => {
                let name = statement_object::find_object(kind, statement.span);
                used.extend(name.and_then(|name| name.keyspace.as_ref()).map(|name| &*name.text));
            }
        }
    }
    let before = session.keyspace.clone();
    for name in used.difference(&created) {
        if session.catalog.keyspace(name).is_none() {
            // A name that the server does not accept stays unknown, and its statements say so.
            let _ = session.assume_keyspace(name);
        }
    }
    session.keyspace = before;
}
