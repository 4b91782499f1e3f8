//! QV035: transactions, which no released version has.

use crate::project::StatementOutcome;
use crate::{Check, Location, Project, ReplayedStatement, Reporter, RuleEntry};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("qv035_accord_restrictions.md"), Check::Statement(check));

/// The length of the highlighted keyword.
const BEGIN: u32 = 5;

fn check(project: &Project<'_>, seen: &ReplayedStatement, reporter: &mut Reporter<'_>) {
    if !matches!(seen.outcome, StatementOutcome::Broken) {
        return;
    }
    let mut words = project.text_at(seen.place).split_whitespace();
    let starts = |word: Option<&str>, wanted: &str| {
        word.is_some_and(|word| word.eq_ignore_ascii_case(wanted))
    };
    if !starts(words.next(), "BEGIN") || !starts(words.next(), "TRANSACTION") {
        return;
    }
    let start = seen.place.span.start;
    let place = Location { text: seen.place.text, span: cql::Span::new(start, start + BEGIN) };
    let message = format!(
        "{} does not support transactions; they require Accord.",
        project.settings.target.name()
    );
    reporter
        .report(place, message)
        .help("write one partition with BEGIN BATCH and IF, or copies in several partitions with a logged batch");
}
