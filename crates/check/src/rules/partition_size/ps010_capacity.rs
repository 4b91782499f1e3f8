//! PS010: the disk space that a table needs on each node.

use model::concept::DAY;
use model::figures;

use crate::facts::lifetimes::compaction_class;
use crate::facts::tables::replica_count;
use crate::{Check, Limit, Project, Reporter, RuleEntry, TableFacts};

const NODE: Limit = Limit::new("node-bytes", 1e12)
    .describe("size in bytes of one table on a node above which it is reported");
/// The period considered if growth is unbounded.
const YEAR: f64 = 365.0 * DAY;

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("ps010_capacity.md"), Check::Table(check)).with_limits(&[NODE]);

fn check(project: &Project<'_>, facts: &TableFacts, reporter: &mut Reporter<'_>) {
    let (table, volume) = (&facts.table, &facts.volume);
    let Some((rows, when)) = row_forecast(facts) else { return };
    // Headroom for rewriting data while the old files still exist.
    let headroom = if compaction_class(table) == "LeveledCompactionStrategy" { 0.1 } else { 0.5 };
    let copies = replica_count(project, &table.keyspace).unwrap_or(3.0);
    let nodes = f64::from(project.nodes.max(1));
    let bytes = rows * volume.row_bytes * copies * (1.0 + headroom) / nodes;
    if facts.view.is_some() || bytes <= reporter.limit(&NODE) {
        return;
    }
    let message = format!("{} needs {} on each node.", table.name, figures::format_bytes(bytes));
    reporter
        .report(facts.place, message)
        .with_table(table)
        .note(format!(
            "{} {when} at {} per row, {} replicas over {}, {} headroom for compaction, before compression",
            figures::pluralise(rows, "row"),
            figures::format_bytes(volume.row_bytes),
            figures::format_count(copies),
            figures::pluralise(nodes, "node"),
            figures::format_share(headroom)
        ))
        .help("plan for more nodes, or let rows expire");
}

/// The number of rows that a table will have, and when.
fn row_forecast(facts: &TableFacts) -> Option<(f64, String)> {
    let volume = &facts.volume;
    let daily = volume.grows.or_else(|| volume.inserts.map(|rate| rate * DAY));
    let lives = volume.expires.or(volume.retain);
    match (volume.rows, daily, lives) {
        (_, Some(daily), Some(seconds)) => {
            Some((daily * seconds / DAY, format!("in {}", figures::format_duration(seconds))))
        }
        (today, Some(daily), None) => {
            Some((today.unwrap_or_default() + daily * YEAR / DAY, "after a year".to_owned()))
        }
        (Some(today), None, _) => Some((today, "today".to_owned())),
        (None, None, _) => None,
    }
}
