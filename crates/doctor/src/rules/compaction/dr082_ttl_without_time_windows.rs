//! DR082 ttl-without-time-windows

use schema::access::{AccessPlan, WriteEffect};
use schema::compaction_window::CompactionWindow;

use crate::rules::examination::Examination;
use crate::rules::finding::{Quantity, Remedy};
use crate::rules::redesign;
use crate::rules::reporter::Reporter;
use crate::rules::rule::RuleEntry;

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("dr082_ttl_without_time_windows.md"), examine);

/// The strategies that keep data of all ages together.
const STRATEGIES: [&str; 2] = ["SizeTieredCompactionStrategy", "LeveledCompactionStrategy"];

fn examine(cluster: &Examination<'_>, found: &mut Reporter) {
    for (name, table) in cluster.defined_tables() {
        let ttl = table.params.default_time_to_live;
        let by_time = table.clustering().iter().any(|column| redesign::is_time(&column.ty));
        let Some(strategy) = super::strategy(table).filter(|it| STRATEGIES.contains(it)) else {
            continue;
        };
        // Rows that are changed or deleted would spread over windows.
        let is_changed = cluster.statements_on(&name).any(|statement| {
            matches!(&statement.plan, AccessPlan::Write(write) if write.effect != WriteEffect::Upsert)
        });
        if ttl <= 0 || !by_time || is_changed {
            continue;
        }
        let bytes = cluster.sum(&name, |figures| figures.live_bytes);
        // An empty table has nothing to drop.
        if bytes == Some(0) {
            continue;
        }
        let finding = found.report();
        finding
            .table(&name)
            .evidence("compaction", Quantity::Word(strategy.to_owned()))
            .evidence("default_time_to_live", Quantity::Seconds(f64::from(ttl)))
            .evidence_if("bytes", bytes.map(|bytes| Quantity::Bytes(bytes as f64)));
        let droppable = cluster.worst(&name, |figures| figures.droppable_tombstone_ratio);
        let share = droppable.map(|(_, ratio)| Quantity::Percent(ratio * 100.0));
        finding.evidence_if("droppable tombstones", share);
        finding.remedy(
            Remedy::new(
                "Use time windows: files whose rows have all expired are deleted as a whole.",
            )
            .with_cql(format!("ALTER TABLE {name} WITH compaction = {};", windows(ttl))),
        );
    }
}

/// The compaction options with 20 to 30 windows over a time to live.
fn windows(ttl: i32) -> String {
    let CompactionWindow { unit, size, .. } =
        CompactionWindow::for_life(u64::try_from(ttl).unwrap_or(0));
    format!(
        "{{'class': 'TimeWindowCompactionStrategy', 'compaction_window_unit': '{unit}', 'compaction_window_size': '{size}'}}"
    )
}
