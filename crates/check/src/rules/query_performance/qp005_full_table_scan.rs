//! QP005: a SELECT that reads the whole table.

use model::figures::format_count;
use schema::access::{Count, FilterScope, Partitions, ReadOrder};

use crate::facts::tables::{is_migration_program, is_registry, is_system_table, is_test_schema};
use crate::vocabulary::keys::is_shard;
use crate::vocabulary::matcher::matches_any;

use crate::{Check, Limit, Project, ReplayedStatement, Reporter, RuleEntry, Severity, TableFacts};

const RARE: Limit = Limit::new("rare-rate", 1.0 / 3_600.0)
    .describe("executions per second up to which a scan counts as a batch job");

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("qp005_full_table_scan.md"), Check::Statement(check))
        .with_limits(&[RARE]);

/// Words in the name of a statement that runs as a job.
const JOBS: &[&str] = &[
    "*batch*",
    "*export*",
    "*analytic*",
    "*report*",
    "*backfill*",
    "*migrat*",
    "*scaveng*",
    "*reindex*",
    "*cleanup*",
    "*warmup*",
];

fn check(project: &Project<'_>, seen: &ReplayedStatement, reporter: &mut Reporter<'_>) {
    let Some(read) = seen.read() else { return };
    let scans = read.partitions == Partitions::All
        && read.index.is_none()
        && read.filtering.scope == FilterScope::None
        && read.order != ReadOrder::Nearest;
    // QP009 reports aggregates over the whole table.
    if !scans || read.aggregates || is_system_table(project, &read.table) {
        return;
    }
    let facts = project.facts(&read.table);
    let is_small = facts.is_some_and(|facts| is_registry(facts) || has_few_rows(facts));
    let place = project.select_location(seen);
    let is_job = seen.annotations.name.as_deref().is_some_and(|name| matches_any(name, JOBS))
        || seen.rate().is_some_and(|rate| rate <= reporter.limit(&RARE))
        || is_migration_program(project, place);
    // An existence check, or a query for which of a fixed number of shards exist.
    let is_probe = read.limit == Some(Count::Known(1))
        || read.distinct && read.table.partition_key().iter().all(is_shard);
    let for_tests = is_test_schema(project, place, &read.table.keyspace);
    let severity = match read.limit {
        _ if is_small || is_job || is_probe || for_tests => Severity::Info,
        Some(Count::Known(_)) => Severity::Medium,
        _ => Severity::High,
    };
    let rows = facts.and_then(|facts| facts.volume.rows);
    let message =
        format!("{} scans the whole token ring of {}.", seen.display_name(), read.table.name);
    let one = reporter.report(place, message);
    one.with_table(&read.table).severity(severity);
    if let Some(rows) = rows {
        one.note(format!("{} rows are read", format_count(rows)));
    }
    let key: Vec<&str> = read.table.partition_key().iter().map(|column| &*column.name).collect();
    let key = key.join(", ");
    one.help(format!(
        "restrict the partition key; in a batch job, read token ranges in parallel: WHERE token({key}) > ? AND token({key}) <= ?"
    ));
}

/// Whether a table can only hold current entries, or is a plain list of names.
fn has_few_rows(facts: &TableFacts) -> bool {
    let ttl = facts.table.params.default_time_to_live;
    let is_list = facts.table.columns().len() == 1;
    is_list || (1..=3_600).contains(&ttl)
}
