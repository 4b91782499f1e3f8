//! MG008: A program creates its schema when it starts.

use std::collections::BTreeSet;

use cql::StatementKind;

use crate::facts::is_test_schema;
use crate::{Check, Confidence, Product, Project, Reporter, RuleEntry};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("mg008_concurrent_ddl.md"), Check::Project(check));

fn check(project: &Project<'_>, found: &mut Reporter<'_>) {
    // These have one place where schemas change.
    if matches!(project.settings.target.product, Product::Astra | Product::Keyspaces) {
        return;
    }
    let mut told = BTreeSet::new();
    for (_, seen) in project.definitions() {
        let is_program = project.is_program(seen.place);
        if !is_program || told.contains(&seen.place.text) {
            continue;
        }
        let what = match project.syntax(seen).map(|known| &known.kind) {
            Some(StatementKind::CreateTable(_)) => "a table",
            Some(StatementKind::CreateKeyspace(_)) => "a keyspace",
            Some(StatementKind::CreateType(_)) => "a type",
            Some(StatementKind::CreateIndex(_)) => "an index",
            Some(StatementKind::CreateView(_)) => "a view",
            Some(StatementKind::AlterTable(_)) => "an altered table",
            _ => continue,
        };
        if is_test_schema(project, seen.place, seen.keyspace.as_deref().unwrap_or_default()) {
            continue;
        }
        told.insert(seen.place.text);
        found
            .report(seen.place, format!("The program brings {what}: several of its processes that start at once race."))
            .confidence(Confidence::Medium)
            .with_keyspace(seen.keyspace.as_deref().unwrap_or_default())
            .note("IF NOT EXISTS does not help: two nodes may each create the table, under different ids")
            .help("let one process change the schema before the others start, and wait for schema agreement after each statement");
    }
}
