//! MG006: A migration deletes all data of a table or keyspace.

use super::mg007_drop_and_recreate::recreations;
use cql::StatementKind;
use schema::catalog::Table;

use crate::facts::migration::can_hold_data;
use crate::facts::tables::is_test_schema;
use crate::facts::workload::TableUsage;
use crate::project::{ObjectChange, TextKind};
use crate::{Check, MigrationStep, Project, ReplayedStatement, Reporter, RuleEntry};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("mg006_destructive_statement.md"), Check::Project(check));

fn check(project: &Project<'_>, reporter: &mut Reporter<'_>) {
    let uses = TableUsage::new(project);
    let recreated = recreations(project);
    for step in &project.steps {
        // Other rules report what is still used or recreated at once.
        if step.statement.is_some_and(|at| recreated.contains_key(&at)) {
            continue;
        }
        match &step.change {
            ObjectChange::Table { before: Some(table), after: None } => {
                // Dropping a keyspace drops its tables.
                let is_kept =
                    step.statement.is_some() || project.catalog.keyspace(&table.keyspace).is_some();
                if is_kept
                    && uses.statements(table).is_empty()
                    && can_hold_data(project, step, &table.keyspace)
                {
                    report_drop(project, step, table, reporter);
                }
            }
            ObjectChange::Keyspace { before: Some(state), after: None }
                if can_hold_data(project, step, &state.name) =>
            {
                let message =
                    format!("The migration deletes keyspace `{}` with all its tables.", state.name);
                let note =
                    "each node keeps a snapshot of the tables, unless auto_snapshot is disabled";
                reporter
                    .report(step.place, message)
                    .with_keyspace(&state.name)
                    .note(note)
                    .help(HELP);
            }
            _ => {}
        }
    }
    for (_, seen) in project.definitions() {
        report_truncate(project, seen, reporter);
    }
}

const HELP: &str = "if this is intended, allow it with a reason: -- helenus: allow(MG006) reason";

fn report_drop(
    project: &Project<'_>,
    step: &MigrationStep,
    table: &Table,
    reporter: &mut Reporter<'_>,
) {
    let finding = reporter
        .report(step.place, format!("The migration deletes `{}` with all its data.", table.name));
    finding.with_table(table).help(HELP);
    if table.params.allow_auto_snapshot {
        finding.note("each node keeps a snapshot, unless auto_snapshot is disabled");
    } else {
        finding.note("no snapshot is kept, because allow_auto_snapshot is disabled");
    }
    if let Some(next) = find_next_version(project, table) {
        finding.note(format!(
            "CQL cannot copy rows: make sure that a program has copied all of them to {}",
            next.name
        ));
    }
}

/// The table that takes the place of another: its name with something behind it, such as `_v2`, and all columns of its key.
fn find_next_version<'p>(project: &'p Project<'_>, table: &Table) -> Option<&'p Table> {
    let is_next = |next: &&Table| {
        next.keyspace == table.keyspace
            && next.name.len() > table.name.len()
            && next.name.starts_with(&*table.name)
            && table.primary_key().iter().all(|column| next.column(&column.name).is_some())
    };
    project.tables.iter().map(|facts| &*facts.table).find(is_next)
}

fn report_truncate(project: &Project<'_>, seen: &ReplayedStatement, reporter: &mut Reporter<'_>) {
    let text = project.texts.get(seen.place.text);
    if text.is_none_or(|text| text.kind != TextKind::Migration) {
        return;
    }
    let Some(StatementKind::Truncate(truncate)) = project.syntax(seen).map(|known| &known.kind)
    else {
        return;
    };
    let keyspace = truncate.table.keyspace.as_ref().map(|name| &*name.text);
    let Some(keyspace) = keyspace.or(seen.keyspace.as_deref()) else { return };
    let facts = project.table(keyspace, &truncate.table.name.text);
    let creates = facts.and_then(|facts| project.statements.get(facts.statement));
    let is_new = creates.is_some_and(|creates| creates.place.text == seen.place.text);
    if is_new || is_test_schema(project, seen.place, keyspace) {
        return;
    }
    let finding = reporter.report(
        seen.place,
        format!("The migration deletes all rows of `{}`.", truncate.table.name.text),
    );
    finding.with_keyspace(keyspace).note("TRUNCATE requires all nodes to be up").help(HELP);
    if let Some(facts) = facts {
        finding.with_table(&facts.table);
    }
}
