//! DR084 window-count

use schema::catalog::Table;

use crate::rules::examination::Examination;
use crate::rules::finding::{Quantity, Remedy};
use crate::rules::reporter::Reporter;
use crate::rules::rule::RuleEntry;

pub(super) const RULE: RuleEntry = RuleEntry::new(include_str!("dr084_window_count.md"), examine);

/// Windows over a time to live beyond which each read and flush meets too many files.
const WINDOWS_MAX: f64 = 50.0;
/// `SSTables` below which the number of windows hurts nobody.
const SSTABLES: u64 = 50;

fn examine(cluster: &Examination<'_>, found: &mut Reporter) {
    for (name, table) in cluster.defined_tables() {
        if super::strategy(table) != Some("TimeWindowCompactionStrategy") {
            continue;
        }
        let ttl = f64::from(table.params.default_time_to_live);
        let Some(window) = window_seconds(table).filter(|_| ttl > 0.0) else { continue };
        let files = cluster.worst(&name, |figures| figures.sstable_count.map(|it| it as f64));
        let Some((node, files)) = files.filter(|(_, files)| *files > SSTABLES as f64) else {
            continue;
        };
        let windows = ttl / window;
        if windows <= WINDOWS_MAX {
            continue;
        }
        let finding = found.report();
        finding
            .table(&name)
            .node(node)
            .exceed(
                "windows over the time to live",
                Quantity::Count(windows),
                Quantity::Count(WINDOWS_MAX),
            )
            .evidence("window", Quantity::Seconds(window))
            .evidence("default_time_to_live", Quantity::Seconds(ttl))
            .evidence("SSTables", Quantity::Count(files));
        finding.remedy(Remedy::new(
            "Choose a window of a twentieth to a thirtieth of the time to live.",
        ));
    }
}

/// The length of a window.
fn window_seconds(table: &Table) -> Option<f64> {
    let option = |name: &str| table.params.compaction.get(name).map(|value| &**value);
    let unit = match option("compaction_window_unit").unwrap_or("DAYS") {
        "MINUTES" => 60.0,
        "HOURS" => 3_600.0,
        "DAYS" => 86_400.0,
        _ => return None,
    };
    let size: f64 = option("compaction_window_size").unwrap_or("1").parse().ok()?;
    (size > 0.0).then_some(size * unit)
}
