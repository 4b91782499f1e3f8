//! CK003: ORDER BY in the stored order.

use cql::{Span, StatementKind};
use schema::access::{Partitions, ReadOrder};

use crate::{Check, FixKind, Location, Project, ReplayedStatement, Reporter, RuleEntry};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("ck003_redundant_order_by.md"), Check::Statement(check));

fn check(project: &Project<'_>, seen: &ReplayedStatement, reporter: &mut Reporter<'_>) {
    let (Some(read), Some(statement)) = (seen.read(), project.syntax(seen)) else { return };
    let StatementKind::Select(select) = &statement.kind else { return };
    let spans = select.order_by.iter().map(|ordering| ordering.span);
    let Some(columns) = spans.reduce(Span::union) else { return };
    if read.order != ReadOrder::Stored || read.partitions != Partitions::One {
        return;
    }
    let place = Location { text: seen.place.text, span: columns };
    let finding =
        reporter.report(place, "ORDER BY has no effect: the rows are stored in this order.");
    finding.with_table(&read.table).help("remove it");
    if let Some(clause) = clause_location(project, place) {
        let clause = project.extend_over_blanks(clause);
        finding.fix(FixKind::Safe, "remove ORDER BY", clause, "");
    }
}

/// The clause with both its keywords, if only blanks separate them.
fn clause_location(project: &Project<'_>, columns: Location) -> Option<Location> {
    let text = project.texts.get(columns.text)?.text;
    let mut before = text.get(..columns.span.start as usize)?;
    for word in ["by", "order"] {
        let trimmed = before.trim_end();
        let start = trimmed.len().checked_sub(word.len())?;
        trimmed.get(start..).filter(|last| last.eq_ignore_ascii_case(word))?;
        before = trimmed.get(..start)?;
    }
    let start = u32::try_from(before.len()).ok()?;
    Some(Location { text: columns.text, span: Span::new(start, columns.span.end) })
}
