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

use crate::{Place, Project, Seen, Severity, TableFacts};

/// What a statement does to a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Touch {
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

impl Touch {
    /// Whether the value gets more elements.
    pub fn adds(self) -> bool {
        matches!(self, Self::Append | Self::Prepend | Self::Put)
    }

    /// Whether elements go.
    pub fn removes(self) -> bool {
        matches!(self, Self::Remove | Self::RemoveAt | Self::RemoveEqual | Self::Clear)
    }

    /// Whether it works on parts of the value.
    pub fn is_partial(self) -> bool {
        !matches!(self, Self::Replace | Self::Clear)
    }
}

/// A column that a statement touches.
#[derive(Clone, Copy, Debug)]
pub struct Touched<'p> {
    /// The statement.
    pub seen: &'p Seen,
    /// How it writes; one of several in a batch.
    pub write: &'p WritePlan,
    /// The column.
    pub column: &'p Column,
    /// What it does to the column.
    pub touch: Touch,
    /// The value that it writes, where the text gives one.
    pub value: Option<&'p Term>,
    /// Whether it is an INSERT.
    pub inserts: bool,
    /// Where.
    pub place: Place,
}

/// What a statement touches outside the keys.
pub fn touches<'p>(project: &'p Project<'_>, seen: &'p Seen) -> Vec<Touched<'p>> {
    let mut found = Vec::new();
    let Some(statement) = project.syntax(seen) else { return found };
    let mut writes = seen.writes();
    let mut add = |write: Option<&'p WritePlan>, touched: Vec<Written<'p>>| {
        let Some(write) = write else { return };
        let columns = touched.into_iter().filter_map(|one| {
            let column = write.table.column(one.column).filter(|known| !known.is_primary_key())?;
            let place = Place { text: seen.place.text, span: one.span };
            let touch = of_type(one.touch, &column.ty);
            let (value, inserts) = (one.value, one.inserts);
            Some(Touched { seen, write, column, touch, value, inserts, place })
        });
        found.extend(columns);
    };
    match &statement.kind {
        StatementKind::Insert(insert) => {
            let write = writes.next();
            add(write, inserted(insert, write));
        }
        StatementKind::Update(update) => add(writes.next(), updated(update)),
        StatementKind::Delete(delete) => add(writes.next(), deleted(delete)),
        StatementKind::Batch(batch) => {
            for (statement, write) in batch.statements.iter().zip(writes) {
                let touched = match &statement.kind {
                    WriteKind::Insert(insert) => inserted(insert, Some(write)),
                    WriteKind::Update(update) => updated(update),
                    WriteKind::Delete(delete) => deleted(delete),
                };
                add(Some(write), touched);
            }
        }
        _ => {}
    }
    found
}

/// Whether a statement touches a column of such a type: a quick look before [`touches`].
pub fn may_touch(seen: &Seen, is_wanted: impl Fn(&Type) -> bool) -> bool {
    seen.writes().any(|write| {
        let columns = write.columns.iter().filter_map(|at| write.table.columns().get(*at));
        columns.into_iter().any(|column| is_wanted(&column.ty))
    })
}

/// What all statements touch of a table.
pub fn touches_of<'p>(project: &'p Project<'_>, facts: &'p TableFacts) -> Vec<Touched<'p>> {
    let all = facts.writes(project).flat_map(|seen| touches(project, seen));
    all.filter(|one| writes_to(one.write, &facts.table)).collect()
}

/// Whether a write goes to this table.
pub fn writes_to(write: &WritePlan, table: &Table) -> bool {
    write.table.name == table.name && write.table.keyspace == table.keyspace
}

/// A column of a statement, as it is written.
struct Written<'p> {
    column: &'p str,
    touch: Touch,
    value: Option<&'p Term>,
    inserts: bool,
    span: Span,
}

fn set(value: &Term) -> Touch {
    if matches!(value.kind, TermKind::Null) { Touch::Clear } else { Touch::Replace }
}

fn inserted<'p>(insert: &'p Insert, write: Option<&'p WritePlan>) -> Vec<Written<'p>> {
    match &insert.values {
        InsertValues::Columns { columns, values } => {
            let pairs = columns.iter().zip(values);
            let one = |(name, value): (&'p Name, &'p Term)| Written {
                column: &name.text,
                touch: set(value),
                value: Some(value),
                inserts: true,
                span: name.span,
            };
            pairs.map(one).collect()
        }
        InsertValues::Json { value, .. } => {
            let Some(write) = write else { return Vec::new() };
            let columns = write.columns.iter().filter_map(|at| write.table.columns().get(*at));
            let one = |column: &'p Column| Written {
                column: &column.name,
                touch: Touch::Replace,
                value: None,
                inserts: true,
                span: value.span,
            };
            columns.map(one).collect()
        }
    }
}

fn updated(update: &Update) -> Vec<Written<'_>> {
    let assignments = update.assignments.iter();
    assignments
        .map(|assignment| {
            let (touch, value) = assigned(&assignment.operation);
            Written {
                column: &assignment.column.text,
                touch,
                value: Some(value),
                inserts: false,
                span: assignment.span,
            }
        })
        .collect()
}

fn assigned(operation: &AssignmentOperation) -> (Touch, &Term) {
    match operation {
        AssignmentOperation::Set(value) => (set(value), value),
        AssignmentOperation::SetElement(key, value) => {
            let is_named = matches!(key.kind, TermKind::Constant(_));
            (if is_named { Touch::PutNamed } else { Touch::Put }, value)
        }
        AssignmentOperation::SetField(_, value) => (Touch::Field, value),
        AssignmentOperation::Add(value) => (Touch::Append, value),
        AssignmentOperation::Subtract(value) => (Touch::Remove, value),
        AssignmentOperation::Prepend(value) => (Touch::Prepend, value),
    }
}

fn deleted(delete: &Delete) -> Vec<Written<'_>> {
    let one = |target: &'_ cql::statement::write::DeleteTarget| match target.part {
        ColumnPart::Whole => Touch::Clear,
        ColumnPart::Element(_) => Touch::RemoveAt,
        ColumnPart::Field(_) => Touch::Field,
    };
    let targets = delete.targets.iter();
    targets
        .map(|target| Written {
            column: &target.column.text,
            touch: one(target),
            value: None,
            inserts: false,
            span: target.span,
        })
        .collect()
}

/// Lists have positions where maps have keys.
fn of_type(touch: Touch, ty: &Type) -> Touch {
    match (touch, ty) {
        (Touch::Put | Touch::PutNamed, Type::List(..)) => Touch::SetAt,
        (Touch::Remove, Type::List(..)) => Touch::RemoveEqual,
        (Touch::RemoveAt, Type::Set(..) | Type::Map(..)) => Touch::Remove,
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
pub fn sought_elements(relation: &Relation) -> Option<(&Name, &'static str)> {
    match &relation.kind {
        RelationKind::Column(name, Operator::Contains, _) => Some((name, "values")),
        RelationKind::Column(name, Operator::ContainsKey, _) => Some((name, "keys")),
        RelationKind::Element(name, ..) => Some((name, "entries")),
        _ => None,
    }
}

/// Whether a SELECT filters for nothing but elements of collections.
pub fn filters_elements_only(read: &ReadPlan, select: &Select) -> bool {
    let is_sought = |at: &usize| {
        let name = read.table.columns().get(*at).map(|column| &column.name);
        let mut sought = select.relations.iter().filter_map(sought_elements);
        name.is_some_and(|name| sought.any(|(known, _)| known.text == *name))
    };
    !read.filtering.columns.is_empty() && read.filtering.columns.iter().all(is_sought)
}

#[cfg(test)]
mod tests {
    use schema::Session;

    use super::{Touch, child_table, touches};
    use crate::{Project, Settings, Text, TextKind};

    const TABLE: &str = "CREATE TABLE t (key int, value text, month date, m map<text, int>, l list<text>, s set<uuid>, \
                         PRIMARY KEY ((key, month), value));";

    fn session() -> Session {
        let mut session = Session::with_system_tables();
        session.assume_keyspace("ks").unwrap();
        session
    }

    fn project<'a>(text: &'a str, settings: &'a Settings) -> Project<'a> {
        let parsed = cql::parse(text);
        let text = Text { name: "a.cql", text, parsed, kind: TextKind::Cql, is_told: true };
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
        let all = touches(&project, &project.statements[1]);
        let found: Vec<(&str, Touch)> =
            all.iter().map(|one| (&*one.column.name, one.touch)).collect();
        let expected = [
            ("m", Touch::Replace),
            ("m", Touch::Put),
            ("m", Touch::PutNamed),
            ("l", Touch::Append),
            ("l", Touch::SetAt),
            ("l", Touch::RemoveAt),
            ("m", Touch::Remove),
            ("s", Touch::Clear),
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
