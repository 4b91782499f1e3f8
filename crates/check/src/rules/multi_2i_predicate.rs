//! IX011: conditions on several legacy indexes.

use schema::catalog::IndexClass;

use crate::{Category, Check, Project, ReplayedStatement, Reporter, Requirement, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "IX011",
    name: "multi-2i-predicate",
    category: Category::Index,
    severity: Severity::Medium,
    requires: &[Requirement::Schema, Requirement::Queries, Requirement::Target],
    by_default: true,
    limits: &[],
    check: Check::Statement(check),
    page: include_str!("multi_2i_predicate.md"),
};

fn check(project: &Project<'_>, seen: &ReplayedStatement, found: &mut Reporter<'_>) {
    let Some(read) = seen.read() else { return };
    let Some(used) = &read.index else { return };
    let legacy = |name: &str| {
        read.table
            .indexes
            .iter()
            .find(|index| &*index.column == name && index.class == IndexClass::Legacy)
    };
    let Some(first) = used.indexes.first().and_then(|at| read.table.indexes.get(*at)) else {
        return;
    };
    let filtered = read.filtering.columns.iter().filter_map(|at| read.table.columns().get(*at));
    let other = filtered
        .filter(|column| column.name != first.column)
        .find_map(|column| legacy(&column.name));
    let Some(other) = other.filter(|_| first.class == IndexClass::Legacy) else { return };
    let instead = if project.settings.target.is_apache_from((5, 0)) {
        "create both with USING 'sai', which intersects two of them, or read a table whose key is both columns"
    } else {
        "read a table whose key is both columns"
    };
    let message = format!(
        "Only one 2i is used: of {} and {} the one that expects fewer rows.",
        first.name, other.name
    );
    found
        .report(project.select_location(seen), message)
        .with_table(&read.table)
        .note("what it finds is filtered by the rest, hence ALLOW FILTERING")
        .help(instead);
}
