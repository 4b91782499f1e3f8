//! PK011: a column of the partition key that no query restricts.

use cql::printer::identifier;
use schema::catalog::Column;

use crate::facts::tables::is_registry;
use crate::project::query_shape::TableQuery;
use crate::remedies::NewKey;
use crate::vocabulary::keys::is_bucket;
use crate::{Check, Confidence, Project, Reporter, RuleEntry, TableFacts};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("pk011_partition_key_over_specified.md"), Check::Table(check));

/// The only column of the partition key that no query restricts, if every query restricts all
/// others.
pub(super) fn missing_column<'t>(
    project: &Project<'_>,
    facts: &'t TableFacts,
) -> Option<&'t Column> {
    let asked: Vec<TableQuery<'_>> = facts.queries(project).collect();
    let key = facts.table.partition_key();
    if asked.is_empty() || key.len() < 2 || facts.table.is_view {
        return None;
    }
    let is_missing = |at: usize| asked.iter().all(|asked| !asked.shape.is_used(at));
    let mut missing = (0..key.len()).filter(|at| is_missing(*at));
    let (Some(at), None) = (missing.next(), missing.next()) else { return None };
    let knows_others = |asked: &TableQuery<'_>| {
        (0..key.len()).filter(|other| *other != at).all(|other| asked.shape.is_fixed(other))
    };
    asked.iter().all(knows_others).then(|| key.get(at)).flatten()
}

fn check(project: &Project<'_>, facts: &TableFacts, reporter: &mut Reporter<'_>) {
    let table = &facts.table;
    let Some(column) = missing_column(project, facts) else { return };
    if is_registry(facts) {
        return;
    }
    let known: Vec<&str> = table
        .partition_key()
        .iter()
        .map(|other| &*other.name)
        .filter(|name| *name != &*column.name)
        .collect();
    let known = known.join(", ");
    let queries = if facts.queries.len() == 1 { "The query" } else { "All queries" };
    let restricts = if facts.queries.len() == 1 { "restricts" } else { "restrict" };
    let message = format!(
        "{queries} of {} {restricts} `{known}` but not `{}`, which is also in the partition key.",
        table.name, column.name
    );
    let new = NewKey::from_table(table).with_clustering_column(&column.name);
    let finding = reporter.report(project.key_location(facts, &column.name), message);
    finding.with_column(table, column).confidence(if facts.queries.len() > 1 {
        Confidence::High
    } else {
        Confidence::Medium
    });
    // Buckets keep partitions small: queries have to restrict them.
    if is_bucket(column) {
        finding.help(format!(
            "restrict the bucket in every query: add AND {} = ?",
            identifier(&column.name)
        ));
    } else {
        finding
            .help(format!("move `{}` to the clustering columns: {}", column.name, new.clause()))
            .with_fix(project.rekey_fix(facts, &new, "move the column to the clustering columns"));
    }
    if let Some(first) = facts.queries(project).next() {
        finding.with_related(first.seen.place, "this query does not restrict it");
    }
}
