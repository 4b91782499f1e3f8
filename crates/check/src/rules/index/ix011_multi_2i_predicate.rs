//! IX011: conditions on several legacy indexes.

use schema::catalog::IndexClass;

use crate::{Check, Project, ReplayedStatement, Reporter, RuleEntry};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("ix011_multi_2i_predicate.md"), Check::Statement(check));

fn check(project: &Project<'_>, seen: &ReplayedStatement, reporter: &mut Reporter<'_>) {
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
        "create both indexes USING 'sai', which can intersect two of them, or read from a table whose key is both columns"
    } else {
        "read from a table whose key is both columns"
    };
    let message = format!(
        "Only one secondary index is used: the more selective one of {} and {}.",
        first.name, other.name
    );
    reporter
        .report(project.select_location(seen), message)
        .with_table(&read.table)
        .note("its rows are filtered by the other predicates, hence ALLOW FILTERING")
        .help(instead);
}
