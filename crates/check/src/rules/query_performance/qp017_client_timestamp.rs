//! QP017: USING TIMESTAMP in a plain write.

use cql::StatementKind;
use cql::statement::write::WriteKind;
use cql::term::{Term, TermKind};
use schema::access::WritePlan;

use crate::{Check, Location, Project, ReplayedStatement, Reporter, RuleEntry, Severity};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("qp017_client_timestamp.md"), Check::Statement(check));

fn check(project: &Project<'_>, seen: &ReplayedStatement, reporter: &mut Reporter<'_>) {
    let Some(statement) = project.syntax(seen) else { return };
    let writes: Vec<&WritePlan> = seen.writes().collect();
    let mut all: Vec<(Option<&Term>, usize)> = match &statement.kind {
        StatementKind::Insert(insert) => vec![(insert.using.timestamp(), 0)],
        StatementKind::Update(update) => vec![(update.using.timestamp(), 0)],
        StatementKind::Delete(delete) => vec![(delete.using.timestamp(), 0)],
        StatementKind::Batch(batch) => {
            let parts = batch.statements.iter().enumerate().map(|(at, write)| match &write.kind {
                WriteKind::Insert(insert) => (insert.using.timestamp(), at),
                WriteKind::Update(update) => (update.using.timestamp(), at),
                WriteKind::Delete(delete) => (delete.using.timestamp(), at),
            });
            [(batch.using.timestamp(), 0)].into_iter().chain(parts).collect()
        }
        _ => return,
    };
    all.retain(|(term, _)| term.is_some());
    for (term, at) in all {
        if let (Some(term), Some(write)) = (term, writes.get(at)) {
            report(seen, term, write, reporter);
        }
    }
}

fn report(seen: &ReplayedStatement, term: &Term, write: &WritePlan, reporter: &mut Reporter<'_>) {
    let class = write.table.params.compaction.get("class");
    let has_windows = class.is_some_and(|class| class.ends_with("TimeWindowCompactionStrategy"));
    let place = Location { text: seen.place.text, span: term.span };
    let (message, severity) = match timestamp_unit(term) {
        Some(unit) => {
            let effect = if unit == "nanoseconds" {
                "later writes are never visible"
            } else {
                "any other write takes precedence"
            };
            (
                format!("This timestamp is in {unit} instead of microseconds, so {effect}."),
                Severity::High,
            )
        }
        None if has_windows => {
            let message = format!(
                "Client timestamps mix data of different time windows of {}.",
                write.table.name
            );
            (message, Severity::Medium)
        }
        None => {
            ("A client timestamp overrides the last-write-wins order.".to_owned(), Severity::Low)
        }
    };
    reporter
        .report(place, message)
        .with_table(&write.table)
        .severity(severity)
        .help("remove USING TIMESTAMP, or use it only for backfills");
}

/// The unit of a literal that is a contemporary time in another unit than microseconds.
fn timestamp_unit(term: &Term) -> Option<&'static str> {
    let TermKind::Constant(constant) = &term.kind else { return None };
    match constant.text.parse::<i64>().ok()? {
        500_000_000..100_000_000_000 => Some("seconds"),
        100_000_000_000..100_000_000_000_000 => Some("milliseconds"),
        100_000_000_000_000_000.. => Some("nanoseconds"),
        _ => None,
    }
}
