//! PS006: a time bucket that holds too much.

use model::concept::DAY;
use model::figures;

use super::partition_bytes::{HUGE, LARGE, consequence, partition_bytes_max, partition_severity};
use super::partition_rows;
use crate::facts::{is_time_bucket, partition_size};
use crate::project::GrowthEnd;
use crate::{Category, Check, Project, Reporter, Requirement, Rule, Severity, TableFacts};

pub(super) static RULE: Rule = Rule {
    code: "PS006",
    name: "bucket-too-coarse",
    category: Category::PartitionSize,
    severity: Severity::High,
    requires: &[Requirement::Schema, Requirement::Volumes],
    by_default: true,
    limits: &[LARGE, HUGE],
    check: Check::Table(check),
    page: include_str!("bucket_too_coarse.md"),
};

fn check(project: &Project<'_>, facts: &TableFacts, found: &mut Reporter<'_>) {
    let (table, Some(size)) = (&facts.table, partition_size(facts)) else { return };
    let GrowthEnd::Rolls(width) = size.until else { return };
    let Some(severity) = partition_severity(project, found, size.large_bytes) else { return };
    let Some(column) = table.partition_key().iter().find(|column| is_time_bucket(column)) else {
        return;
    };
    let most = partition_bytes_max(project, found);
    let bucket = propose_bucket(project, found, facts);
    let shards = (size.large_bytes / most).ceil();
    let help = if bucket.seconds < width && bucket.fits {
        format!("use a bucket of one {}, or add a shard of {shards} values to the key", bucket.name)
    } else {
        format!("add a shard of {shards} values to the partition key")
    };
    let message = format!(
        "A bucket of {} holds {}.",
        figures::format_duration(width),
        figures::format_bytes(size.large_bytes)
    );
    let finding = found
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
pub(super) struct BucketProposal {
    /// Its name: `month`.
    pub(super) name: &'static str,
    /// Its type.
    pub(super) ty: &'static str,
    pub(super) seconds: f64,
    /// Whether it holds few enough bytes, as far as the rate is known.
    pub(super) fits: bool,
    /// What buckets of each width would hold.
    pub(super) sizes: Option<String>,
}

/// The widest bucket that holds no more than a partition should; a month where no rate is known.
pub(super) fn propose_bucket(
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
    let rate = partition_size(facts).and_then(|size| size.per_second);
    let rows = |seconds: f64| rate.map_or(0.0, |rate| rate.large * seconds);
    let bytes = |seconds: f64| facts.volume.partition_bytes(rows(seconds));
    let most = (partition_bytes_max(project, found), found.limit(&partition_rows::MANY));
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
