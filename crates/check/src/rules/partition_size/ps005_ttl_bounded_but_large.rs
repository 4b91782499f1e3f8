//! PS005: partitions that are bounded by a TTL, but still too large.

use model::figures;
use schema::catalog::Column;

use super::ps002_partition_bytes::{HUGE, LARGE, consequence, partition_severity};
use super::ps006_bucket_too_coarse::propose_bucket;
use crate::facts::lifetimes::has_ttl;
use crate::facts::tables::is_registry;
use crate::facts::workload::is_time_series;
use crate::project::GrowthEnd;
use crate::remedies::NewKey;
use crate::vocabulary::ids::is_id;
use crate::vocabulary::keys::is_bucket;
use crate::vocabulary::matcher::matches_any;
use crate::vocabulary::tenants::is_tenant;
use crate::vocabulary::times::is_time;
use crate::{Check, Confidence, Project, Reporter, RuleEntry, Severity, TableFacts};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("ps005_ttl_bounded_but_large.md"), Check::Table(check))
        .with_limits(&[LARGE, HUGE]);

fn check(project: &Project<'_>, facts: &TableFacts, reporter: &mut Reporter<'_>) {
    let table = &facts.table;
    let Some(first) = table.partition_key().first() else { return };
    let bucket = propose_bucket(project, reporter, facts);
    let key = NewKey::from_table(table).with_new_partition_column(table, bucket.name, bucket.ty);
    let help = format!("keep the TTL and add a time bucket: {}", key.clause());
    let place = project.key_location(facts, &first.name);
    let Some(size) = facts.volume.partition.as_ref() else {
        if !has_ttl(project, facts) {
            return;
        }
        if let Some(source) = series_source(facts) {
            return report_source(project, facts, source, reporter);
        }
        if !has_few_keys(project, facts) {
            return;
        }
        let names: Vec<&str> = table.partition_key().iter().map(|column| &*column.name).collect();
        let ttl = facts
            .volume
            .expires
            .map_or_else(String::new, |ttl| format!(" ({})", figures::format_duration(ttl)));
        let message = format!(
            "A partition of {} holds all rows of `{}` written within the TTL{ttl}.",
            table.name,
            names.join(", "),
        );
        reporter
            .report(place, message)
            .with_table(table)
            .confidence(Confidence::Low)
            .note("no column of the partition key has many values or is a time")
            .help(help);
        return;
    };
    let GrowthEnd::Expires(ttl) = size.until else { return };
    let Some(severity) = partition_severity(project, reporter, size.large_bytes) else { return };
    let message = format!(
        "Despite a TTL of {}, partitions reach {} in {}.",
        figures::format_duration(ttl),
        figures::format_bytes(size.large_bytes),
        table.name
    );
    let finding = reporter
        .report(place, message)
        .with_table(table)
        .severity(severity)
        .confidence(size.confidence)
        .help(help)
        .with_fix(project.rekey_fix(facts, &key, "split partitions by time"));
    finding.notes.extend(size.notes(facts));
    finding.notes.extend(bucket.sizes);
    finding.notes.extend(consequence(size.large_bytes));
}

/// The column that identifies a series, if a partition holds the series of all sources: it is a
/// clustering column before their times, instead of a column of the partition key.
fn series_source(facts: &TableFacts) -> Option<&Column> {
    const SOURCES: &[&str] = &[
        "host",
        "hostname",
        "host_id",
        "node",
        "node_id",
        "server",
        "instance",
        "instance_id",
        "device",
        "device_id",
        "sensor",
        "sensor_id",
    ];
    let table = &facts.table;
    let first = table.clustering().first().filter(|column| matches_any(&column.name, SOURCES))?;
    let times = table.clustering().iter().position(is_time)?;
    let is_split = table.partition_key().iter().any(is_bucket);
    (is_split && times > 1 && !table.is_view).then_some(first)
}

fn report_source(
    project: &Project<'_>,
    facts: &TableFacts,
    source: &Column,
    reporter: &mut Reporter<'_>,
) {
    let table = &facts.table;
    let mut key = NewKey::from_table(table);
    key.clustering.retain(|(name, _)| *name != source.name);
    key.partition.push(source.name.clone());
    let message = format!(
        "A partition of {} holds the series of every `{}` and grows with their number.",
        table.name, source.name
    );
    reporter
        .report(project.key_location(facts, &source.name), message)
        .with_column(table, source)
        .severity(Severity::Medium)
        .confidence(Confidence::Medium)
        .note("they all share one time bucket")
        .help(format!("give each its own partitions: {}", key.clause()));
}

/// Whether a series is stored under few names: no column of its partition key is an id, a tenant or
/// a bucket.
fn has_few_keys(project: &Project<'_>, facts: &TableFacts) -> bool {
    // The key of a tag or a label is a name as well.
    let is_one_of_many =
        |column: &Column| is_id(column) && !matches_any(&column.name, &["key", "*_key"]);
    let splits = |column: &Column| {
        is_bucket(column) || is_one_of_many(column) || is_tenant(column) || is_time(column)
    };
    is_time_series(project, facts)
        && facts.view.is_none()
        && !is_registry(facts)
        && !facts.table.partition_key().iter().any(splits)
}
