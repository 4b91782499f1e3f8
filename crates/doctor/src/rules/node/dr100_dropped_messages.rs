//! DR100 dropped-messages

use std::collections::BTreeMap;

use cql::Severity;

use crate::rules::examination::Examination;
use crate::rules::finding::{Quantity, Remedy};
use crate::rules::reporter::Reporter;
use crate::rules::rule::RuleEntry;
use crate::snapshot::EventKind;

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("dr100_dropped_messages.md"), examine);

/// Dropped messages that need not mean anything, after a restart for instance.
const FEW: f64 = 10.0;

fn examine(cluster: &Examination<'_>, found: &mut Reporter) {
    for (name, node) in cluster.nodes() {
        let mut verbs: BTreeMap<&str, f64> = BTreeMap::new();
        for (verb, dropped) in &node.dropped {
            *verbs.entry(verb).or_default() += dropped.count as f64;
        }
        if verbs.is_empty() {
            for (_, label, summary) in node.log.groups_of(EventKind::DroppedMessages) {
                *verbs.entry(label.unwrap_or("unknown")).or_default() += summary.total;
            }
        }
        // Hints and traces are sent again or not missed; counters have their own rule.
        verbs.retain(|verb, count| {
            *count > 0.0 && !verb.contains("TRACE") && !verb.contains("COUNTER")
        });
        let total: f64 = verbs.values().sum();
        if total <= FEW {
            continue;
        }
        let lost_writes = verbs.iter().any(|(verb, _)| verb.contains("MUTATION"));
        let finding = found.report();
        if !lost_writes {
            finding.severity(Severity::Medium);
        }
        finding.node(name).exceed("dropped messages", Quantity::Count(total), Quantity::Count(FEW));
        for (verb, count) in &verbs {
            finding.evidence("verb", Quantity::Word(format!("{verb} {count}")));
        }
        finding.remedy(
            Remedy::new("Find what keeps the node busy: garbage collection, compaction, large partitions or tombstones.")
                .with_command("nodetool tpstats"),
        );
        if lost_writes {
            finding.remedy(
                Remedy::new("Repair, since replicas miss writes.")
                    .with_command("nodetool repair -pr"),
            );
        }
    }
}
