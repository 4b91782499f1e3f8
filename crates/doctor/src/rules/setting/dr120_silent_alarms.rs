//! DR120 silent-alarms

use crate::rules::examination::Examination;
use crate::rules::figures::parse_limit;
use crate::rules::finding::{Quantity, Remedy};
use crate::rules::reporter::Reporter;
use crate::rules::rule::RuleEntry;
use crate::snapshot::{Node, Product};

pub(super) const RULE: RuleEntry = RuleEntry::new(include_str!("dr120_silent_alarms.md"), examine);

/// Alarms by their names in releases, the newest first: one that is on is enough.
const ALARMS: [&[&str]; 4] = [
    &["partition_size_warn_threshold", "compaction_large_partition_warning_threshold"],
    &["partition_tombstones_warn_threshold", "compaction_tombstone_warning_threshold"],
    &["collection_size_warn_threshold"],
    &["items_per_collection_warn_threshold"],
];
/// The first release whose large-partition alarm is off unless it is set.
const SILENT_SINCE: u32 = 5;

fn examine(cluster: &Examination<'_>, found: &mut Reporter) {
    let nodes = cluster.nodes().filter(|(_, node)| node.product != Some(Product::Scylla));
    // Settings that were not collected prove nothing.
    let known: Vec<_> = nodes.filter(|(_, node)| !node.settings.is_empty()).collect();
    let is_silent = |node: &Node, alarm: &[&str]| {
        node.version.is_some_and(|version| version.major >= SILENT_SINCE)
            && !alarm.iter().any(|name| {
                node.settings.get(*name).is_some_and(|value| parse_limit(value).is_some())
            })
    };
    let silent: Vec<&str> = ALARMS
        .iter()
        .filter(|alarm| known.iter().any(|(_, node)| is_silent(node, alarm)))
        .filter_map(|alarm| alarm.first().copied())
        .collect();
    if !silent.contains(&ALARMS[0][0]) {
        return;
    }
    let finding = found.report();
    for (name, node) in known.iter().filter(|(_, node)| is_silent(node, ALARMS[0])) {
        finding.node(name);
        finding.impact = node.tables.len() as f64;
    }
    for name in silent {
        finding.evidence("not set", Quantity::Word(name.to_owned()));
    }
    finding.remedy(
        Remedy::new("Set the warnings in cassandra.yaml, or until the next restart by nodetool.")
            .with_command("nodetool setguardrailsconfig partition_size_threshold 100MiB null"),
    );
}
