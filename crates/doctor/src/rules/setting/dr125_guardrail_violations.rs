//! DR125 guardrail-violations

use crate::rules::examination::Examination;
use crate::rules::finding::{Quantity, Remedy};
use crate::rules::reporter::Reporter;
use crate::rules::rule::RuleEntry;
use crate::snapshot::EventKind;

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("dr125_guardrail_violations.md"), examine);

fn examine(cluster: &Examination<'_>, found: &mut Reporter) {
    for kind in [EventKind::Guardrail, EventKind::TooManyTables, EventKind::IndexFanOut] {
        for (table, groups) in cluster.events(kind) {
            let finding = found.report();
            if let Some(table) = table {
                finding.table(table);
            }
            for (node, label, summary) in groups {
                finding.node(node);
                finding.impact += summary.count as f64;
                let name = label.unwrap_or_else(|| kind.name());
                finding.evidence(
                    "guardrail",
                    Quantity::Word(format!("{name} {} times", summary.count)),
                );
                finding.evidence_if("largest value", summary.max.map(Quantity::Count));
            }
            finding.remedy(Remedy::new(
                "Change what violates the guardrail; the administrator set it to protect the cluster.",
            ));
        }
    }
}
