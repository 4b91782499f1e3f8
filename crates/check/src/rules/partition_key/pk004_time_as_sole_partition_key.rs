//! PK004: a time span as the whole partition key.

use cql::types::NativeType;
use model::figures;
use schema::catalog::Column;

use crate::facts::keys::constant_partition;
use crate::facts::tables::is_registry;
use crate::facts::workload::write_rate;
use crate::remedies::NewKey;
use crate::vocabulary::matcher::matches_any;
use crate::vocabulary::times::{bucket_seconds, is_time_bucket, is_time_span};
use crate::vocabulary::types::native_type;
use crate::{Check, Confidence, Limit, Project, Reporter, RuleEntry, Severity, TableFacts};

const RATE: Limit = Limit::new("time-partition-writes", 1_000.0)
    .describe("writes per second to the partition of the current time span");
const BYTES: Limit = Limit::new("time-partition-bytes", 100e6)
    .describe("size in bytes of the partition of one time span");
/// Seconds of a day: without a rate, coarser spans are worse.
const DAY: f64 = 86_400.0;

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("pk004_time_as_sole_partition_key.md"), Check::Table(check))
        .with_limits(&[RATE, BYTES]);

fn check(project: &Project<'_>, facts: &TableFacts, reporter: &mut Reporter<'_>) {
    let table = &facts.table;
    // A day and its hour are one span of time.
    let [column, finer @ ..] = table.partition_key() else { return };
    if !finer.iter().all(is_part_of_time) || !is_time_span(table, column) {
        return;
    }
    let column = finer.last().unwrap_or(column);
    let is_moment = native_type(&column.ty) == Some(NativeType::Timestamp)
        && matches_any(&column.name, &["window*"]);
    if table.is_view
        || table.clustering().is_empty()
        || is_moment
        || is_registry(facts)
        || constant_partition(project, facts).is_some()
    {
        return;
    }
    let rate = rate(project, facts);
    let span = bucket_seconds(column);
    let bytes = rate.zip(span).map(|(rate, span)| facts.volume.partition_bytes(rate * span));
    let is_too_much = rate.is_some_and(|rate| rate > reporter.limit(&RATE))
        || bytes.is_some_and(|bytes| bytes > reporter.limit(&BYTES));
    let (severity, confidence) = match rate {
        Some(_) if is_too_much => (Severity::Critical, Confidence::High),
        Some(rate) if rate >= 10.0 => (Severity::High, Confidence::High),
        Some(rate) if rate >= 1.0 => (Severity::Medium, Confidence::High),
        None if span.is_some_and(|span| span > DAY) => (Severity::Medium, Confidence::Medium),
        None => (Severity::Low, Confidence::Medium),
        Some(_) => (Severity::Info, Confidence::Medium),
    };
    let unit = unit(column);
    let message =
        format!("All writes of the current {unit} go to a single partition of {}.", table.name);
    let new = NewKey::from_table(table).with_new_partition_column(table, "shard", "smallint");
    let finding = reporter.report(project.key_location(facts, &column.name), message);
    finding.with_column(table, column).severity(severity).confidence(confidence).help(format!(
        "add an id or a shard to the partition key in addition to the {unit}: {}",
        new.clause()
    ));
    if let Some(rate) = rate {
        let size = bytes.map(|bytes| format!(", {} per {unit}", figures::format_bytes(bytes)));
        let size = size.unwrap_or_default();
        finding.note(format!("{} writes to one partition{size}", figures::format_rate(rate)));
    }
    finding.with_fix(project.rekey_fix(facts, &new, "distribute each time span over shards"));
}

/// Whether a column is a span of time within another.
fn is_part_of_time(column: &Column) -> bool {
    const PARTS: &[&str] = &["month", "week", "day", "hour", "minute"];
    is_time_bucket(column) && matches_any(&column.name, PARTS)
}

/// Writes per second, all of which fall on the current partition.
fn rate(project: &Project<'_>, facts: &TableFacts) -> Option<f64> {
    let each = facts.volume.each.and_then(|each| Some(each.mean / each.per?));
    write_rate(project, facts).or(each)
}

/// The name of the time span.
fn unit(column: &Column) -> &'static str {
    match bucket_seconds(column) {
        Some(seconds) if seconds < 3_600.0 => "minute",
        Some(seconds) if seconds < DAY => "hour",
        Some(seconds) if seconds < 2.0 * DAY => "day",
        Some(seconds) if seconds < 8.0 * DAY => "week",
        Some(seconds) if seconds < 32.0 * DAY => "month",
        Some(_) => "year",
        None => "time span",
    }
}
