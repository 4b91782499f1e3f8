//! How statements write columns: as a whole, element by element, by position.

use cql::relation::ColumnPart;
use cql::statement::write::{AssignmentOperation, Delete, Insert, InsertValues, Update, WriteKind};
use cql::term::{Term, TermKind};
use cql::types::Type;
use cql::{Name, Span, StatementKind};
use schema::access::WritePlan;
use schema::catalog::{Column, Table};

use crate::{Location, Project, ReplayedStatement, TableFacts};

/// What a statement does to a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum ColumnOperation {
    /// `c = value`, in UPDATE or INSERT.
    Replace,
    /// `c = null`, `DELETE c`
    Clear,
    /// `c = c + value`: elements, a counter's increment.
    Append,
    /// `l = value + l`
    Prepend,
    /// `m[?] = value`: any key.
    Put,
    /// `m['a'] = value`: a key that the text names.
    PutNamed,
    /// `l[i] = value`
    SetAt,
    /// `DELETE l[i]`
    RemoveAt,
    /// `l = l - value`
    RemoveEqual,
    /// Elements of a set or entries of a map go; a counter's decrement.
    Remove,
    /// `u.field = value`, `DELETE u.field`
    Field,
}

impl ColumnOperation {
    /// Whether the value gets more elements.
    pub(crate) fn is_addition(self) -> bool {
        matches!(self, Self::Append | Self::Prepend | Self::Put)
    }

    /// Whether elements go.
    pub(crate) fn is_removal(self) -> bool {
        matches!(self, Self::Remove | Self::RemoveAt | Self::RemoveEqual | Self::Clear)
    }

    /// Whether it works on parts of the value.
    pub(crate) fn is_partial(self) -> bool {
        !matches!(self, Self::Replace | Self::Clear)
    }
}

/// A column that a statement touches.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ColumnWrite<'p> {
    /// The statement.
    pub(crate) seen: &'p ReplayedStatement,
    /// How it writes; one of several in a batch.
    pub(crate) write: &'p WritePlan,
    /// The column.
    pub(crate) column: &'p Column,
    /// What it does to the column.
    pub(crate) operation: ColumnOperation,
    /// The value that it writes, where the text gives one.
    pub(crate) value: Option<&'p Term>,
    /// Whether it is an INSERT.
    pub(crate) inserts: bool,
    /// Where.
    pub(crate) place: Location,
}

/// What a statement touches outside the keys.
pub(crate) fn column_writes<'p>(
    project: &'p Project<'_>,
    seen: &'p ReplayedStatement,
) -> Vec<ColumnWrite<'p>> {
    let mut found = Vec::new();
    let Some(statement) = project.syntax(seen) else { return found };
    let mut writes = seen.writes();
    let mut add = |write: Option<&'p WritePlan>, touched: Vec<ColumnWriteSyntax<'p>>| {
        let Some(write) = write else { return };
        let columns = touched.into_iter().filter_map(|one| {
            let column = write.table.column(one.column).filter(|known| !known.is_primary_key())?;
            let place = Location { text: seen.place.text, span: one.span };
            let touch = narrow_to_type(one.operation, &column.ty);
            let (value, inserts) = (one.value, one.inserts);
            Some(ColumnWrite { seen, write, column, operation: touch, value, inserts, place })
        });
        found.extend(columns);
    };
    match &statement.kind {
        StatementKind::Insert(insert) => {
            let write = writes.next();
            add(write, insert_writes(insert, write));
        }
        StatementKind::Update(update) => add(writes.next(), update_writes(update)),
        StatementKind::Delete(delete) => add(writes.next(), delete_writes(delete)),
        StatementKind::Batch(batch) => {
            for (statement, write) in batch.statements.iter().zip(writes) {
                let touched = match &statement.kind {
                    WriteKind::Insert(insert) => insert_writes(insert, Some(write)),
                    WriteKind::Update(update) => update_writes(update),
                    WriteKind::Delete(delete) => delete_writes(delete),
                };
                add(Some(write), touched);
            }
        }
        _ => {}
    }
    found
}

/// Whether a statement touches a column of such a type: a quick look before [`column_writes`].
pub(crate) fn has_column_write(
    seen: &ReplayedStatement,
    is_wanted: impl Fn(&Type) -> bool,
) -> bool {
    seen.writes().any(|write| {
        let columns = write.columns.iter().filter_map(|at| write.table.columns().get(*at));
        columns.into_iter().any(|column| is_wanted(&column.ty))
    })
}

/// What all statements touch of a table.
pub(crate) fn table_column_writes<'p>(
    project: &'p Project<'_>,
    facts: &'p TableFacts,
) -> Vec<ColumnWrite<'p>> {
    let all = facts.writes(project).flat_map(|seen| column_writes(project, seen));
    all.filter(|one| is_write_to(one.write, &facts.table)).collect()
}

/// Whether a write goes to this table.
pub(crate) fn is_write_to(write: &WritePlan, table: &Table) -> bool {
    write.table.name == table.name && write.table.keyspace == table.keyspace
}

/// A column of a statement, as it is written.
struct ColumnWriteSyntax<'p> {
    column: &'p str,
    operation: ColumnOperation,
    value: Option<&'p Term>,
    inserts: bool,
    span: Span,
}

fn classify_value(value: &Term) -> ColumnOperation {
    if matches!(value.kind, TermKind::Null) {
        ColumnOperation::Clear
    } else {
        ColumnOperation::Replace
    }
}

fn insert_writes<'p>(
    insert: &'p Insert,
    write: Option<&'p WritePlan>,
) -> Vec<ColumnWriteSyntax<'p>> {
    match &insert.values {
        InsertValues::Columns { columns, values } => {
            let pairs = columns.iter().zip(values);
            let one = |(name, value): (&'p Name, &'p Term)| ColumnWriteSyntax {
                column: &name.text,
                operation: classify_value(value),
                value: Some(value),
                inserts: true,
                span: name.span,
            };
            pairs.map(one).collect()
        }
        InsertValues::Json { value, .. } => {
            let Some(write) = write else { return Vec::new() };
            let columns = write.columns.iter().filter_map(|at| write.table.columns().get(*at));
            let one = |column: &'p Column| ColumnWriteSyntax {
                column: &column.name,
                operation: ColumnOperation::Replace,
                value: None,
                inserts: true,
                span: value.span,
            };
            columns.map(one).collect()
        }
    }
}

fn update_writes(update: &Update) -> Vec<ColumnWriteSyntax<'_>> {
    let assignments = update.assignments.iter();
    assignments
        .map(|assignment| {
            let (touch, value) = classify_assignment(&assignment.operation);
            ColumnWriteSyntax {
                column: &assignment.column.text,
                operation: touch,
                value: Some(value),
                inserts: false,
                span: assignment.span,
            }
        })
        .collect()
}

fn classify_assignment(operation: &AssignmentOperation) -> (ColumnOperation, &Term) {
    match operation {
        AssignmentOperation::Set(value) => (classify_value(value), value),
        AssignmentOperation::SetElement(key, value) => {
            let is_named = matches!(key.kind, TermKind::Constant(_));
            (if is_named { ColumnOperation::PutNamed } else { ColumnOperation::Put }, value)
        }
        AssignmentOperation::SetField(_, value) => (ColumnOperation::Field, value),
        AssignmentOperation::Add(value) => (ColumnOperation::Append, value),
        AssignmentOperation::Subtract(value) => (ColumnOperation::Remove, value),
        AssignmentOperation::Prepend(value) => (ColumnOperation::Prepend, value),
    }
}

fn delete_writes(delete: &Delete) -> Vec<ColumnWriteSyntax<'_>> {
    let one = |target: &'_ cql::statement::write::DeleteTarget| match target.part {
        ColumnPart::Whole => ColumnOperation::Clear,
        ColumnPart::Element(_) => ColumnOperation::RemoveAt,
        ColumnPart::Field(_) => ColumnOperation::Field,
    };
    let targets = delete.targets.iter();
    targets
        .map(|target| ColumnWriteSyntax {
            column: &target.column.text,
            operation: one(target),
            value: None,
            inserts: false,
            span: target.span,
        })
        .collect()
}

/// Lists have positions where maps have keys.
fn narrow_to_type(touch: ColumnOperation, ty: &Type) -> ColumnOperation {
    match (touch, ty) {
        (ColumnOperation::Put | ColumnOperation::PutNamed, Type::List(..)) => {
            ColumnOperation::SetAt
        }
        (ColumnOperation::Remove, Type::List(..)) => ColumnOperation::RemoveEqual,
        (ColumnOperation::RemoveAt, Type::Set(..) | Type::Map(..)) => ColumnOperation::Remove,
        (touch, _) => touch,
    }
}

#[cfg(test)]
mod tests {
    use super::{ColumnOperation, column_writes};
    use crate::Settings;
    use crate::project::tests::project;

    const TABLE: &str = "CREATE TABLE t (key int, value text, month date, m map<text, int>, l list<text>, s set<uuid>, \
                         PRIMARY KEY ((key, month), value));";

    #[test]
    fn a_batch_touches_what_its_statements_touch() {
        let text = format!(
            "{TABLE} BEGIN BATCH \
             INSERT INTO t (key, month, value, m) VALUES (1, ?, 'a', ?); \
             UPDATE t SET m[?] = 1, m['b'] = 2, l = l + ?, l[1] = 'x' WHERE key = 1 AND month = ? AND value = 'a'; \
             DELETE l[0], m['a'], s FROM t WHERE key = 1 AND month = ? AND value = 'a'; \
             APPLY BATCH"
        );
        let settings = Settings::default();
        let project = project(&text, &settings);
        let all = column_writes(&project, &project.statements[1]);
        let found: Vec<(&str, ColumnOperation)> =
            all.iter().map(|one| (&*one.column.name, one.operation)).collect();
        let expected = [
            ("m", ColumnOperation::Replace),
            ("m", ColumnOperation::Put),
            ("m", ColumnOperation::PutNamed),
            ("l", ColumnOperation::Append),
            ("l", ColumnOperation::SetAt),
            ("l", ColumnOperation::RemoveAt),
            ("m", ColumnOperation::Remove),
            ("s", ColumnOperation::Clear),
        ];
        assert_eq!(found, expected);
    }
}
