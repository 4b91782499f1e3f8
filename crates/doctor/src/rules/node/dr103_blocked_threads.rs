//! DR103 blocked-threads

use crate::rules::examination::Examination;
use crate::rules::finding::{Quantity, Remedy};
use crate::rules::reporter::Reporter;
use crate::rules::rule::RuleEntry;

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("dr103_blocked_threads.md"), examine);

/// Tasks that wait in a pool that is behind.
const PENDING: u64 = 100;

fn examine(cluster: &Examination<'_>, found: &mut Reporter) {
    for (name, node) in cluster.nodes() {
        for (pool, tasks) in &node.thread_pools {
            // Compactions wait by design, and DR081 counts them.
            if pool.contains("Compaction") || pool.contains("compaction") {
                continue;
            }
            let blocked = tasks.blocked.unwrap_or(0).max(tasks.all_time_blocked.unwrap_or(0));
            let pending = tasks.pending.unwrap_or(0);
            if blocked == 0 && pending < PENDING {
                continue;
            }
            let finding = found.report();
            finding.node(name);
            finding.impact = blocked.saturating_add(pending) as f64;
            finding
                .evidence("thread pool", Quantity::Word(pool.clone()))
                .evidence("tasks that wait", Quantity::Count(pending as f64))
                .evidence("tasks that were blocked", Quantity::Count(blocked as f64));
            finding.remedy(
                Remedy::new("Find the slow requests behind it; more threads only move the queue.")
                    .with_command("nodetool tpstats"),
            );
        }
    }
}
