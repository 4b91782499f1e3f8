//! What a finding concerns, from the statement that it stands in: keyspace, table and column.

mod columns;

use cql::statement::write::{BatchStatement, WriteKind};
use cql::{Name, QualifiedName, Span, StatementKind};

use crate::Category;
use crate::finding::{Finding, Subject};
use crate::project::{Project, Seen};

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

/// The table, view, index, type or function that a statement is about, or the part of it at this place.
pub(crate) fn object(statement: &StatementKind, at: Span) -> Option<&QualifiedName> {
    Some(match statement {
        StatementKind::Select(select) => &select.table,
        StatementKind::Insert(insert) => &insert.table,
        StatementKind::Update(update) => &update.table,
        StatementKind::Delete(delete) => &delete.table,
        StatementKind::Batch(batch) => written(&batch.statements, at)?,
        StatementKind::CreateTable(create) => &create.name,
        StatementKind::AlterTable(alter) => &alter.name,
        StatementKind::DropTable(drop) => &drop.name,
        StatementKind::Truncate(truncate) => &truncate.table,
        StatementKind::CreateIndex(create) => &create.table,
        StatementKind::DropIndex(drop) => &drop.name,
        StatementKind::CreateView(create) => &create.name,
        StatementKind::AlterView(alter) => &alter.name,
        StatementKind::DropView(drop) => &drop.name,
        StatementKind::CreateType(create) => &create.name,
        StatementKind::AlterType(alter) => &alter.name,
        StatementKind::DropType(drop) => &drop.name,
        StatementKind::CreateFunction(create) => &create.name,
        StatementKind::CreateAggregate(create) => &create.name,
        StatementKind::DropFunction(drop) => &drop.name,
        StatementKind::CreateTrigger(create) => &create.table,
        StatementKind::DropTrigger(drop) => &drop.table,
        _ => return None,
    })
}

/// The table that a batch writes at this place; of a place outside its statements, the table that all of them write.
fn written(statements: &[BatchStatement], at: Span) -> Option<&QualifiedName> {
    let here = statements.iter().find(|statement| holds(statement.span, at));
    let first = table_of(here.or_else(|| statements.first())?);
    let is_one = here.is_some() || statements.iter().all(|other| table_of(other) == first);
    is_one.then_some(first)
}

fn table_of(statement: &BatchStatement) -> &QualifiedName {
    match &statement.kind {
        WriteKind::Insert(insert) => &insert.table,
        WriteKind::Update(update) => &update.table,
        WriteKind::Delete(delete) => &delete.table,
    }
}

/// Whether a place lies within another.
pub(crate) const fn holds(outer: Span, at: Span) -> bool {
    outer.start <= at.start && at.end <= outer.end
}

#[cfg(test)]
mod tests;
