//! QV015: pages, ORDER BY and several partitions in one query.

use cql::StatementKind;
use schema::access::{Partitions, ReadOrder};

use crate::{Check, Location, Project, ReplayedStatement, Reporter, RuleEntry, Severity};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("qv015_paged_order_by_with_in.md"), Check::Statement(check));

/// A statement without markers is refused as it stands. One with markers is prepared: whether it pages, its caller knows.
fn check(project: &Project<'_>, seen: &ReplayedStatement, found: &mut Reporter<'_>) {
    let (Some(read), Some(statement)) = (seen.read(), project.syntax(seen)) else { return };
    let StatementKind::Select(select) = &statement.kind else { return };
    let several = matches!(read.partitions, Partitions::Several(_));
    let sorted = matches!(read.order, ReadOrder::Sorted { .. });
    let Some(first) = select.order_by.first().filter(|_| several && sorted) else { return };
    let place = Location { text: seen.place.text, span: first.span };
    found
        .report(place, "ORDER BY over several partitions runs only with paging turned off.")
        .with_table(&read.table)
        .severity(Severity::Info)
        .note("drivers ask for pages of 5,000 rows unless told otherwise, and the server refuses to page what it has to sort")
        .help("ask one partition at a time and merge, or turn paging off and give a LIMIT");
}
