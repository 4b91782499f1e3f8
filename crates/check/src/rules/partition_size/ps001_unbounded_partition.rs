//! PS001: partitions that grow without bound.

use model::figures;
use schema::catalog::{Column, Table};

use super::ps002_partition_bytes::{HUGE, LARGE, consequence, partition_bytes_max};
use super::ps006_bucket_too_coarse::{BucketProposal, propose_bucket};
use crate::facts::volumes::{UnboundedGrowth, unbounded_growth};
use crate::project::GrowthEnd;
use crate::remedies::NewKey;
use crate::vocabulary::keys::is_shard;
use crate::vocabulary::matcher::matches_any;
use crate::vocabulary::people::is_hand_entered;
use crate::vocabulary::status::is_activation;
use crate::vocabulary::times::is_time;
use crate::{Check, Confidence, Project, Reporter, RuleEntry, Severity, TableFacts};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("ps001_unbounded_partition.md"), Check::Table(check))
        .with_limits(&[LARGE, HUGE]);

fn check(project: &Project<'_>, facts: &TableFacts, reporter: &mut Reporter<'_>) {
    let table = &facts.table;
    let Some(growth) = unbounded_growth(project, facts).filter(|_| facts.view.is_none()) else {
        return;
    };
    let size =
        facts.volume.partition.as_ref().filter(|size| matches!(size.until, GrowthEnd::Never(_)));
    let most = partition_bytes_max(project, reporter);
    // Partitions that stay small for five years are not reported.
    if size.is_some_and(|size| size.large_bytes <= most) {
        return;
    }
    let severity = match (growth.confidence, size) {
        (_, Some(size)) if size.large_bytes <= reporter.limit(&HUGE) => Severity::High,
        (Confidence::Low, None) if is_maintained(table) => Severity::Low,
        (Confidence::Low, None) if is_hand_entered(table) => Severity::Medium,
        (Confidence::High, _) => Severity::Critical,
        (Confidence::Medium | Confidence::Low, _) => Severity::High,
    };
    let names: Vec<&str> = table.partition_key().iter().map(|column| &*column.name).collect();
    let message = format!(
        "Partitions of {} grow without bound: partition key `{}` has no time bucket.",
        table.name,
        names.join(", ")
    );
    let Some(first) = table.partition_key().first() else { return };
    let bucket = propose_bucket(project, reporter, facts);
    let split = propose_split(facts, &growth, &bucket);
    let finding = reporter
        .report(project.key_location(facts, &first.name), message)
        .with_column(table, first)
        .severity(severity)
        .confidence(growth.confidence)
        .note(format!("each new `{}` adds a row", growth.column.name))
        .help(split.help)
        .with_fix(project.rekey_fix(facts, &split.key, split.title));
    let Some(size) = size else { return };
    finding.notes.extend(size.notes(facts));
    if let Some(seconds) = size.seconds_to(&facts.volume, most) {
        let time = figures::format_duration(seconds);
        finding.note(format!("{} is exceeded after {time}", figures::format_bytes(most)));
    }
    finding.notes.extend(bucket.sizes);
    finding.notes.extend(consequence(size.large_bytes));
}

/// Whether rows are kept up to date and switched on and off: what somebody maintains, and not what happens.
fn is_maintained(table: &Table) -> bool {
    let is_update = |column: &Column| matches_any(&column.name, &["updated*", "modified*"]);
    table.regulars().iter().any(is_activation) && table.regulars().iter().any(is_update)
}

/// How to split partitions.
struct PartitionSplit {
    key: NewKey,
    title: &'static str,
    help: String,
}

/// By time, if rows arrive in time order. Lists that share a partition each get their own, and
/// large sets are distributed by a hash.
fn propose_split(
    facts: &TableFacts,
    growth: &UnboundedGrowth<'_>,
    bucket: &BucketProposal,
) -> PartitionSplit {
    let table = &facts.table;
    let name = &growth.column.name;
    let mut key = NewKey::from_table(table);
    if is_time(growth.column) || facts.volume.partition.as_ref().is_some() {
        let key = key.with_new_partition_column(table, bucket.name, bucket.ty);
        let help = format!(
            "add a time bucket to the partition key, {}, and read only the buckets that a query needs; or let rows expire (default_time_to_live)",
            key.clause()
        );
        return PartitionSplit { key, title: "split partitions by time", help };
    }
    if table.partition_key().iter().all(is_shard) && key.clustering.len() > 1 {
        let (owner, _) = key.clustering.remove(0);
        let help = format!("give each `{owner}` its own partition: ");
        key.partition.push(owner);
        let help = help + &key.clause();
        return PartitionSplit { key, title: "split partitions by owner", help };
    }
    let key = key.with_new_partition_column(table, "shard", "smallint");
    let help =
        format!("distribute the rows by a hash of `{name}` and read all shards: {}", key.clause());
    PartitionSplit { key, title: "split partitions by a hash", help }
}
