//! PK003: a constant partition key.

use cql::types::NativeType;
use model::figures;
use schema::catalog::Column;

use crate::facts::keys::{ConstantPartition, constant_partition, is_inlined_by_programs};
use crate::facts::tables::is_registry;
use crate::facts::workload::write_rate;
use crate::remedies::NewKey;
use crate::vocabulary::keys::is_constant_name;
use crate::vocabulary::matcher::matches_any;
use crate::vocabulary::times::is_time;
use crate::vocabulary::types::native_type;
use crate::{Check, Confidence, Limit, Project, Reporter, RuleEntry, Severity, TableFacts};

const ROWS: Limit = Limit::new("one-partition-rows", 100_000.0)
    .describe("number of rows above which a table should not be a single partition");
const RATE: Limit = Limit::new("one-partition-writes", 100.0)
    .describe("writes per second above which a table should not be a single partition");

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("pk003_constant_partition_key.md"), Check::Table(check))
        .with_limits(&[ROWS, RATE]);

fn check(project: &Project<'_>, facts: &TableFacts, reporter: &mut Reporter<'_>) {
    let table = &facts.table;
    let [column] = table.partition_key() else { return };
    // Without clustering columns one partition is one row.
    if table.is_view || table.clustering().is_empty() {
        return;
    }
    let constant = constant_partition(project, facts);
    if constant.is_none() && !is_constant_by_name(project, facts, column) {
        return;
    }
    let rows = facts.volume.rows;
    let rate = write_rate(project, facts);
    let severity = if is_registry(facts) || is_deliberate(facts, column) {
        Severity::Info
    } else if rows.is_some_and(|rows| rows > reporter.limit(&ROWS))
        || rate.is_some_and(|rate| rate > reporter.limit(&RATE))
    {
        Severity::High
    } else {
        Severity::Medium
    };
    let new = shard_key(facts, column);
    let finding = reporter
        .report(project.key_location(facts, &column.name), message(facts, column, constant));
    finding.with_column(table, column).severity(severity).help(format!(
        "distribute the rows over shards by a hash and read all shards: {}; if the table is a small registry, keep it and allow the finding with a reason",
        new.clause()
    ));
    match constant {
        Some(constant) => finding.with_related(constant.place, "the constant value is here"),
        None => finding.confidence(Confidence::Medium),
    };
    if let Some(rows) = rows {
        finding.note(format!("{} rows in one partition", figures::format_count(rows)));
    }
    if let Some(rate) = rate {
        finding.note(format!("{} writes to one partition", figures::format_rate(rate)));
    }
    finding.with_fix(project.rekey_fix(facts, &new, "distribute the rows over shards"));
}

fn message(facts: &TableFacts, column: &Column, constant: Option<ConstantPartition<'_>>) -> String {
    let (table, name) = (&facts.table.name, &column.name);
    match constant {
        Some(ConstantPartition { value, .. }) => format!(
            "All rows of {table} are in partition `{name} = {value}`, so one replica set serves the whole table."
        ),
        None => format!(
            "`{name}` is the only partition key column of {table}; if it is constant, one replica set serves the whole table."
        ),
    }
}

/// Without statements, or with those of programs that inline the value: a name typical of
/// constants, and rows ordered by time. Shards are followed by ids.
fn is_constant_by_name(project: &Project<'_>, facts: &TableFacts, column: &Column) -> bool {
    use NativeType::{Ascii, Bigint, Int, Smallint, Text};
    let is_plain = matches!(native_type(&column.ty), Some(Ascii | Bigint | Int | Smallint | Text));
    let is_time_next = facts.table.clustering().first().is_some_and(is_time);
    let is_silent = facts.queries.is_empty() && facts.writes.is_empty();
    is_plain
        && is_time_next
        && is_constant_name(column)
        && (is_silent || is_inlined_by_programs(project, facts, column))
}

/// Whether the name marks the column as constant and no time follows it: a short list that is to be
/// sorted.
fn is_deliberate(facts: &TableFacts, column: &Column) -> bool {
    const WORDS: &[&str] = &["*always*", "dummy*", "singleton*", "constant*", "fixed*"];
    let has_history = facts.table.clustering().iter().any(is_time);
    !has_history && facts.volume.rows.is_none() && matches_any(&column.name, WORDS)
}

fn shard_key(facts: &TableFacts, column: &Column) -> NewKey {
    let mut new = NewKey::from_table(&facts.table);
    new.partition.retain(|name| *name != column.name);
    new.with_new_partition_column(&facts.table, "shard", "smallint")
}
