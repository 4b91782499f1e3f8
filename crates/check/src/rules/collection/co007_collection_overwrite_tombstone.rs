//! CO007: collections and user types that are overwritten as a whole.

use cql::term::TermKind;
use cql::types::Type;
use schema::catalog::{Column, Table};

use super::multi_cell_columns;
use crate::facts::lifetimes::compaction_class;
use crate::facts::workload::{ColumnOperation, ColumnWrite, table_column_writes};
use crate::{Check, Confidence, Project, Reporter, RuleEntry, Severity, TableFacts};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("co007_collection_overwrite_tombstone.md"), Check::Table(check));

fn check(project: &Project<'_>, facts: &TableFacts, reporter: &mut Reporter<'_>) {
    let table = &facts.table;
    let columns = multi_cell_columns(facts);
    if columns.is_empty() {
        return;
    }
    let touched = table_column_writes(project, facts);
    for column in columns {
        let own = || touched.iter().filter(|one| one.column.name == column.name);
        // If elements are written one by one, an UPDATE of the whole is a reset; an INSERT creates
        // the row.
        let has_parts = own().any(|one| one.operation.is_partial());
        let writes = |one: &&ColumnWrite<'_>| is_overwrite(one) && (one.inserts || !has_parts);
        let Some(first) = own().find(writes) else {
            if touched.is_empty() {
                check_structure(project, facts, column, reporter);
            }
            continue;
        };
        let (name, count) = (&column.name, own().filter(writes).count());
        // One INSERT and no later write: a single tombstone for each row.
        let is_written_once = !has_parts && count == 1 && first.inserts;
        let help = if has_parts {
            format!("insert the row without `{name}`, then use UPDATE ... SET {name} = {name} + ?")
        } else {
            format!(
                "declare `{name}` as {}, or change its elements with + and -",
                column.ty.freeze()
            )
        };
        let finding = reporter
            .report(first.place, format!("Every overwrite of `{name}` writes a tombstone."));
        finding
            .with_column(table, column)
            .severity(if is_written_once { Severity::Low } else { severity(table) })
            .with_related(project.column_location(facts, name), "not frozen")
            .help(help);
        if count > 1 {
            finding.note(format!("{count} statements overwrite it"));
        }
    }
}

/// A read of one row meets one tombstone; a read of many rows as many.
fn severity(table: &Table) -> Severity {
    if table.clustering().is_empty() { Severity::Low } else { Severity::Medium }
}

/// Without statements: if whole windows of rows expire together, rows and their collections are
/// written once, as a whole; and lists of records are rarely written by element.
fn check_structure(
    project: &Project<'_>,
    facts: &TableFacts,
    column: &Column,
    reporter: &mut Reporter<'_>,
) {
    let in_windows = compaction_class(&facts.table) == "TimeWindowCompactionStrategy";
    let is_record = |ty: &Type| matches!(ty, Type::User(..) | Type::Tuple(_));
    let (confidence, note) = match &column.ty {
        _ if in_windows => (
            Confidence::Medium,
            "TimeWindowCompactionStrategy is intended for rows that are written once",
        ),
        Type::List(element, _) if is_record(element) => {
            (Confidence::Low, "lists of records are usually written as a whole")
        }
        _ => return,
    };
    let name = &column.name;
    reporter
        .report(
            project.column_location(facts, name),
            format!("Every INSERT of `{name}` as a whole writes a tombstone."),
        )
        .with_column(&facts.table, column)
        .severity(severity(&facts.table))
        .confidence(confidence)
        .note(note)
        .help(format!("declare `{name}` as {}", column.ty.freeze()));
}

/// Whether a statement sets the column to a value other than null.
fn is_overwrite(one: &ColumnWrite<'_>) -> bool {
    let is_empty = one.value.is_some_and(|value| match &value.kind {
        TermKind::List(values) | TermKind::Set(values) => values.is_empty(),
        TermKind::Map(entries) => entries.is_empty(),
        _ => false,
    });
    one.operation == ColumnOperation::Replace && !is_empty
}
