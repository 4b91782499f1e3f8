//! DR122 settings-differ

use std::collections::BTreeSet;

use crate::rules::examination::Examination;
use crate::rules::finding::{Quantity, Remedy};
use crate::rules::reporter::Reporter;
use crate::rules::rule::RuleEntry;

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("dr122_settings_differ.md"), examine);

/// Settings that decide what a statement may do, and should be the same everywhere.
const SHARED: [&str; 14] = [
    "allow_filtering_enabled",
    "authenticator",
    "authorizer",
    "batch_size_fail_threshold",
    "batch_size_warn_threshold",
    "concurrent_compactors",
    "endpoint_snitch",
    "max_hint_window",
    "partitioner",
    "range_request_timeout",
    "read_request_timeout",
    "tombstone_failure_threshold",
    "tombstone_warn_threshold",
    "write_request_timeout",
];

fn examine(cluster: &Examination<'_>, found: &mut Reporter) {
    let mut differing = Vec::new();
    for name in SHARED {
        let values = cluster.nodes().filter_map(|(_, node)| node.settings.get(name));
        let values: BTreeSet<&str> = values.map(String::as_str).collect();
        if values.len() > 1 {
            let values: Vec<&str> = values.into_iter().collect();
            differing.push(format!("{name}: {}", values.join(", ")));
        }
    }
    if differing.is_empty() {
        return;
    }
    let finding = found.report();
    finding.impact = differing.len() as f64;
    for text in differing {
        finding.evidence("setting", Quantity::Word(text));
    }
    finding.remedy(Remedy::new(
        "Give all nodes the same configuration: a request depends on which node coordinates it.",
    ));
}
