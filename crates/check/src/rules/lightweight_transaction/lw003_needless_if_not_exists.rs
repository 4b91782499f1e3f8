//! LW003: IF NOT EXISTS for a key that is new anyway.

use cql::StatementKind;
use cql::statement::write::{Insert, InsertValues, WriteKind};
use cql::term::{Term, TermKind};
use cql::{Name, Span};
use schema::access::WritePlan;

use crate::{Check, FixKind, Location, Project, ReplayedStatement, Reporter, RuleEntry};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("lw003_needless_if_not_exists.md"), Check::Statement(check));

fn check(project: &Project<'_>, seen: &ReplayedStatement, reporter: &mut Reporter<'_>) {
    let Some(statement) = project.syntax(seen) else { return };
    match &statement.kind {
        StatementKind::Insert(insert) => {
            let Some(write) = seen.writes().next() else { return };
            check_insert(project, (write, insert), seen.place, reporter);
        }
        StatementKind::Batch(batch) => {
            for (write, one) in seen.writes().zip(&batch.statements) {
                if let WriteKind::Insert(insert) = &one.kind {
                    let place = Location { text: seen.place.text, span: one.span };
                    check_insert(project, (write, insert), place, reporter);
                }
            }
        }
        _ => {}
    }
}

fn check_insert(
    project: &Project<'_>,
    (write, insert): (&WritePlan, &Insert),
    place: Location,
    reporter: &mut Reporter<'_>,
) {
    let InsertValues::Columns { columns, values } = &insert.values else { return };
    let is_new = |(name, value): &(&Name, &Term)| {
        let in_key =
            write.table.column(&name.text).is_some_and(schema::catalog::Column::is_primary_key);
        in_key && is_generated(value)
    };
    let Some((name, value)) =
        columns.iter().zip(values).find(is_new).filter(|_| insert.if_not_exists)
    else {
        return;
    };
    let message = format!(
        "The key is new in every statement (`{}` is {}), so IF NOT EXISTS is always true.",
        name.text,
        project.text_at(Location { text: place.text, span: value.span })
    );
    let finding = reporter.report(place, message);
    match write.table.column(&name.text) {
        Some(column) => finding.with_column(&write.table, column),
        None => finding.with_table(&write.table),
    };
    finding.help("remove IF NOT EXISTS, which takes four round trips instead of one");
    let last = values.last().map_or(place.span.start, |value| value.span.end);
    if let Some(words) = condition_location(project, place, last) {
        finding.fix(FixKind::Unsafe, "remove IF NOT EXISTS", project.extend_over_blanks(words), "");
    }
}

/// Whether the server generates the value, and never the same one twice.
fn is_generated(value: &Term) -> bool {
    match &value.kind {
        TermKind::Call(function, arguments) if arguments.is_empty() => {
            function.keyspace.as_ref().is_none_or(|keyspace| &*keyspace.text == "system")
                && matches!(&*function.name.text, "uuid" | "now")
        }
        _ => false,
    }
}

/// The position of `IF NOT EXISTS` after the values.
fn condition_location(project: &Project<'_>, place: Location, last: u32) -> Option<Location> {
    let rest = Location { text: place.text, span: Span::new(last, place.span.end) };
    let upper = project.text_at(rest).to_ascii_uppercase();
    let start = upper.find("IF")?;
    let end = start + upper.get(start..)?.find("EXISTS")? + "EXISTS".len();
    let words: Vec<&str> = upper.get(start..end)?.split_whitespace().collect();
    let offset = |at: usize| u32::try_from(at).ok().map(|at| last + at);
    let span = Span::new(offset(start)?, offset(end)?);
    (words == ["IF", "NOT", "EXISTS"]).then_some(Location { text: place.text, span })
}
