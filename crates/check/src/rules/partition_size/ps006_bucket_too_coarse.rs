//! PS006: a time bucket that holds too much.

use model::concept::DAY;
use model::figures;

use super::ps002_partition_bytes::{
    HUGE, LARGE, consequence, partition_bytes_max, partition_severity,
};
use super::ps004_partition_rows;
use crate::project::GrowthEnd;
use crate::vocabulary::times::is_time_bucket;
use crate::{Check, Project, Reporter, RuleEntry, TableFacts};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("ps006_bucket_too_coarse.md"), Check::Table(check))
        .with_limits(&[LARGE, HUGE]);

fn check(project: &Project<'_>, facts: &TableFacts, reporter: &mut Reporter<'_>) {
    let (table, Some(size)) = (&facts.table, facts.volume.partition.as_ref()) else { return };
    let GrowthEnd::Rolls(width) = size.until else { return };
    let Some(severity) = partition_severity(project, reporter, size.large_bytes) else { return };
    let Some(column) = table.partition_key().iter().find(|column| is_time_bucket(column)) else {
        return;
    };
    let most = partition_bytes_max(project, reporter);
    let bucket = propose_bucket(project, reporter, facts);
    let shards = (size.large_bytes / most).ceil();
    let help = if bucket.seconds < width && bucket.fits {
        format!(
            "use a bucket of one {}, or add a shard with {shards} values to the partition key",
            bucket.name
        )
    } else {
        format!("add a shard with {shards} values to the partition key")
    };
    let message = format!(
        "A bucket of {} holds {}.",
        figures::format_duration(width),
        figures::format_bytes(size.large_bytes)
    );
    let finding = reporter
        .report(project.key_location(facts, &column.name), message)
        .with_column(table, column)
        .severity(severity)
        .confidence(size.confidence)
        .help(help);
    finding.notes.extend(size.notes(facts));
    finding.notes.extend(bucket.sizes);
    finding.notes.extend(consequence(size.large_bytes));
}

/// A time bucket to be proposed.
pub(in crate::rules) struct BucketProposal {
    /// Its name: `month`.
    pub(in crate::rules) name: &'static str,
    /// Its type.
    pub(in crate::rules) ty: &'static str,
    pub(in crate::rules) seconds: f64,
    /// Whether its size is within the limit, as far as the rate is known.
    pub(in crate::rules) fits: bool,
    /// The sizes of buckets of each width.
    pub(in crate::rules) sizes: Option<String>,
}

/// The widest bucket within the limit of a partition; a month if no rate is known.
pub(in crate::rules) fn propose_bucket(
    project: &Project<'_>,
    found: &Reporter<'_>,
    facts: &TableFacts,
) -> BucketProposal {
    const UNITS: [(&str, &str, f64); 4] = [
        ("month", "date", 30.0 * DAY),
        ("week", "date", 7.0 * DAY),
        ("day", "date", DAY),
        ("hour", "timestamp", 3_600.0),
    ];
    let rate = facts.volume.partition.as_ref().and_then(|size| size.per_second);
    let rows = |seconds: f64| rate.map_or(0.0, |rate| rate.large * seconds);
    let bytes = |seconds: f64| facts.volume.partition_bytes(rows(seconds));
    let most = (partition_bytes_max(project, found), found.limit(&ps004_partition_rows::MANY));
    let fits = |seconds: f64| bytes(seconds) <= most.0 && rows(seconds) <= most.1;
    let fitting = UNITS.into_iter().find(|(_, _, seconds)| fits(*seconds));
    let (name, ty, seconds) = fitting.unwrap_or(UNITS[3]);
    let each = UNITS.iter().map(|(name, _, seconds)| {
        let article = if *name == "hour" { "an" } else { "a" };
        format!("{article} {name} {}", figures::format_bytes(bytes(*seconds)))
    });
    let sizes = rate.map(|_| {
        let each: Vec<String> = each.collect();
        format!("buckets would hold: {}", each.join(", "))
    });
    BucketProposal { name, ty, seconds, fits: fitting.is_some(), sizes }
}
