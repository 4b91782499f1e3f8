//! The table or other object that a statement is about.

use cql::statement::write::{BatchStatement, WriteKind};
use cql::{QualifiedName, Span, StatementKind};

/// The table, view, index, type or function that a statement is about, or the part of it at this place.
pub(crate) fn find_object(statement: &StatementKind, at: Span) -> Option<&QualifiedName> {
    Some(match statement {
        StatementKind::Select(select) => &select.table,
        StatementKind::Insert(insert) => &insert.table,
        StatementKind::Update(update) => &update.table,
        StatementKind::Delete(delete) => &delete.table,
        StatementKind::Batch(batch) => batch_table(&batch.statements, at)?,
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
fn batch_table(statements: &[BatchStatement], at: Span) -> Option<&QualifiedName> {
    let here = statements.iter().find(|statement| contains_span(statement.span, at));
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
pub(crate) const fn contains_span(outer: Span, at: Span) -> bool {
    outer.start <= at.start && at.end <= outer.end
}
