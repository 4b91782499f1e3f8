//! DR109 pending-hints

use std::collections::BTreeMap;

use cql::Severity;

use crate::rules::examination::Examination;
use crate::rules::figures::parse_limit;
use crate::rules::finding::{Quantity, Remedy};
use crate::rules::reporter::Reporter;
use crate::rules::rule::RuleEntry;

pub(super) const RULE: RuleEntry = RuleEntry::new(include_str!("dr109_pending_hints.md"), examine);

/// Hints of a node that is back are delivered within minutes.
const AGE_MS: f64 = 600_000.0;
/// The default of `max_hint_window`.
const WINDOW_MS: f64 = 10_800_000.0;

/// The hints for one node, of all nodes that keep some.
#[derive(Default)]
struct HintBacklog<'a> {
    keepers: Vec<&'a str>,
    files: u64,
    oldest_ms: Option<i64>,
    is_up: Option<bool>,
}

fn examine(cluster: &Examination<'_>, found: &mut Reporter) {
    let mut backlogs: BTreeMap<&str, HintBacklog<'_>> = BTreeMap::new();
    for (keeper, node) in cluster.nodes() {
        for (target, hints) in node.pending_hints.iter().filter(|(_, hints)| hints.files > 0) {
            let backlog = backlogs.entry(target).or_default();
            backlog.keepers.push(keeper);
            backlog.files += hints.files;
            backlog.oldest_ms = [backlog.oldest_ms, hints.oldest_ms].into_iter().flatten().min();
            backlog.is_up = backlog.is_up.or(hints.is_up);
        }
    }
    let window = cluster.setting("max_hint_window").and_then(parse_limit).unwrap_or(WINDOW_MS);
    for (target, backlog) in backlogs {
        let age =
            cluster.now_ms().zip(backlog.oldest_ms).map(|(now, oldest)| (now - oldest) as f64);
        let is_up = backlog.is_up == Some(true);
        let finding = found.report();
        finding.node(target);
        match age {
            Some(age) if age >= window => {
                finding.severity(Severity::High).exceed(
                    "oldest hint",
                    Quantity::Seconds(age / 1_000.0),
                    Quantity::Seconds(window / 1_000.0),
                );
                finding.remedy(
                    Remedy::new(
                        "Start and repair the node: writes after the window are in no hint.",
                    )
                    .with_command("nodetool repair -pr"),
                );
            }
            Some(age) if is_up && age >= AGE_MS => {
                finding.exceed(
                    "oldest hint",
                    Quantity::Seconds(age / 1_000.0),
                    Quantity::Seconds(AGE_MS / 1_000.0),
                );
                finding.remedy(
                    Remedy::new("The node is up: look for errors of the delivery in the logs, and raise hinted_handoff_throttle.")
                        .with_command("nodetool statushandoff"),
                );
            }
            age => {
                finding.severity(Severity::Low);
                finding.evidence_if("oldest hint", age.map(|age| Quantity::Seconds(age / 1_000.0)));
                finding.remedy(
                    Remedy::new("Start the node before the window is over, and wait until the hints are delivered.")
                        .with_command("nodetool listpendinghints"),
                );
            }
        }
        finding
            .evidence("files of hints", Quantity::Count(backlog.files as f64))
            .evidence("kept by", Quantity::Word(backlog.keepers.join(", ")));
    }
}
