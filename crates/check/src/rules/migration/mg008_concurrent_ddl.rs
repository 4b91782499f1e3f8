//! MG008: A program creates its schema when it starts.

use std::collections::BTreeSet;

use cql::StatementKind;

use crate::facts::tables::is_test_schema;
use crate::{Check, Confidence, Product, Project, Reporter, RuleEntry};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("mg008_concurrent_ddl.md"), Check::Project(check));

fn check(project: &Project<'_>, reporter: &mut Reporter<'_>) {
    // These environments have a separate place for schema changes.
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
            Some(StatementKind::CreateTable(_)) => "creates a table",
            Some(StatementKind::CreateKeyspace(_)) => "creates a keyspace",
            Some(StatementKind::CreateType(_)) => "creates a type",
            Some(StatementKind::CreateIndex(_)) => "creates an index",
            Some(StatementKind::CreateView(_)) => "creates a view",
            Some(StatementKind::AlterTable(_)) => "alters a table",
            _ => continue,
        };
        if is_test_schema(project, seen.place, seen.keyspace.as_deref().unwrap_or_default()) {
            continue;
        }
        told.insert(seen.place.text);
        reporter
            .report(seen.place, format!("The program {what}: its processes race if they start at the same time."))
            .confidence(Confidence::Medium)
            .with_keyspace(seen.keyspace.as_deref().unwrap_or_default())
            .note("IF NOT EXISTS does not help: two nodes may each create the table, with different ids")
            .help("change the schema in one process before the others start, and wait for schema agreement after each statement");
    }
}
