//! DR101 gc-pauses

use cql::Severity;

use crate::rules::examination::Examination;
use crate::rules::finding::{Quantity, Remedy};
use crate::rules::reporter::Reporter;
use crate::rules::rule::RuleEntry;
use crate::snapshot::EventKind;

pub(super) const RULE: RuleEntry = RuleEntry::new(include_str!("dr101_gc_pauses.md"), examine);

/// A pause that other nodes and clients notice.
const PAUSE_MS: f64 = 1_000.0;
/// A pause after which other nodes take the node for dead.
const PAUSE_HIGH_MS: f64 = 5_000.0;

fn examine(cluster: &Examination<'_>, found: &mut Reporter) {
    for (name, node) in cluster.nodes() {
        let logged = node.log.groups_of(EventKind::GcPause);
        let (mut count, mut total, mut longest) = (0, 0.0, 0.0_f64);
        for (_, _, summary) in logged {
            count += summary.count;
            total += summary.total;
            longest = longest.max(summary.max.unwrap_or(0.0));
        }
        if let Some(measured) = &node.garbage_collection {
            longest = longest.max(measured.max_ms);
            if count == 0 {
                (count, total) = (measured.pauses, measured.total_ms);
            }
        }
        if longest < PAUSE_MS {
            continue;
        }
        let finding = found.report();
        if longest >= PAUSE_HIGH_MS {
            finding.severity(Severity::High);
        }
        finding
            .node(name)
            .exceed(
                "longest pause",
                Quantity::Milliseconds(longest),
                Quantity::Milliseconds(PAUSE_MS),
            )
            .evidence("pauses", Quantity::Count(count as f64))
            .evidence("all pauses together", Quantity::Milliseconds(total))
            .evidence_if("heap", node.heap_max_bytes.map(|bytes| Quantity::Bytes(bytes as f64)));
        finding.remedy(
            Remedy::new("Look at what was read at that time: large partitions, tombstones, scans and large batches fill the heap.")
                .with_command("nodetool gcstats"),
        );
    }
}
