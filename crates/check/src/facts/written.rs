//! The values that statements give to the columns of a key, as they are written.

use cql::relation::{Operator, Relation, RelationKind};
use cql::statement::write::{Delete, Insert, InsertValues, Update, WriteKind};
use cql::term::{Term, TermKind};
use cql::{QualifiedName, StatementKind};

use crate::{Project, Seen};

/// One statement, or one of a batch, and the values that it gives to columns with `=`.
#[derive(Clone, Debug)]
pub struct Written<'s> {
    /// What it does.
    pub does: Does,
    /// The table.
    pub table: &'s QualifiedName,
    /// Columns and their values.
    pub values: Vec<(&'s str, &'s Term)>,
}

/// What a statement does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the statements")]
pub enum Does {
    Select,
    Insert,
    Update,
    Delete,
}

impl<'s> Written<'s> {
    /// The value of a column.
    pub fn value(&self, column: &str) -> Option<&'s Term> {
        self.values.iter().find(|(name, _)| *name == column).map(|(_, term)| *term)
    }
}

/// What a statement gives values to; each statement of a batch for itself.
pub fn written<'p>(project: &'p Project<'_>, seen: &Seen) -> Vec<Written<'p>> {
    let Some(statement) = project.syntax(seen) else { return Vec::new() };
    match &statement.kind {
        StatementKind::Select(select) => vec![Written {
            does: Does::Select,
            table: &select.table,
            values: equal(&select.relations),
        }],
        StatementKind::Insert(one) => vec![insert(one)],
        StatementKind::Update(one) => vec![update(one)],
        StatementKind::Delete(one) => vec![delete(one)],
        StatementKind::Batch(batch) => {
            let each = batch.statements.iter().map(|one| match &one.kind {
                WriteKind::Insert(one) => insert(one),
                WriteKind::Update(one) => update(one),
                WriteKind::Delete(one) => delete(one),
            });
            each.collect()
        }
        _ => Vec::new(),
    }
}

fn insert(insert: &Insert) -> Written<'_> {
    let values = match &insert.values {
        InsertValues::Columns { columns, values } => {
            columns.iter().zip(values).map(|(name, term)| (&*name.text, term)).collect()
        }
        InsertValues::Json { .. } => Vec::new(),
    };
    Written { does: Does::Insert, table: &insert.table, values }
}

fn update(update: &Update) -> Written<'_> {
    Written { does: Does::Update, table: &update.table, values: equal(&update.relations) }
}

fn delete(delete: &Delete) -> Written<'_> {
    Written { does: Does::Delete, table: &delete.table, values: equal(&delete.relations) }
}

fn equal(relations: &[Relation]) -> Vec<(&str, &Term)> {
    let each = relations.iter().filter_map(|relation| match &relation.kind {
        RelationKind::Column(name, Operator::Eq, term) => Some((&*name.text, term)),
        _ => None,
    });
    each.collect()
}

/// Whether a value is given from outside when the statement runs.
pub fn is_given(term: &Term) -> bool {
    matches!(term.kind, TermKind::Marker(_) | TermKind::Placeholder(_))
}

/// The text of a literal: a number, a string, a truth.
pub fn literal(term: &Term) -> Option<&str> {
    match &term.kind {
        TermKind::Constant(constant) => Some(&constant.text),
        _ => None,
    }
}
