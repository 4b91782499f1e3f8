//! PK010: no query restricts the partition key.

use cql::printer::identifier;
use cql::relation::{InValues, RelationKind};

use super::pk011_partition_key_over_specified::missing_column;
use crate::facts::tables::is_registry;
use crate::facts::workload::is_parameter;
use crate::project::query_shape::TableQuery;
use crate::project::statement_title;
use crate::remedies::column_names;
use crate::{Check, Confidence, Project, Reporter, RuleEntry, TableFacts};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("pk010_partition_key_never_restricted.md"), Check::Table(check));

fn check(project: &Project<'_>, facts: &TableFacts, reporter: &mut Reporter<'_>) {
    let table = &facts.table;
    let asked: Vec<TableQuery<'_>> = facts.queries(project).collect();
    let Some(first) = asked.iter().find(|asked| asked.shape.has_predicates()) else { return };
    let through_index =
        |asked: &TableQuery<'_>| asked.seen.read().is_some_and(|read| read.index.is_some());
    if is_registry(facts)
        || asked.iter().any(|asked| asked.shape.has_partition_key(table) || through_index(asked))
        || missing_column(project, facts).is_some()
    {
        return;
    }
    let Some(column) = table.partition_key().first() else { return };
    let mut wanted: Vec<String> = Vec::new();
    for position in asked.iter().flat_map(|asked| &asked.shape.equal) {
        let name = table.columns().get(*position).map(|column| identifier(&column.name));
        wanted.extend(name.filter(|name| !wanted.contains(name)));
    }
    let help = if wanted.is_empty() {
        "partition the table by the columns that its queries restrict, or drop the table".to_owned()
    } else {
        format!(
            "partition the table by the columns that its queries restrict: PRIMARY KEY (({}), ...)",
            wanted.join(", ")
        )
    };
    reporter
        .report(
            project.key_location(facts, &column.name),
            format!(
                "No query of {} restricts its partition key `{}`.",
                table.name,
                column_names(table.partition_key())
            ),
        )
        .with_column(table, column)
        .confidence(if is_workload(&asked) { Confidence::High } else { Confidence::Low })
        .with_related(
            first.seen.place,
            format!("{} does not restrict it", statement_title(project, first.seen)),
        )
        .help(help);
}

/// A single query may be the exception in a workload that is not known, and literals alone are
/// examples.
fn is_workload(asked: &[TableQuery<'_>]) -> bool {
    let is_prepared = |asked: &TableQuery<'_>| {
        let values = asked.select.relations.iter().map(|relation| &relation.kind);
        asked.seen.rate().is_some()
            || values.into_iter().any(|kind| match kind {
                RelationKind::Column(_, _, term) => is_parameter(term),
                RelationKind::In { values: InValues::Marker(..), .. } => true,
                RelationKind::In { values: InValues::List(terms), .. } => {
                    terms.iter().any(is_parameter)
                }
                _ => false,
            })
    };
    asked.len() > 1 && asked.iter().any(is_prepared)
}
