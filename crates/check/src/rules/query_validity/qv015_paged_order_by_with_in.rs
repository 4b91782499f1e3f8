//! QV015: pages, ORDER BY and several partitions in one query.

use cql::StatementKind;
use schema::access::{Partitions, ReadOrder};

use crate::{Check, Location, Project, ReplayedStatement, Reporter, RuleEntry, Severity};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("qv015_paged_order_by_with_in.md"), Check::Statement(check));

/// A statement without markers is rejected as written. One with markers is prepared: whether it is
/// paged depends on its caller.
fn check(project: &Project<'_>, seen: &ReplayedStatement, reporter: &mut Reporter<'_>) {
    let (Some(read), Some(statement)) = (seen.read(), project.syntax(seen)) else { return };
    let StatementKind::Select(select) = &statement.kind else { return };
    let several = matches!(read.partitions, Partitions::Several(_));
    let sorted = matches!(read.order, ReadOrder::Sorted { .. });
    let Some(first) = select.order_by.first().filter(|_| several && sorted) else { return };
    let place = Location { text: seen.place.text, span: first.span };
    reporter
        .report(place, "ORDER BY over several partitions works only with paging disabled.")
        .with_table(&read.table)
        .severity(Severity::Info)
        .note("drivers use pages of 5,000 rows by default, and the server rejects paging of results that it has to sort")
        .help("query one partition at a time and merge the results, or disable paging and set a LIMIT");
}
