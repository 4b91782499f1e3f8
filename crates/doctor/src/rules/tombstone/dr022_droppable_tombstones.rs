//! DR022 droppable-tombstones

use schema::catalog::Table;

use crate::rules::examination::Examination;
use crate::rules::figures::DROPPABLE_RATIO;
use crate::rules::finding::{Finding, Quantity, Remedy};
use crate::rules::reporter::Reporter;
use crate::rules::rule::RuleEntry;
use crate::snapshot::{SstableFacts, TableName};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("dr022_droppable_tombstones.md"), examine);

/// Above this share most of what reads skip could be gone.
const RATIO_HIGH: f64 = 0.5;

fn examine(cluster: &Examination<'_>, found: &mut Reporter) {
    for table in cluster.snapshot.list_measured_tables() {
        let ratio = cluster.worst(table, |figures| figures.droppable_tombstone_ratio);
        let Some((node, ratio)) = ratio.filter(|(_, ratio)| *ratio > DROPPABLE_RATIO) else {
            continue;
        };
        let finding = found.report();
        if ratio > RATIO_HIGH {
            finding.severity(cql::Severity::High);
        }
        finding.table(table).node(node).exceed(
            "droppable tombstones",
            Quantity::Percent(ratio * 100.0),
            Quantity::Percent(DROPPABLE_RATIO * 100.0),
        );
        explain(cluster, table, node, finding);
    }
}

/// Why compaction has not dropped them, and what to do about it.
fn explain(cluster: &Examination<'_>, table: &TableName, node: &str, finding: &mut Finding) {
    let definition = cluster.definition(table);
    let files = cluster.snapshot.nodes.get(node).and_then(|node| node.sstables.get(table));
    let figures = cluster.snapshot.nodes.get(node).and_then(|node| node.tables.get(table));
    let only_repaired = definition
        .is_some_and(|table| option(table, "only_purge_repaired_tombstones") == Some("true"));
    let percent_repaired = figures.and_then(|figures| figures.percent_repaired);
    if only_repaired && percent_repaired.is_none_or(|percent| percent < 100.0) {
        finding.evidence_if("repaired data", percent_repaired.map(Quantity::Percent));
        finding.remedy(
            Remedy::new(
                "Repair the table: with only_purge_repaired_tombstones nothing else is dropped.",
            )
            .with_command(format!("nodetool repair {} {}", table.keyspace, table.table)),
        );
    }
    let overlapping = files.map_or(0, |files| count_overlaps(files));
    if overlapping > 0 {
        finding
            .evidence("SSTables that overlap others in time", Quantity::Count(overlapping as f64));
    }
    let count = figures.and_then(|figures| figures.sstable_count);
    finding.evidence_if("SSTables", count.map(|count| Quantity::Count(count as f64)));
    if let Some(grace) = definition.map(|table| table.params.gc_grace_seconds) {
        finding.evidence("gc_grace_seconds", Quantity::Seconds(f64::from(grace)));
    }
    let is_unchecked = definition
        .is_some_and(|table| option(table, "unchecked_tombstone_compaction") == Some("true"));
    if !is_unchecked {
        finding.remedy(
            Remedy::new(
                "Let single SSTables be compacted for their tombstones even if others overlap them.",
            )
            .with_cql(allow_unchecked_compaction(table, definition.map(|table| &**table))),
        );
    }
    finding.remedy(
        Remedy::new("Drop them now, one SSTable at a time, when the load is low.")
            .with_command(format!("nodetool garbagecollect {} {}", table.keyspace, table.table)),
    );
}

fn option<'a>(table: &'a Table, name: &str) -> Option<&'a str> {
    table.params.compaction.get(name).map(|value| &**value)
}

/// The compaction options of the table with `unchecked_tombstone_compaction`.
fn allow_unchecked_compaction(name: &TableName, table: Option<&Table>) -> String {
    let mut options: Vec<String> = Vec::new();
    for (option, value) in table.into_iter().flat_map(|table| &*table.params.compaction) {
        let value =
            if &**option == "class" { value.rsplit('.').next().unwrap_or(value) } else { value };
        options.push(format!("'{option}': '{value}'"));
    }
    if options.is_empty() {
        options.push("'class': 'SizeTieredCompactionStrategy'".to_owned());
    }
    options.push("'unchecked_tombstone_compaction': 'true'".to_owned());
    format!("ALTER TABLE {name} WITH compaction = {{{}}};", options.join(", "))
}

/// The files with tombstones whose times overlap those of another file.
fn count_overlaps(files: &[SstableFacts]) -> usize {
    let overlaps = |one: &SstableFacts, other: &SstableFacts| {
        let bounds = |file: &SstableFacts| file.min_timestamp_us.zip(file.max_timestamp_us);
        bounds(one).zip(bounds(other)).is_some_and(|((from, to), (other_from, other_to))| {
            from <= other_to && other_from <= to
        })
    };
    let has_tombstones = |file: &SstableFacts| {
        file.droppable_tombstone_ratio.is_some_and(|ratio| ratio > DROPPABLE_RATIO)
    };
    let candidates = files.iter().enumerate().filter(|(_, file)| has_tombstones(file));
    candidates
        .filter(|(at, file)| {
            files
                .iter()
                .enumerate()
                .any(|(other_at, other)| other_at != *at && overlaps(file, other))
        })
        .count()
}
