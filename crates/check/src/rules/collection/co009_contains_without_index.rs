//! CO009: elements that are searched in all rows.

use cql::StatementKind;
use schema::access::{FilterScope, Partitions};
use schema::catalog::{Column, Table};

use crate::facts::tables::{is_registry, is_system_table};
use crate::facts::workload::{element_predicate, is_element_filter};
use crate::{Check, Location, Project, ReplayedStatement, Reporter, RuleEntry, Severity};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("co009_contains_without_index.md"), Check::Statement(check));

fn check(project: &Project<'_>, seen: &ReplayedStatement, reporter: &mut Reporter<'_>) {
    let (Some(read), Some(statement)) = (seen.read(), project.syntax(seen)) else { return };
    let StatementKind::Select(select) = &statement.kind else { return };
    if read.filtering.scope != FilterScope::Everywhere
        || is_system_table(project, &read.table)
        // QP001 reports filters on other columns too, which one index would not serve.
        || !is_element_filter(read, select)
        || project.facts(&read.table).is_some_and(is_registry)
    {
        return;
    }
    let by_tokens = matches!(read.partitions, Partitions::TokenRange { .. });
    let severity = if by_tokens { Severity::Medium } else { Severity::High };
    for relation in &select.relations {
        let Some((name, part)) = element_predicate(relation) else { continue };
        let Some(column) = read.table.column(&name.text) else { continue };
        let place = Location { text: seen.place.text, span: relation.span };
        reporter
            .report(
                place,
                format!(
                    "No index covers the elements of `{}`, so every row of {} is read.",
                    name.text, read.table.name
                ),
            )
            .with_column(&read.table, column)
            .severity(severity)
            .help(help(project, &read.table, column, part));
    }
}

fn help(project: &Project<'_>, table: &Table, column: &Column, part: &str) -> String {
    let (table, column) =
        (cql::printer::identifier(&table.name), cql::printer::identifier(&column.name));
    let kind = if project.settings.target.is_apache_from((5, 0)) { " USING 'sai'" } else { "" };
    format!(
        "create a table keyed by element, or index the elements: CREATE INDEX ON {table} ({part}({column})){kind}"
    )
}
