//! The values that statements give to columns, as they are written.

use cql::relation::{InValues, Operator, Relation, RelationKind};
use cql::statement::write::{Delete, Insert, InsertValues, Update, WriteKind};
use cql::term::{Term, TermKind};
use cql::{QualifiedName, StatementKind};

use crate::{Project, ReplayedStatement};

/// One statement, or one of a batch, and the values that it gives to columns with `=`.
#[derive(Clone, Debug)]
pub(crate) struct StatementValues<'s> {
    /// What it does.
    pub(crate) verb: StatementVerb,
    /// The table.
    pub(crate) table: &'s QualifiedName,
    /// Columns and their values.
    pub(crate) values: Vec<(&'s str, &'s Term)>,
}

/// What a statement does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StatementVerb {
    Select,
    Insert,
    Update,
    Delete,
}

impl<'s> StatementValues<'s> {
    /// The value of a column.
    pub(crate) fn value(&self, column: &str) -> Option<&'s Term> {
        self.values.iter().find(|(name, _)| *name == column).map(|(_, term)| *term)
    }
}

/// What a statement gives values to; each statement of a batch for itself.
pub(crate) fn statement_values<'p>(
    project: &'p Project<'_>,
    seen: &ReplayedStatement,
) -> Vec<StatementValues<'p>> {
    let Some(statement) = project.syntax(seen) else { return Vec::new() };
    match &statement.kind {
        StatementKind::Select(select) => vec![StatementValues {
            verb: StatementVerb::Select,
            table: &select.table,
            values: equality_values(&select.relations),
        }],
        StatementKind::Insert(one) => vec![insert_values(one)],
        StatementKind::Update(one) => vec![update_values(one)],
        StatementKind::Delete(one) => vec![delete_values(one)],
        StatementKind::Batch(batch) => {
            let each = batch.statements.iter().map(|one| match &one.kind {
                WriteKind::Insert(one) => insert_values(one),
                WriteKind::Update(one) => update_values(one),
                WriteKind::Delete(one) => delete_values(one),
            });
            each.collect()
        }
        _ => Vec::new(),
    }
}

fn insert_values(insert: &Insert) -> StatementValues<'_> {
    let values = match &insert.values {
        InsertValues::Columns { columns, values } => {
            columns.iter().zip(values).map(|(name, term)| (&*name.text, term)).collect()
        }
        InsertValues::Json { .. } => Vec::new(),
    };
    StatementValues { verb: StatementVerb::Insert, table: &insert.table, values }
}

fn update_values(update: &Update) -> StatementValues<'_> {
    StatementValues {
        verb: StatementVerb::Update,
        table: &update.table,
        values: equality_values(&update.relations),
    }
}

fn delete_values(delete: &Delete) -> StatementValues<'_> {
    StatementValues {
        verb: StatementVerb::Delete,
        table: &delete.table,
        values: equality_values(&delete.relations),
    }
}

fn equality_values(relations: &[Relation]) -> Vec<(&str, &Term)> {
    let each = relations.iter().filter_map(|relation| match &relation.kind {
        RelationKind::Column(name, Operator::Eq, term) => Some((&*name.text, term)),
        _ => None,
    });
    each.collect()
}

/// Whether a value is given from outside when the statement runs.
pub(crate) fn is_parameter(term: &Term) -> bool {
    matches!(term.kind, TermKind::Marker(_) | TermKind::Placeholder(_))
}

/// The text of a literal: a number, a string, a truth.
pub(crate) fn literal_text(term: &Term) -> Option<&str> {
    match &term.kind {
        TermKind::Constant(constant) => Some(&constant.text),
        _ => None,
    }
}

/// The value that a write gives a column, in VALUES, SET or WHERE.
pub(crate) fn column_value<'w>(kind: &'w WriteKind, column: &str) -> Option<&'w Term> {
    use cql::statement::write::AssignmentOperation::{Add, Prepend, Set, Subtract};
    match kind {
        WriteKind::Insert(insert) => match &insert.values {
            InsertValues::Columns { columns, values } => {
                let at = columns.iter().position(|name| &*name.text == column)?;
                values.get(at)
            }
            InsertValues::Json { .. } => None,
        },
        WriteKind::Update(update) => {
            let set = update.assignments.iter().find(|one| &*one.column.text == column);
            match set.map(|one| &one.operation) {
                Some(Set(term) | Add(term) | Subtract(term) | Prepend(term)) => Some(term),
                Some(_) => None,
                None => relation_value(&update.relations, column),
            }
        }
        WriteKind::Delete(delete) => relation_value(&delete.relations, column),
    }
}

/// The one value that relations compare a column with.
fn relation_value<'w>(relations: &'w [Relation], column: &str) -> Option<&'w Term> {
    relations.iter().find_map(|relation| match &relation.kind {
        RelationKind::Column(name, Operator::Eq, term) if &*name.text == column => Some(term),
        RelationKind::In { column: name, values: InValues::List(values), .. }
            if &*name.text == column =>
        {
            values.first()
        }
        _ => None,
    })
}
