//! What a finding concerns, from the statement that it stands in: keyspace, table and column.

mod columns;

use cql::{Name, Span, StatementKind};

use crate::project::{Project, Seen};
use crate::rule::{Category, Finding, Subject};
use crate::statement_object::object;

/// Fills in what a finding leaves open.
pub(crate) fn complete(project: &Project<'_>, finding: &mut Finding) {
    if finding.subject != Subject::default() {
        return;
    }
    let seen = project.statement_at(finding.place).or_else(|| commented(project, finding));
    if let Some(seen) = seen
        && let Some(statement) = project.syntax(seen)
    {
        finding.subject = of(seen, &statement.kind, finding.place.span);
    }
}

/// The statement that a comment above it speaks of, where a finding is about the comment.
fn commented<'p>(project: &'p Project<'_>, finding: &Finding) -> Option<&'p Seen> {
    let place = finding.place;
    let is_for_all = project.written(place).contains("allow-file");
    if finding.rule.category != Category::Checking || is_for_all {
        return None;
    }
    let is_before =
        |seen: &Seen| (seen.place.text, seen.place.span.start) <= (place.text, place.span.start);
    let next = project.statements.partition_point(is_before);
    project.statements.get(next).filter(|seen| seen.place.text == place.text)
}

/// What the part of a statement at a place concerns.
fn of(seen: &Seen, statement: &StatementKind, at: Span) -> Subject {
    if let Some(keyspace) = keyspace(statement) {
        return Subject { keyspace: Some(keyspace.text.clone()), ..Subject::default() };
    }
    let Some(name) = object(statement, at) else { return Subject::default() };
    let stated = name.keyspace.as_ref().map(|keyspace| keyspace.text.clone());
    Subject {
        keyspace: stated.or_else(|| seen.keyspace.as_deref().map(Into::into)),
        table: Some(name.name.text.clone()),
        column: columns::at(statement, at).map(|column| column.text.clone()),
    }
}

/// The keyspace that a statement is about as a whole.
fn keyspace(statement: &StatementKind) -> Option<&Name> {
    match statement {
        StatementKind::Use(used) => Some(&used.keyspace),
        StatementKind::CreateKeyspace(create) => Some(&create.name),
        StatementKind::AlterKeyspace(alter) => Some(&alter.name),
        StatementKind::DropKeyspace(drop) => Some(&drop.name),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
