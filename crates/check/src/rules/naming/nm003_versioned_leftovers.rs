//! NM003: an old version of a table in addition to the new one.

use schema::catalog::Table;

use crate::{Check, Confidence, Project, Reporter, RuleEntry, TableFacts};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("nm003_versioned_leftovers.md"), Check::Table(check));

fn check(project: &Project<'_>, facts: &TableFacts, reporter: &mut Reporter<'_>) {
    let table = &facts.table;
    let Some(older) = base_name(&table.name) else { return };
    let Some(old) = project.table(&table.keyspace, older) else { return };
    // DM006 reports tables that hold the same rows.
    if table.is_view || old.table.is_view || is_copy(&old.table, table) {
        return;
    }
    let message =
        format!("The old version `{older}` still exists in addition to `{}`.", table.name);
    reporter
        .report(facts.place, message)
        .with_table(table)
        .confidence(Confidence::Low)
        .with_related(old.place, "the old version")
        .help(format!("migrate the remaining readers and writers, then DROP TABLE {older}"));
}

/// The name without its version: of `users_v2` it is `users`.
fn base_name(name: &str) -> Option<&str> {
    let (stem, version) = name.rsplit_once('_')?;
    let number = version.strip_prefix('v').unwrap_or_default();
    let is_version = !number.is_empty() && number.bytes().all(|digit| digit.is_ascii_digit());
    (is_version || version == "new").then_some(stem)
}

/// Whether one table has the key of the other, and at least its columns.
fn is_copy(one: &Table, other: &Table) -> bool {
    let key = |table: &Table| -> Vec<Box<str>> {
        table.primary_key().iter().map(|column| column.name.clone()).collect()
    };
    let within = |one: &Table, other: &Table| {
        one.columns().iter().all(|column| other.column(&column.name).is_some())
    };
    key(one) == key(other) && (within(one, other) || within(other, one))
}
