//! DR123 raised-limits

use crate::rules::examination::Examination;
use crate::rules::figures::parse_limit;
use crate::rules::finding::{Quantity, Remedy};
use crate::rules::reporter::Reporter;
use crate::rules::rule::RuleEntry;

pub(super) const RULE: RuleEntry = RuleEntry::new(include_str!("dr123_raised_limits.md"), examine);

/// Limits with their defaults: who raises them has the problem that they guard against.
const LIMITS: [(&str, f64, bool); 6] = [
    ("tombstone_failure_threshold", 100_000.0, false),
    ("tombstone_warn_threshold", 1_000.0, false),
    ("batch_size_fail_threshold", 50.0 * 1024.0, true),
    ("batch_size_warn_threshold", 5.0 * 1024.0, true),
    ("read_request_timeout", 10_000.0, false),
    ("range_request_timeout", 20_000.0, false),
];
/// A little above the default is taste.
const FACTOR: f64 = 2.0;

fn examine(cluster: &Examination<'_>, found: &mut Reporter) {
    for (name, default, is_bytes) in LIMITS {
        let nodes = cluster
            .nodes()
            .filter_map(|(node, facts)| Some((node, parse_limit(facts.settings.get(name)?)?)));
        let highest = nodes.max_by(|a, b| a.1.total_cmp(&b.1));
        let Some((node, value)) = highest.filter(|(_, value)| *value > default * FACTOR) else {
            continue;
        };
        let quantity = |value: f64| match (is_bytes, name.ends_with("timeout")) {
            (true, _) => Quantity::Bytes(value),
            (_, true) => Quantity::Milliseconds(value),
            _ => Quantity::Count(value),
        };
        let finding = found.report();
        finding.node(node).exceed(name, quantity(value), quantity(default));
        finding.remedy(Remedy::new(
            "Mend the statements that made it necessary, then set the default again.",
        ));
    }
}
