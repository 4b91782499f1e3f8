//! Infers the keyspace of unqualified statements, which an application would name when it connects.

use std::collections::BTreeSet;

use check::{SourceText, TextKind};
use cql::statement::write::WriteKind;
use cql::{QualifiedName, Statement, StatementKind};

/// The keyspace of unqualified statements: the only one that the texts create, if no text has USE
/// and those that create it qualify every name. Unqualified texts are then those of an application,
/// whose driver names the keyspace.
pub(crate) fn infer_keyspace(texts: &[SourceText<'_>]) -> Option<Box<str>> {
    let mut created: BTreeSet<&str> = BTreeSet::new();
    for text in texts.iter().filter(|text| text.kind != TextKind::Program) {
        let before = created.len();
        for statement in &text.parsed.statements {
            match &statement.kind {
                StatementKind::Use(_) => return None,
                StatementKind::CreateKeyspace(create) => {
                    created.insert(&create.name.text);
                }
                _ => {}
            }
        }
        if created.len() > before && text.parsed.statements.iter().any(is_unqualified) {
            return None;
        }
    }
    let mut created = created.into_iter();
    created.next().filter(|_| created.next().is_none()).map(Into::into)
}

/// Whether a text has unqualified names and neither USE nor CREATE KEYSPACE: a keyspace is assumed
/// then.
pub(crate) fn is_missing(texts: &[SourceText<'_>]) -> bool {
    let names_one = |statement: &Statement| {
        matches!(statement.kind, StatementKind::Use(_) | StatementKind::CreateKeyspace(_))
    };
    texts.iter().any(|text| {
        let statements = &text.parsed.statements;
        statements.iter().any(is_unqualified) && !statements.iter().any(names_one)
    })
}

/// Whether a statement depends on the current keyspace.
fn is_unqualified(statement: &Statement) -> bool {
    if let StatementKind::Batch(batch) = &statement.kind {
        return batch.statements.iter().any(|statement| match &statement.kind {
            WriteKind::Insert(insert) => insert.table.keyspace.is_none(),
            WriteKind::Update(update) => update.table.keyspace.is_none(),
            WriteKind::Delete(delete) => delete.table.keyspace.is_none(),
        });
    }
    qualified_name(&statement.kind).is_some_and(|name| name.keyspace.is_none())
}

fn qualified_name(kind: &StatementKind) -> Option<&QualifiedName> {
    Some(match kind {
        StatementKind::Select(select) => &select.table,
        StatementKind::Insert(insert) => &insert.table,
        StatementKind::Update(update) => &update.table,
        StatementKind::Delete(delete) => &delete.table,
        StatementKind::CreateTable(create) => &create.name,
        StatementKind::AlterTable(alter) => &alter.name,
        StatementKind::DropTable(drop) => &drop.name,
        StatementKind::Truncate(truncate) => &truncate.table,
        StatementKind::CreateIndex(create) => &create.table,
        StatementKind::CreateView(create) => &create.name,
        StatementKind::CreateType(create) => &create.name,
        StatementKind::CreateFunction(create) => &create.name,
        StatementKind::CreateAggregate(create) => &create.name,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keyspace(texts: &[&str]) -> Option<Box<str>> {
        let texts: Vec<SourceText<'_>> = texts
            .iter()
            .map(|text| SourceText {
                name: "",
                text,
                parsed: cql::parse(text),
                kind: TextKind::Cql,
                is_reported: true,
            })
            .collect();
        infer_keyspace(&texts)
    }

    #[test]
    fn the_only_keyspace_is_inferred() {
        let schema =
            "CREATE KEYSPACE shop WITH x = 1; CREATE TABLE shop.orders (id int PRIMARY KEY);";
        let query = "SELECT * FROM orders;";
        assert_eq!(keyspace(&[schema, query]).as_deref(), Some("shop"));
        assert_eq!(keyspace(&[schema, "USE shop;", query]), None);
        assert_eq!(keyspace(&[&format!("{schema}{query}")]), None);
        assert_eq!(keyspace(&[schema, "CREATE KEYSPACE other WITH x = 1;"]), None);
        assert_eq!(keyspace(&[query]), None);
    }
}
