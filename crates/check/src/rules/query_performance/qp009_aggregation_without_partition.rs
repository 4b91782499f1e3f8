//! QP009: an aggregate over the whole table.

use model::figures::format_count;
use schema::access::Partitions;

use crate::facts::tables::{is_registry, is_system_table, is_test_schema};

use crate::{Check, Project, ReplayedStatement, Reporter, RuleEntry, Severity};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("qp009_aggregation_without_partition.md"), Check::Statement(check));

fn check(project: &Project<'_>, seen: &ReplayedStatement, reporter: &mut Reporter<'_>) {
    let Some(read) = seen.read() else { return };
    let is_partition = |at: &usize| *at < read.table.partition_key().len();
    let is_named =
        read.partitions != Partitions::All || read.filtering.columns.iter().any(is_partition);
    if !read.aggregates || is_named || is_system_table(project, &read.table) {
        return;
    }
    let facts = project.facts(&read.table);
    let is_small = facts.is_some_and(is_registry);
    let place = project.select_location(seen);
    let for_tests = is_test_schema(project, place, &read.table.keyspace);
    let severity = match () {
        () if is_small || for_tests => Severity::Info,
        () if read.index.is_some() => Severity::Medium,
        () => Severity::High,
    };
    let what = if read.index.is_some() {
        "the index matches in the whole table"
    } else {
        "the whole table"
    };
    let one = reporter.report(place, format!("The query aggregates {what} on one coordinator."));
    one.with_table(&read.table).severity(severity);
    if let Some(rows) = facts.and_then(|facts| facts.volume.rows) {
        one.note(format!("each execution reads {} rows", format_count(rows)));
    }
    one.help("maintain the aggregate in a counter or a separate table, or use an analytics engine");
}
