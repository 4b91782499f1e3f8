//! Infers the keyspace of unqualified statements, which an application would name when it connects.

use std::collections::BTreeSet;

use check::{SourceText, TextKind};
use cql::statement::write::WriteKind;
use cql::{QualifiedName, Statement, StatementKind};

/// The keyspace of unqualified statements: the only one that the texts create, if no text has USE
/// and those that create it qualify every name. Unqualified texts are then those of an application,
/// whose driver names the keyspace. If the texts create none, it is the only one that they name
/// where they create tables, or change tables that they create.
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
    if created.is_empty() {
        created = find_keyspace_names(texts)?;
    }
    let mut created = created.into_iter();
    created.next().filter(|_| created.next().is_none()).map(Into::into)
}

/// The keyspaces that qualified names are in, if a table of the texts is in one.
fn find_keyspace_names<'t>(texts: &'t [SourceText<'_>]) -> Option<BTreeSet<&'t str>> {
    let schemas = texts.iter().filter(|text| text.kind != TextKind::Program);
    let kinds = schemas.flat_map(|text| &text.parsed.statements).map(|statement| &statement.kind);
    let creates = |kind: &&StatementKind| matches!(kind, StatementKind::CreateTable(_));
    let created: BTreeSet<&str> = kinds
        .clone()
        .filter(creates)
        .filter_map(qualified_name)
        .map(|name| &*name.name.text)
        .collect();
    let mut named = BTreeSet::new();
    let mut is_table = false;
    for name in kinds.filter_map(qualified_name) {
        is_table |= name.keyspace.is_some() && created.contains(&*name.name.text);
        named.extend(name.keyspace.as_ref().map(|name| &*name.text));
    }
    is_table.then_some(named)
}

/// The keyspaces that a text names, if it creates none: they are those of the server that the text is
/// meant for.
pub(crate) fn list_existing(statements: &[Statement]) -> Vec<String> {
    let is_creation =
        |statement: &Statement| matches!(statement.kind, StatementKind::CreateKeyspace(_));
    if statements.iter().any(is_creation) {
        return Vec::new();
    }
    let name = |statement: &Statement| match &statement.kind {
        StatementKind::Use(named) => Some(named.keyspace.text.to_string()),
        kind => qualified_name(kind)?.keyspace.as_ref().map(|name| name.text.to_string()),
    };
    let mut names: Vec<String> = Vec::new();
    for name in statements.iter().filter_map(name) {
        if !names.contains(&name) && !name.starts_with("system") {
            names.push(name);
        }
    }
    names
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

    #[test]
    fn a_text_without_keyspaces_is_meant_for_existing_ones() {
        let list = |text: &str| list_existing(&cql::parse(text).statements);
        let table = "CREATE TABLE shop.orders (id int PRIMARY KEY);";
        assert_eq!(list(table), ["shop"]);
        assert_eq!(list(&format!("USE other; {table} {table}")), ["other", "shop"]);
        assert!(list("CREATE TABLE orders (id int PRIMARY KEY);").is_empty());
        assert!(list("CREATE KEYSPACE k WITH x = 1; USE l;").is_empty());
    }

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
        let table = "CREATE TABLE shop.orders (id int PRIMARY KEY);";
        assert_eq!(keyspace(&[table, query]).as_deref(), Some("shop"));
        assert_eq!(keyspace(&["SELECT * FROM shop.orders;", query]), None);
        let steps = ["CREATE TABLE orders (id int PRIMARY KEY);", "DROP TABLE shop.orders;"];
        assert_eq!(keyspace(&steps).as_deref(), Some("shop"));
    }
}
