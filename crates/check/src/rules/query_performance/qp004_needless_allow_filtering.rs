//! QP004: ALLOW FILTERING where nothing is filtered.

use cql::StatementKind;
use schema::access::FilterScope;

use crate::{Check, FixKind, Location, Project, ReplayedStatement, Reporter, RuleEntry};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("qp004_needless_allow_filtering.md"), Check::Statement(check));

fn check(project: &Project<'_>, seen: &ReplayedStatement, reporter: &mut Reporter<'_>) {
    let (Some(read), Some(statement)) = (seen.read(), project.syntax(seen)) else { return };
    let StatementKind::Select(select) = &statement.kind else { return };
    let Some(words) = select.allow_filtering else { return };
    if read.filtering.scope != FilterScope::None {
        return;
    }
    let place = Location { text: seen.place.text, span: words };
    reporter
        .report(place, "ALLOW FILTERING is not needed here and would hide a later mistake.")
        .with_table(&read.table)
        .help("remove it")
        .fix(FixKind::Safe, "remove ALLOW FILTERING", project.extend_over_blanks(place), "");
}
