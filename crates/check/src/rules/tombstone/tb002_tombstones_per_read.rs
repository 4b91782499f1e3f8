//! TB002: reads that pass over too many tombstones.

use model::figures;
use schema::access::{Count, ReadOrder, WriteTarget};

use crate::project::{GrowthEnd, WriteStatement};
use crate::vocabulary::times::is_time;
use crate::{Check, Limit, Project, ReplayedStatement, Reporter, RuleEntry, Severity, TableFacts};

const WARN: Limit = Limit::new("tombstones-per-read", 1_000.0)
    .describe("number of tombstones per read above which the server warns");
const FAIL: Limit = Limit::new("tombstones-per-read-critical", 100_000.0)
    .describe("number of tombstones per read above which the server aborts it");

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("tb002_tombstones_per_read.md"), Check::Table(check))
        .with_limits(&[WARN, FAIL]);

fn check(project: &Project<'_>, facts: &TableFacts, reporter: &mut Reporter<'_>) {
    let table = &facts.table;
    if table.clustering().is_empty() || facts.view.is_some() {
        return;
    }
    let limit = |limit: &Limit, setting: &str| {
        let set = project.settings.server.get(setting).and_then(|text| text.parse().ok());
        set.unwrap_or_else(|| reporter.limit(limit))
    };
    let warn: f64 = limit(&WARN, "tombstone_warn_threshold");
    let fail: f64 = limit(&FAIL, "tombstone_failure_threshold");
    let grace = f64::from(table.params.gc_grace_seconds);
    let (deleted, delete) = row_tombstone_rate(project, facts);
    let expired = expiry_rate(facts);
    let mut worst: Option<(f64, &ReplayedStatement)> = None;
    for seen in facts.reads(project) {
        let Some(read) = seen.read().filter(|read| read.partitions.is_by_key()) else { continue };
        if read.rows.rows.is_some()
            || read.rows.range.as_ref().is_some_and(|range| range.from.is_some())
        {
            continue;
        }
        let meets_old = read.limit.is_none() || is_oldest_first(facts, read.order);
        let rate = deleted + if meets_old { expired } else { 0.0 };
        if worst.is_none_or(|(known, _)| rate > known) {
            worst = Some((rate, seen));
        }
    }
    let Some((rate, seen)) = worst else { return };
    let tombstones = rate * grace;
    let severity = if tombstones > fail {
        Severity::Critical
    } else if tombstones > warn {
        Severity::High
    } else {
        return;
    };
    let message = format!(
        "A read of {} scans about {}.",
        table.name,
        figures::pluralise(tombstones, "tombstone")
    );
    let finding = reporter
        .report(project.select_location(seen), message)
        .with_table(table)
        .severity(severity)
        .note(format!(
            "{} per partition, kept for {} (gc_grace_seconds)",
            figures::format_rate(rate),
            figures::format_duration(grace)
        ))
        .note(format!("the server warns above {} and aborts the read above {}", figures::format_count(warn), figures::format_count(fail)))
        .help("add a time bucket to the key and delete whole partitions, delete ranges instead of rows, or read above a lower bound");
    if let Some(delete) = delete {
        finding.with_related(delete.place, "this statement deletes rows");
    }
}

/// Row tombstones that statements write into a large partition, per second, and the statement that
/// writes most.
fn row_tombstone_rate<'p>(
    project: &'p Project<'_>,
    facts: &'p TableFacts,
) -> (f64, Option<WriteStatement<'p>>) {
    let volume = &facts.volume;
    let Some(spread) = volume.spread else { return (0.0, None) };
    let mut sum = 0.0;
    let mut most: Option<(f64, WriteStatement<'p>)> = None;
    for write in facts.own_writes(project).filter(WriteStatement::is_row_delete) {
        let (Some(rate), WriteTarget::Rows(count)) = (write.seen.rate(), write.plan.target) else {
            continue;
        };
        let rows = match count {
            Count::Known(rows) => f64::from(u32::try_from(rows).unwrap_or(u32::MAX)),
            Count::Unknown => 1.0,
        };
        sum += rate * rows;
        if most.is_none_or(|(known, _)| rate * rows > known) {
            most = Some((rate * rows, write));
        }
    }
    let share = (volume.skewed.max(1.0) / spread.max(1.0)).min(1.0);
    (sum * share, most.map(|(_, write)| write))
}

/// Rows of a large partition that expire, per second, where they stay in the partition that is
/// read.
fn expiry_rate(facts: &TableFacts) -> f64 {
    let size = facts.volume.partition.as_ref();
    let expires = size.filter(|size| matches!(size.until, GrowthEnd::Expires(_)));
    expires.and_then(|size| size.per_second).map_or(0.0, |rate| rate.large)
}

/// Whether a read begins at the old end of a partition.
fn is_oldest_first(facts: &TableFacts, order: ReadOrder) -> bool {
    let Some(first) = facts.table.clustering().first().filter(|column| is_time(column)) else {
        return true;
    };
    first.descending == (order == ReadOrder::Reversed)
}
