//! PK005: an instant as the whole partition key.

use cql::printer::identifier;
use cql::types::NativeType;
use schema::catalog::{Column, Table};

use crate::project::query_shape::TableQuery;
use crate::vocabulary::matcher::matches_any;
use crate::vocabulary::table_names::is_log_name;
use crate::vocabulary::times::{is_time, is_time_bucket, is_time_span};
use crate::vocabulary::types::native_type;
use crate::{Check, Confidence, Project, Reporter, RuleEntry, Severity, TableFacts};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("pk005_instant_as_partition_key.md"), Check::Table(check));

fn check(project: &Project<'_>, facts: &TableFacts, reporter: &mut Reporter<'_>) {
    let table = &facts.table;
    let [column] = table.partition_key() else { return };
    if table.is_view {
        return;
    }
    let asked: Vec<TableQuery<'_>> = facts.queries(project).collect();
    let ranged = asked.iter().find(|asked| {
        let shape = &asked.shape;
        shape.ranged.contains(&0) || shape.order.first().is_some_and(|(column, _)| *column == 0)
    });
    if !is_moment(table, column, ranged.is_some()) {
        return;
    }
    let always_exact = !asked.is_empty() && asked.iter().all(|asked| asked.shape.is_fixed(0));
    let message = format!(
        "With `{}` as partition key, rows cannot be read by time range or in time order.",
        column.name
    );
    let finding = reporter.report(project.key_location(facts, &column.name), message);
    finding
        .with_column(table, column)
        .severity(if always_exact { Severity::Low } else { Severity::High })
        .confidence(if asked.is_empty() { Confidence::Medium } else { Confidence::High })
        .help(format!(
            "partition by the source of the rows and a time span, and cluster by the timestamp: PRIMARY KEY ((source, day), {0}) WITH CLUSTERING ORDER BY ({0} DESC)",
            identifier(&column.name)
        ));
    if let Some(ranged) = ranged {
        finding.with_related(ranged.seen.place, "this query reads a time range");
    }
}

/// A timestamp that is no span, or a timeuuid that is not an id: by its name, or because a query
/// reads a range of it.
fn is_moment(table: &Table, column: &Column, is_ranged: bool) -> bool {
    const TIMES: &[&str] =
        &["ts", "time", "*_ts", "*_time", "*_at", "*_date", "when", "created*", "*timestamp*"];
    match native_type(&column.ty) {
        Some(NativeType::Timestamp) => {
            !is_time_span(table, column) || matches_any(&column.name, &["window*"])
        }
        // A log of one row for each id cannot be read by time either.
        Some(NativeType::Timeuuid) => {
            let is_log = table.clustering().is_empty() && is_log_name(&table.name);
            is_ranged || is_log || matches_any(&column.name, TIMES)
        }
        // Seconds or milliseconds since 1970; a span has a name of its own.
        Some(NativeType::Bigint) => is_time(column) && !is_time_bucket(column),
        _ => false,
    }
}
