//! DR121 short-gc-grace

use crate::rules::examination::Examination;
use crate::rules::figures::parse_limit;
use crate::rules::finding::{Quantity, Remedy};
use crate::rules::reporter::Reporter;
use crate::rules::rule::RuleEntry;

pub(super) const RULE: RuleEntry = RuleEntry::new(include_str!("dr121_short_gc_grace.md"), examine);

fn examine(cluster: &Examination<'_>, found: &mut Reporter) {
    // A single node has no hints to deliver.
    if cluster.snapshot.nodes.len() < 2 {
        return;
    }
    let window = cluster.setting("max_hint_window").and_then(parse_limit);
    let window = window.or_else(|| cluster.setting("max_hint_window_in_ms").and_then(parse_limit));
    let Some(window) = window.map(|ms| ms / 1_000.0) else { return };
    for (name, table) in cluster.defined_tables() {
        let grace = f64::from(table.params.gc_grace_seconds);
        let is_time_window = table.params.default_time_to_live > 0;
        if grace >= window || is_time_window {
            continue;
        }
        let finding = found.report();
        finding.impact = window / grace.max(1.0);
        finding
            .table(&name)
            .evidence("gc_grace_seconds", Quantity::Seconds(grace))
            .evidence("max_hint_window", Quantity::Seconds(window));
        finding.remedy(
            Remedy::new("Keep tombstones longer than hints, or deleted rows come back.").with_cql(
                format!("ALTER TABLE {name} WITH gc_grace_seconds = {};", (window * 2.0).ceil()),
            ),
        );
    }
}
