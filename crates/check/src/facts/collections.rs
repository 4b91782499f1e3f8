//! How statements touch columns: as a whole, element by element, by position; and what a collection becomes as a table of its own.

use std::fmt::Write;

use cql::relation::{ColumnPart, Operator, Relation, RelationKind};
use cql::statement::select::Select;
use cql::statement::write::{AssignmentOperation, Delete, Insert, InsertValues, Update, WriteKind};
use cql::term::{Term, TermKind};
use cql::types::Type;
use cql::{Name, Span, StatementKind};
use schema::access::{ReadPlan, WritePlan};
use schema::catalog::{Column, Table};

use crate::{Location, Project, ReplayedStatement, Severity, TableFacts};

/// What a statement does to a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ColumnOperation {
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
    pub fn is_addition(self) -> bool {
        matches!(self, Self::Append | Self::Prepend | Self::Put)
    }

    /// Whether elements go.
    pub fn is_removal(self) -> bool {
        matches!(self, Self::Remove | Self::RemoveAt | Self::RemoveEqual | Self::Clear)
    }

    /// Whether it works on parts of the value.
    pub fn is_partial(self) -> bool {
        !matches!(self, Self::Replace | Self::Clear)
    }
}

/// A column that a statement touches.
#[derive(Clone, Copy, Debug)]
pub struct ColumnWrite<'p> {
    /// The statement.
    pub seen: &'p ReplayedStatement,
    /// How it writes; one of several in a batch.
    pub write: &'p WritePlan,
    /// The column.
    pub column: &'p Column,
    /// What it does to the column.
    pub operation: ColumnOperation,
    /// The value that it writes, where the text gives one.
    pub value: Option<&'p Term>,
    /// Whether it is an INSERT.
    pub inserts: bool,
    /// Where.
    pub place: Location,
}

/// What a statement touches outside the keys.
pub fn column_writes<'p>(
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
pub fn has_column_write(seen: &ReplayedStatement, is_wanted: impl Fn(&Type) -> bool) -> bool {
    seen.writes().any(|write| {
        let columns = write.columns.iter().filter_map(|at| write.table.columns().get(*at));
        columns.into_iter().any(|column| is_wanted(&column.ty))
    })
}

/// What all statements touch of a table.
pub fn table_column_writes<'p>(
    project: &'p Project<'_>,
    facts: &'p TableFacts,
) -> Vec<ColumnWrite<'p>> {
    let all = facts.writes(project).flat_map(|seen| column_writes(project, seen));
    all.filter(|one| is_write_to(one.write, &facts.table)).collect()
}

/// Whether a write goes to this table.
pub fn is_write_to(write: &WritePlan, table: &Table) -> bool {
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

/// The elements of a collection as a table of their own: `None` for what is no collection. Lists, which may grow without end, get
/// a month into the partition key.
pub fn child_table(table: &Table, column: &Column) -> Option<String> {
    let name = |text: &str| cql::printer::identifier(text);
    let free = |word: &str| {
        let is_taken = table.primary_key().iter().any(|own| &*own.name == word);
        name(&if is_taken { format!("{}_{word}", column.name) } else { word.to_owned() })
    };
    let (value, key) = (free("value"), free("key"));
    let (columns, key) = match &column.ty {
        Type::List(element, _) => {
            let added = free("added_at");
            (format!("{added} timeuuid, {value} {element}"), added)
        }
        Type::Set(element, _) => (format!("{value} {element}"), value),
        Type::Map(entry, _) => (format!("{key} {}, {value} {}", entry.0, entry.1), key),
        _ => return None,
    };
    let mut text = format!("CREATE TABLE {} (", name(&format!("{}_{}", table.name, column.name)));
    for own in table.primary_key() {
        let _ = write!(text, "{} {}, ", name(&own.name), own.ty);
    }
    let list = |columns: &[Column]| -> Vec<String> {
        columns.iter().map(|column| name(&column.name)).collect()
    };
    let mut partition = list(table.partition_key());
    let mut clustering = list(table.clustering());
    if matches!(column.ty, Type::List(..)) {
        let month = free("month");
        let _ = write!(text, "{month} date, ");
        partition.push(month);
    }
    clustering.push(key);
    let (partition, clustering) = (partition.join(", "), clustering.join(", "));
    let _ = write!(text, "{columns}, PRIMARY KEY (({partition}), {clustering}))");
    Some(text)
}

/// How bad so many elements are: above each step medium, high, critical.
pub fn elements_severity(elements: f64, steps: [f64; 3]) -> Option<Severity> {
    let [some, many, too_many] = steps;
    match elements {
        count if count > too_many => Some(Severity::Critical),
        count if count > many => Some(Severity::High),
        count if count > some => Some(Severity::Medium),
        _ => None,
    }
}

/// The column whose elements a relation looks for, and what of it an index has to know: CONTAINS, CONTAINS KEY, `m[k] = v`.
pub fn element_predicate(relation: &Relation) -> Option<(&Name, &'static str)> {
    match &relation.kind {
        RelationKind::Column(name, Operator::Contains, _) => Some((name, "values")),
        RelationKind::Column(name, Operator::ContainsKey, _) => Some((name, "keys")),
        RelationKind::Element(name, ..) => Some((name, "entries")),
        _ => None,
    }
}

/// Whether a SELECT filters for nothing but elements of collections.
pub fn is_element_filter(read: &ReadPlan, select: &Select) -> bool {
    let is_sought = |at: &usize| {
        let name = read.table.columns().get(*at).map(|column| &column.name);
        let mut sought = select.relations.iter().filter_map(element_predicate);
        name.is_some_and(|name| sought.any(|(known, _)| known.text == *name))
    };
    !read.filtering.columns.is_empty() && read.filtering.columns.iter().all(is_sought)
}

#[cfg(test)]
mod tests {
    use schema::Session;

    use super::{ColumnOperation, child_table, column_writes};
    use crate::{Project, Settings, SourceText, TextKind};

    const TABLE: &str = "CREATE TABLE t (key int, value text, month date, m map<text, int>, l list<text>, s set<uuid>, \
                         PRIMARY KEY ((key, month), value));";

    fn session() -> Session {
        let mut session = Session::with_system_tables();
        session.assume_keyspace("ks").unwrap();
        session
    }

    fn project<'a>(text: &'a str, settings: &'a Settings) -> Project<'a> {
        let parsed = cql::parse(text);
        let text =
            SourceText { name: "a.cql", text, parsed, kind: TextKind::Cql, is_reported: true };
        Project::new(vec![text], session(), settings, None)
    }

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

    #[test]
    fn tables_of_elements_are_accepted_whatever_their_key_is_called() {
        let mut session = session();
        let run = |session: &mut Session, text: &str| {
            let parsed = cql::parse(text);
            let ran: Vec<_> = parsed.statements.iter().map(|one| session.run(one)).collect();
            assert!(parsed.errors.is_empty() && ran.iter().all(Result::is_ok), "{text} {ran:?}");
        };
        run(&mut session, TABLE);
        let table = session.catalog.table("ks", "t").unwrap().clone();
        for name in ["m", "l", "s"] {
            let child = child_table(&table, table.column(name).unwrap()).unwrap();
            run(&mut session, &child);
        }
        assert_eq!(child_table(&table, table.column("value").unwrap()), None);
    }
}
