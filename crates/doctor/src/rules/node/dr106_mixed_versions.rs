//! DR106 mixed-versions

use std::collections::BTreeMap;

use crate::rules::examination::Examination;
use crate::rules::finding::{Quantity, Remedy};
use crate::rules::reporter::Reporter;
use crate::rules::rule::RuleEntry;

pub(super) const RULE: RuleEntry = RuleEntry::new(include_str!("dr106_mixed_versions.md"), examine);

fn examine(cluster: &Examination<'_>, found: &mut Reporter) {
    let mut versions: BTreeMap<_, Vec<&str>> = BTreeMap::new();
    for (name, node) in cluster.nodes() {
        if let Some(version) = node.version {
            versions.entry(version).or_default().push(name);
        }
    }
    if versions.len() < 2 {
        return;
    }
    let finding = found.report();
    for (version, nodes) in versions {
        let text = format!("{}.{}.{}", version.major, version.minor, version.patch);
        let count = nodes.len();
        finding.evidence("release", Quantity::Word(format!("{text} on {count}")));
    }
    finding.remedy(Remedy::new(
        "Finish the upgrade before schema changes and repairs, which do not work across major releases.",
    ));
}
