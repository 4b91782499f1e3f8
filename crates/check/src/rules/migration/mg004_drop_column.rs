//! MG004: A migration drops a column, and its values with it.

use schema::catalog::{Column, Table};

use crate::facts::migration::{can_hold_data, column_rename, key_renames, table_alteration};
use crate::facts::workload::{is_column_used, is_runtime_statement};
use crate::{
    Check, Confidence, MigrationStep, Project, ReplayedStatement, Reporter, RuleEntry, Severity,
};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("mg004_drop_column.md"), Check::Step(check));

fn check(project: &Project<'_>, step: &MigrationStep, reporter: &mut Reporter<'_>) {
    let Some((before, after)) = table_alteration(step) else { return };
    if !can_hold_data(project, step, &after.keyspace) {
        return;
    }
    let renamed = key_renames(before, after);
    let other_name = column_rename(before, after).filter(|_| step.statement.is_none());
    for column in before.columns().iter().filter(|column| after.column(&column.name).is_none()) {
        let is_renamed = renamed.iter().any(|(old, _)| old.name == column.name)
            || other_name.is_some_and(|(old, _)| old.name == column.name);
        // A key without the column is another key.
        if is_renamed || column.is_primary_key() {
            continue;
        }
        report_drop(project, step, after, column, reporter);
    }
}

fn report_drop(
    project: &Project<'_>,
    step: &MigrationStep,
    table: &Table,
    column: &Column,
    reporter: &mut Reporter<'_>,
) {
    let name = &column.name;
    let uses = |seen: &&ReplayedStatement| {
        is_runtime_statement(project, seen) && is_column_used(seen, table, name)
    };
    let user = project.facts(table).and_then(|facts| {
        let mut all = facts.reads(project).chain(facts.writes(project));
        all.find(uses)
    });
    let Some(user) = user else {
        let message = format!("Dropping `{name}` deletes its values on every node.");
        let help = "drop it in a later deployment than the one whose code stops using it, and allow(MG004) here";
        reporter
            .report(step.place, message)
            .with_column(table, column)
            .severity(Severity::Medium)
            .confidence(Confidence::Medium)
            .help(help);
        return;
    };
    let who = user.annotations.display_name();
    reporter
        .report(step.place, format!("The migration drops `{name}`, which {who} uses."))
        .with_column(table, column)
        .with_related(user.place, format!("this statement uses `{name}`"))
        .help("first deploy code that does not use it, then drop it");
}
