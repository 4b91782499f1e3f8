//! What a finding concerns, from the statement that it stands in: keyspace, table and column.

mod columns;

use cql::{Name, Span, StatementKind};

use crate::project::{Project, ReplayedStatement};
use crate::rule::{Category, Finding, FindingSubject};
use crate::statement_object::find_object;

/// Fills in what a finding leaves open.
pub(crate) fn complete(project: &Project<'_>, finding: &mut Finding) {
    if finding.subject != FindingSubject::default() {
        return;
    }
    let seen =
        project.statement_at(finding.place).or_else(|| statement_after_comment(project, finding));
    if let Some(seen) = seen
        && let Some(statement) = project.syntax(seen)
    {
        finding.subject = resolve_subject(seen, &statement.kind, finding.place.span);
    }
}

/// The statement that a comment above it speaks of, where a finding is about the comment.
fn statement_after_comment<'p>(
    project: &'p Project<'_>,
    finding: &Finding,
) -> Option<&'p ReplayedStatement> {
    let place = finding.place;
    let is_for_all = project.text_at(place).contains("allow-file");
    if finding.rule.category != Category::Checking || is_for_all {
        return None;
    }
    let is_before = |seen: &ReplayedStatement| {
        (seen.place.text, seen.place.span.start) <= (place.text, place.span.start)
    };
    let next = project.statements.partition_point(is_before);
    project.statements.get(next).filter(|seen| seen.place.text == place.text)
}

/// What the part of a statement at a place concerns.
fn resolve_subject(
    seen: &ReplayedStatement,
    statement: &StatementKind,
    at: Span,
) -> FindingSubject {
    if let Some(keyspace) = keyspace(statement) {
        return FindingSubject {
            keyspace: Some(keyspace.text.clone()),
            ..FindingSubject::default()
        };
    }
    let Some(name) = find_object(statement, at) else { return FindingSubject::default() };
    let stated = name.keyspace.as_ref().map(|keyspace| keyspace.text.clone());
    FindingSubject {
        keyspace: stated.or_else(|| seen.keyspace.as_deref().map(Into::into)),
        table: Some(name.name.text.clone()),
        column: columns::find_column(statement, at).map(|column| column.text.clone()),
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
