//! DR105 storage-failures

use crate::rules::examination::Examination;
use crate::rules::finding::{Quantity, Remedy};
use crate::rules::reporter::Reporter;
use crate::rules::rule::RuleEntry;
use crate::snapshot::EventKind;

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("dr105_storage_failures.md"), examine);

/// What is reported, and what to do.
const KINDS: [(EventKind, &str, &str); 5] = [
    (
        EventKind::CorruptSstable,
        "corrupt SSTables",
        "Check the disk, then scrub the table, or delete the file and repair.",
    ),
    (
        EventKind::OutOfDiskSpace,
        "warnings about disk space",
        "Add disk or nodes, delete snapshots; compaction needs free space.",
    ),
    (
        EventKind::CompactionAborted,
        "compactions that ended with an error",
        "Read the error in system.log: disk space, a corrupt file or a very large partition.",
    ),
    (
        EventKind::HintsDropped,
        "hints that could not be kept",
        "Repair the nodes that were down, since they miss writes.",
    ),
    (
        EventKind::RepairFailed,
        "failed repairs",
        "Repair smaller ranges; large partitions make repairs fail.",
    ),
];

fn examine(cluster: &Examination<'_>, found: &mut Reporter) {
    for (kind, what, advice) in KINDS {
        for (table, groups) in cluster.events(kind) {
            let count: u64 = groups.iter().map(|(_, _, summary)| summary.count).sum();
            let finding = found.report();
            finding.impact = count as f64;
            if let Some(table) = table {
                finding.table(table);
            }
            for (node, _, _) in &groups {
                finding.node(node);
            }
            if !matches!(kind, EventKind::CorruptSstable | EventKind::OutOfDiskSpace) {
                finding.severity(cql::Severity::Medium);
            }
            finding.evidence(what, Quantity::Count(count as f64)).remedy(Remedy::new(advice));
        }
    }
}
