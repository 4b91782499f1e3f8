//! The relational database: `SQLite` stores the facts and runs the SQL of the model file.
//!
//! `sqlite_tables` creates tables and indexes, `sqlite_value` converts values, `rewrite` rewrites
//! the statements into `SQLite`'s dialect, `rank` reads results with their ties, `output` has the
//! types of results, and `dump` renders facts and statements as SQL.

mod dump;
mod output;
mod own_text;
mod rank;
mod rewrite;
mod sqlite_expression;
mod sqlite_tables;
mod sqlite_value;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use cql::types::{Frozenness, Type};
use cql::value;
use model::concept::{Attribute, Concept, Entity};
use model::id::{EntityId, IdList};
#[cfg(test)]
use model::workload::Read;
use model::workload::{Parameter, Workload, Write};
use rusqlite::types::{ToSql, ToSqlOutput, Value};
use rusqlite::{Connection, ErrorCode, params_from_iter};

pub(crate) use self::dump::{insert_statements, with_values};
pub(crate) use self::output::ResultColumns;
pub(crate) use self::rank::RankedRow;

use self::rewrite::{BindSlot, SlotForm, SlotSource, SqliteStatement, rewrite};
use self::sqlite_tables::quote_name;
use self::sqlite_value::{decode, encode, encode_element};
use crate::dataset::{Dataset, Datum, Row};
use crate::transcript::WriteEffect;

/// A relational database with the facts.
#[derive(Debug)]
pub(crate) struct RelationalDatabase {
    concept: Concept,
    connection: Connection,
    /// The statements that create indexes, which is faster after the facts are loaded.
    indexes: Vec<String>,
    /// The rewritten statements, by the text of the file and whether they are ranked.
    rewritten: BTreeMap<(String, bool), Arc<SqliteStatement>>,
    /// Rows that writes have changed besides those that they name.
    cascaded: u64,
}

/// What a write did, and what it returned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct WriteResult {
    pub(crate) effect: WriteEffect,
    /// The rows of its RETURNING, each value in the bytes of its type.
    pub(crate) rows: Vec<Row>,
}

/// What is bound to a parameter.
enum BoundValue {
    One(Value),
    Many(Rc<Vec<Value>>),
}

impl ToSql for BoundValue {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        match self {
            Self::One(value) => value.to_sql(),
            Self::Many(values) => values.to_sql(),
        }
    }
}

impl RelationalDatabase {
    /// An empty database, with indexes for the workload.
    pub(crate) fn new(concept: &Concept, workload: &Workload) -> Result<Self, String> {
        let connection = Connection::open_in_memory().map_err(|error| error.to_string())?;
        let set_up = || {
            rusqlite::vtab::array::load_module(&connection)?;
            connection.set_prepared_statement_cache_capacity(256);
            connection
                .execute_batch("PRAGMA case_sensitive_like = ON; PRAGMA foreign_keys = OFF")?;
            sqlite_tables::table_statements(concept)
                .iter()
                .try_for_each(|it| connection.execute_batch(it))
        };
        set_up().map_err(|error: rusqlite::Error| error.to_string())?;
        let indexes = sqlite_tables::index_statements(concept, workload);
        Ok(Self {
            concept: concept.clone(),
            connection,
            indexes,
            rewritten: BTreeMap::new(),
            cascaded: 0,
        })
    }

    /// Adds facts.
    pub(crate) fn load(&mut self, data: &Dataset, cancelled: &AtomicBool) -> Result<(), String> {
        let Self { concept, connection, indexes, .. } = self;
        let transaction = connection.transaction().map_err(|error| error.to_string())?;
        for (entity, rows) in concept.entities.iter().zip(&data.rows) {
            let stored = entity.attributes.iter().filter(|it| !is_computed(it));
            let names: Vec<String> = stored.map(|it| quote_name(&it.name)).collect();
            let markers = vec!["?"; names.len()].join(", ");
            let (table, names) = (quote_name(&entity.name), names.join(", "));
            let sql = format!("INSERT INTO {table} ({names}) VALUES ({markers})");
            let mut insert = transaction.prepare(&sql).map_err(|error| error.to_string())?;
            for row in rows {
                if cancelled.load(Ordering::Relaxed) {
                    return Err("cancelled".to_owned());
                }
                let values = encode_row(entity, row)?;
                insert.execute(params_from_iter(values)).map_err(|error| error.to_string())?;
            }
        }
        for statement in indexes.drain(..) {
            transaction.execute_batch(&statement).map_err(|error| error.to_string())?;
        }
        transaction.commit().map_err(|error| error.to_string())?;
        let checked = connection.execute_batch("PRAGMA foreign_keys = ON");
        checked.map_err(|error| error.to_string())
    }

    /// What a read returns, each value in the bytes of its type.
    #[cfg(test)]
    pub(crate) fn read(
        &mut self,
        read: &Read,
        values: &[Datum],
    ) -> Result<Vec<Vec<Datum>>, String> {
        let rewritten = self.rewrite_statement(&read.sql, &read.parameters, false)?;
        let describe_error = |error: rusqlite::Error| format!("{error} in {}", rewritten.sql);
        if ResultColumns::from(read).types(&self.concept) != rewritten.outputs {
            return Err(format!("{} returns other column types than its SQL declares", read.name));
        }
        let bound = bind(&rewritten, values)?;
        let mut statement =
            self.connection.prepare_cached(&rewritten.sql).map_err(describe_error)?;
        let mut rows = statement.query(params_from_iter(bound)).map_err(describe_error)?;
        let mut found = Vec::new();
        while let Some(row) = rows.next().map_err(describe_error)? {
            let mut values = Vec::with_capacity(rewritten.outputs.len());
            for (at, ty) in rewritten.outputs.iter().enumerate() {
                values.push(decode(ty, row.get::<_, Value>(at).map_err(describe_error)?)?);
            }
            found.push(values);
        }
        Ok(found)
    }

    /// Runs a write.
    pub(crate) fn write(&mut self, write: &Write, values: &[Datum]) -> Result<WriteResult, String> {
        let rewritten = self.rewrite_statement(&write.sql, &write.parameters, false)?;
        let describe_error = |error: rusqlite::Error| format!("{error} in {}", rewritten.sql);
        let bound = bind(&rewritten, values)?;
        let mut statement =
            self.connection.prepare_cached(&rewritten.sql).map_err(describe_error)?;
        let before = self.connection.total_changes();
        let mut returned = Vec::new();
        let done = if rewritten.outputs.is_empty() {
            statement.execute(params_from_iter(bound)).map(|changed| changed as u64)
        } else {
            statement.query(params_from_iter(bound)).and_then(|mut rows| {
                while let Some(row) = rows.next()? {
                    let columns = 0..rewritten.outputs.len();
                    let values: Result<Vec<Value>, _> = columns.map(|at| row.get(at)).collect();
                    returned.push(values?);
                }
                Ok(self.connection.changes())
            })
        };
        let decoded = |row: Vec<Value>| {
            let values = rewritten.outputs.iter().zip(row);
            values.map(|(ty, value)| decode(ty, value)).collect::<Result<Row, _>>()
        };
        match done {
            Ok(changed) => {
                // SQLite leaves the count of the statement before where a write with RETURNING
                // changes nothing.
                let all = self.connection.total_changes().saturating_sub(before);
                let changed = if all == 0 { 0 } else { changed };
                self.cascaded += all.saturating_sub(changed);
                let rows = returned.into_iter().map(decoded).collect::<Result<_, _>>()?;
                Ok(WriteResult { effect: WriteEffect::Rows(changed), rows })
            }
            Err(error) if error.sqlite_error_code() == Some(ErrorCode::ConstraintViolation) => {
                Ok(WriteResult { effect: WriteEffect::Violation, rows: Vec::new() })
            }
            Err(error) => Err(describe_error(error)),
        }
    }

    /// Whether a write is refused because it violates a constraint; nothing is changed.
    pub(crate) fn is_refused(&mut self, write: &Write, values: &[Datum]) -> Result<bool, String> {
        let describe_error = |error: rusqlite::Error| error.to_string();
        self.connection.execute_batch("SAVEPOINT trial").map_err(describe_error)?;
        let cascaded = self.cascaded;
        let done = self.write(write, values);
        self.cascaded = cascaded;
        let undo = "ROLLBACK TO trial; RELEASE trial";
        self.connection.execute_batch(undo).map_err(describe_error)?;
        Ok(done?.effect == WriteEffect::Violation)
    }

    /// The rows that writes have changed besides those that they name: by cascades.
    pub(crate) const fn cascade_count(&self) -> u64 {
        self.cascaded
    }

    /// The current rows of an entity, in the order of its key.
    pub(crate) fn rows(&self, entity: EntityId) -> Result<Vec<Row>, String> {
        let Some(entity) = self.concept.entities.member(entity) else { return Ok(Vec::new()) };
        let describe_error = |error: rusqlite::Error| error.to_string();
        let key: Vec<String> =
            entity.primary_key().iter().map(|at| (at.index() + 1).to_string()).collect();
        let order = if key.is_empty() { "rowid".to_owned() } else { key.join(", ") };
        let sql = format!("SELECT * FROM {} ORDER BY {order}", quote_name(&entity.name));
        let mut statement = self.connection.prepare(&sql).map_err(describe_error)?;
        let mut rows = statement.query([]).map_err(describe_error)?;
        let mut found = Vec::new();
        while let Some(row) = rows.next().map_err(describe_error)? {
            let mut values = Vec::with_capacity(entity.attributes.len());
            for (at, attribute) in entity.attributes.enumerate_ids() {
                values.push(decode(
                    &attribute.ty,
                    row.get::<_, Value>(at.index()).map_err(describe_error)?,
                )?);
            }
            found.push(values);
        }
        Ok(found)
    }

    fn rewrite_statement(
        &mut self,
        sql: &str,
        parameters: &[Parameter],
        ranked: bool,
    ) -> Result<Arc<SqliteStatement>, String> {
        let name = (sql.to_owned(), ranked);
        if let Some(known) = self.rewritten.get(&name) {
            return Ok(known.clone());
        }
        let rewritten = Arc::new(rewrite(&self.concept, sql, parameters, ranked)?);
        self.rewritten.insert(name, rewritten.clone());
        Ok(rewritten)
    }
}

/// Whether the database computes an attribute.
fn is_computed(attribute: &Attribute) -> bool {
    attribute.generated.as_ref().is_some_and(|generation| generation.expression.is_some())
}

fn encode_row(entity: &Entity, row: &Row) -> Result<Vec<Value>, String> {
    let pairs = entity.attributes.iter().zip(row).filter(|(it, _)| !is_computed(it));
    pairs.map(|(attribute, value)| encode_value(&attribute.ty, value.as_deref())).collect()
}

fn encode_value(ty: &Type, value: Option<&[u8]>) -> Result<Value, String> {
    value.map_or(Ok(Value::Null), |bytes| encode(ty, bytes))
}

/// The values of a statement in the forms of its slots.
fn bind(rewritten: &SqliteStatement, values: &[Datum]) -> Result<Vec<BoundValue>, String> {
    let bound = |wanted: &BindSlot| {
        let bytes = match &wanted.given {
            SlotSource::Parameter(at) => values.get(*at).ok_or("a value is missing")?.as_deref(),
            SlotSource::Constant(bytes) => Some(bytes.as_slice()),
        };
        match (&wanted.form, bytes) {
            (SlotForm::List(element), bytes) => {
                Ok(BoundValue::Many(Rc::new(encode_list(element, bytes)?)))
            }
            (_, None) => Ok(BoundValue::One(Value::Null)),
            (SlotForm::Value(ty), Some(bytes)) => Ok(BoundValue::One(encode(ty, bytes)?)),
            (SlotForm::Element(ty), Some(bytes)) => {
                Ok(BoundValue::One(Value::Text(encode_element(ty, bytes)?)))
            }
        }
    };
    rewritten.uses.iter().map(bound).collect()
}

/// The elements of a list in the stored form of a column; none for a null list.
fn encode_list(element: &Type, bytes: Option<&[u8]>) -> Result<Vec<Value>, String> {
    let Some(bytes) = bytes else { return Ok(Vec::new()) };
    let ty = Type::List(Arc::new(element.clone()), Frozenness::No);
    let parts =
        value::split(&ty, bytes).map_err(|_| "a list parameter is not a list".to_owned())?;
    parts.into_iter().map(|part| encode_value(element, part)).collect()
}
