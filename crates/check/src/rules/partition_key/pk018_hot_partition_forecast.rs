//! PK018: a partition that receives too many requests.

use model::figures;
use schema::access::{Count, Partitions};

use crate::facts::keys::constant_partition;
use crate::facts::workload::hottest_share;
use crate::remedies::column_names;
use crate::{Check, Limit, Project, Reporter, RuleEntry, Severity, TableFacts};

const RATE: Limit =
    Limit::new("hot-partition-rate", 1_000.0).describe("requests per second to one partition");
const SKEW: Limit = Limit::new("hot-partition-skew", 10.0)
    .describe("ratio of the requests to the hottest partition to those of the average partition");

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("pk018_hot_partition_forecast.md"), Check::Table(check))
        .with_limits(&[RATE, SKEW]);

fn check(project: &Project<'_>, facts: &TableFacts, reporter: &mut Reporter<'_>) {
    let table = &facts.table;
    let (Some(share), Some(column)) =
        (partition_share(project, facts), table.partition_key().first())
    else {
        return;
    };
    let reads = hottest_rate(
        facts.reads(project).filter_map(|seen| Some((seen.rate()?, seen.read()?.partitions))),
        share,
    );
    let writes = hottest_rate(
        facts.writes(project).filter_map(|seen| {
            let here = seen.writes().find(|write| write.table.name == table.name)?;
            Some((seen.rate()?, here.partitions))
        }),
        share,
    );
    // The rows written to one partition, if declared.
    let added = facts.volume.each.and_then(|each| Some(each.max / each.per?)).unwrap_or(0.0);
    let writes = writes.max(added);
    let hottest = reads + writes;
    let times = facts.volume.partitions.map_or(0.0, |partitions| partitions * share);
    let is_skewed = times > reporter.limit(&SKEW);
    let limit = reporter.limit(&RATE);
    let severity = if hottest > limit {
        Severity::High
    } else if is_skewed && hottest > limit / 10.0 {
        Severity::Low
    } else {
        return;
    };
    let message = format!(
        "The hottest partition of {} would receive {} requests.",
        table.name,
        figures::format_rate(hottest)
    );
    reporter
        .report(project.key_location(facts, &column.name), message)
        .with_column(table, column)
        .severity(severity)
        .note(format!(
            "{} reads and {} writes for one value of `{}`; one partition can handle up to {}",
            figures::format_rate(reads),
            figures::format_rate(writes),
            column_names(table.partition_key()),
            figures::format_rate(limit)
        ))
        .help("add a shard to the partition key, cache the reads, or split by time");
}

/// The share of the requests that falls on the hottest partition: by popularity, or by the rows of
/// the largest one.
fn partition_share(project: &Project<'_>, facts: &TableFacts) -> Option<f64> {
    if constant_partition(project, facts).is_some() {
        return Some(1.0);
    }
    let settled = facts.volume.each.filter(|each| each.per.is_none());
    let by_rows =
        settled.zip(facts.volume.rows).map(|(each, rows)| (each.max / rows.max(1.0)).min(1.0));
    let by_key = hottest_share(facts);
    let growing = facts.volume.each.filter(|each| each.per.is_some()).map(|_| 0.0);
    [by_rows, by_key, growing].into_iter().flatten().reduce(f64::max)
}

/// Requests per second to the hottest partition, of those that restrict the partition key.
fn hottest_rate(requests: impl Iterator<Item = (f64, Partitions)>, share: f64) -> f64 {
    let each = requests.map(|(rate, partitions)| match partitions {
        Partitions::One | Partitions::Several(Count::Unknown) => rate * share,
        Partitions::Several(Count::Known(number)) => {
            let number = u32::try_from(number).map_or(f64::INFINITY, f64::from);
            rate * (share * number).min(1.0)
        }
        _ => 0.0,
    });
    each.sum()
}
