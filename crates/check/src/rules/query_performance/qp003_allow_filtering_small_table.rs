//! QP003: ALLOW FILTERING over a small table that is rarely read.

use model::figures::format_count;
use schema::access::FilterScope;

use crate::facts::tables::is_registry;

use crate::{Check, Confidence, Limit, Location, Project, ReplayedStatement, Reporter, RuleEntry};

const SCANS: Limit =
    Limit::new("small-table-scans", 1.0 / 60.0).describe("scans per second of a small table");

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("qp003_allow_filtering_small_table.md"), Check::Statement(check))
        .with_limits(&[SCANS]);

/// Whether a statement runs more often than a small table may be scanned.
pub(super) fn is_frequent(seen: &ReplayedStatement, found: &Reporter<'_>) -> bool {
    seen.rate().is_some_and(|rate| rate > found.limit(&SCANS))
}

fn check(project: &Project<'_>, seen: &ReplayedStatement, reporter: &mut Reporter<'_>) {
    let (Some(read), Some(select)) = (seen.read(), project.select(seen)) else { return };
    let Some(span) = select.allow_filtering else { return };
    let Some(facts) = project.facts(&read.table) else { return };
    let is_scan = read.filtering.scope == FilterScope::Everywhere;
    if !is_scan || !is_registry(facts) || is_frequent(seen, reporter) {
        return;
    }
    let message = format!("Filtering is acceptable only while {} stays small.", read.table.name);
    let one = reporter.report(Location { text: seen.place.text, span }, message);
    one.with_table(&read.table);
    match facts.volume.rows {
        Some(rows) => one.note(format!("each execution reads {} rows", format_count(rows))),
        None => one.confidence(Confidence::Low).note("inferred to be small from the table name"),
    };
    one.help("keep it, and monitor the number of rows");
}
