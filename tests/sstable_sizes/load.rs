//! Writes the rows of a shape to a node.

use std::net::SocketAddr;

use super::shape::{Change, KEYSPACE, Shape, ShapeColumn, WriteForm};
use super::value::ValueMaker;
use crate::protocol::{Answer, BindValue, Connection, Options, PreparedStatement, Version};
use crate::rng::Rng;

/// The timestamp of the first write, in microseconds.
const FIRST: u64 = 1_700_000_000_000_000;
/// The number of the first element that is added to a collection, and of values that replace others.
const LATER: u64 = 500;

/// The code of a write that took too long, and how often it is tried.
const WRITE_TIMEOUT: u32 = 0x1100;
const ATTEMPTS: u32 = 5;

/// A connection that writes.
pub(super) struct Writer {
    connection: Connection,
}

/// Which of the rows of a shape are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// All, and then the changes.
    Whole,
    /// The first half.
    FirstHalf,
    /// The second half, and then the changes.
    SecondHalf,
}

/// The prepared statements of a table.
struct Statements {
    statics: Option<PreparedStatement>,
    row: PreparedStatement,
    change: Option<PreparedStatement>,
}

impl Writer {
    pub(super) fn connect(address: SocketAddr) -> Self {
        Self { connection: Connection::open(address, Version::V5).expect("the node answers") }
    }

    /// Runs a statement without values.
    pub(super) fn run(&mut self, text: &str) {
        let outcome = self.connection.query(text, &Options::default()).expect("the node answers");
        if let Err(refusal) = outcome.result {
            panic!("{}: {text}", refusal.message);
        }
    }

    fn prepare(&mut self, text: &str) -> PreparedStatement {
        let outcome = self.connection.prepare(text).expect("the node answers");
        match outcome.result {
            Ok(Answer::Prepared(prepared)) => prepared,
            other => panic!("{other:?}: {text}"),
        }
    }

    fn execute(&mut self, statement: &PreparedStatement, values: Vec<BindValue>, micros: u64) {
        let timestamp = i64::try_from(FIRST + micros).ok();
        let options = Options { timestamp, values, ..Options::default() };
        for attempt in 1.. {
            let outcome = self.connection.execute(statement, &options).expect("the node answers");
            match outcome.result {
                Ok(_) => return,
                // A busy machine; the same write again changes nothing.
                Err(refusal) if refusal.code == WRITE_TIMEOUT && attempt < ATTEMPTS => {}
                Err(refusal) => panic!("{}: {statement:?}", refusal.message),
            }
        }
    }

    /// Writes a part of the rows of a shape.
    pub(super) fn load(&mut self, shape: &Shape, table: &str, part: Part) {
        let statements = self.prepare_all(shape, table);
        let rows = shape.total_rows();
        let range = match part {
            Part::Whole => 0..rows,
            Part::FirstHalf => 0..rows / 2,
            Part::SecondHalf => rows / 2..rows,
        };
        for at in range {
            let partition = at / shape.rows;
            let time = time_of(shape, at, rows);
            if let Some(statement) = statements.statics.as_ref().filter(|_| at % shape.rows == 0) {
                let mut values = key_values(shape, &shape.key, partition);
                values.extend(shape.statics.iter().map(|column| regular(shape, column, at, 0)));
                // Over the whole time, as rows are.
                self.execute(statement, values, time_of(shape, partition, shape.partitions));
            }
            self.execute(&statements.row, row_values(shape, at), time);
        }
        if let Some(statement) = statements.change.as_ref().filter(|_| part != Part::FirstHalf) {
            for at in (0..rows).filter(|at| shape.is_changed(*at)) {
                let time = shape.span_micros / 2 + time_of(shape, at, rows);
                self.execute(statement, change_values(shape, at), time);
            }
        }
    }

    fn prepare_all(&mut self, shape: &Shape, table: &str) -> Statements {
        let table = format!("{KEYSPACE}.{table}");
        let names = |columns: &[&[ShapeColumn]]| -> Vec<String> {
            columns.iter().copied().flatten().map(|column| column.name.clone()).collect()
        };
        let insert = |names: &[String]| {
            let marks = vec!["?"; names.len()].join(", ");
            format!("INSERT INTO {table} ({}) VALUES ({marks})", names.join(", "))
        };
        let row_key = names(&[&shape.key, &shape.clustering]);
        let conditions: Vec<_> = row_key.iter().map(|name| format!("{name} = ?")).collect();
        let conditions = conditions.join(" AND ");
        let update = |assignments: Vec<String>| {
            format!("UPDATE {table} SET {} WHERE {conditions}", assignments.join(", "))
        };
        let assign = |column: &ShapeColumn, adds: bool| {
            let name = &column.name;
            if adds { format!("{name} = {name} + ?") } else { format!("{name} = ?") }
        };
        let row = match shape.form {
            WriteForm::Insert => insert(&names(&[&shape.key, &shape.clustering, &shape.regulars])),
            WriteForm::Update | WriteForm::Append => update(
                shape
                    .regulars
                    .iter()
                    .map(|column| assign(column, is_added(shape, column)))
                    .collect(),
            ),
        };
        let change = match &shape.change {
            Change::Nothing => None,
            Change::Delete => Some(format!("DELETE FROM {table} WHERE {conditions}")),
            Change::Overwrite(columns) => {
                Some(update(columns.iter().map(|at| assign(&shape.regulars[*at], false)).collect()))
            }
            Change::Add(at, _) => Some(update(vec![assign(&shape.regulars[*at], true)])),
        };
        let statics =
            (!shape.statics.is_empty()).then(|| insert(&names(&[&shape.key, &shape.statics])));
        Statements {
            statics: statics.map(|text| self.prepare(&text)),
            row: self.prepare(&row),
            change: change.map(|text| self.prepare(&text)),
        }
    }
}

/// Whether the statement that writes a row adds to the column.
pub(super) fn is_added(shape: &Shape, column: &ShapeColumn) -> bool {
    column.ty.is_counter()
        || shape.form == WriteForm::Append && column.ty.is_multi_cell() && column.ty.is_collection()
}

/// When one of so many writes happens: evenly over the span.
fn time_of(shape: &Shape, at: usize, all: usize) -> u64 {
    shape.span_micros * at as u64 / all.max(2).saturating_sub(1) as u64
}

/// The values of a row, in the order of the statement's markers.
fn row_values(shape: &Shape, at: usize) -> Vec<BindValue> {
    let gap = shape.gap.as_ref().filter(|_| shape.has_gap(at));
    let regulars: Vec<_> = shape
        .regulars
        .iter()
        .enumerate()
        .map(|(position, column)| match gap.filter(|gap| gap.columns.contains(&position)) {
            Some(gap) if gap.is_null => BindValue::Null,
            Some(_) => BindValue::Unset,
            None => regular(shape, column, at, 0),
        })
        .collect();
    match shape.form {
        WriteForm::Insert => [row_key(shape, at), regulars].concat(),
        WriteForm::Update | WriteForm::Append => [regulars, row_key(shape, at)].concat(),
    }
}

fn change_values(shape: &Shape, at: usize) -> Vec<BindValue> {
    let assigned = match &shape.change {
        Change::Nothing | Change::Delete => Vec::new(),
        Change::Overwrite(columns) => columns
            .iter()
            .map(|column| regular(shape, &shape.regulars[*column], at, LATER))
            .collect(),
        Change::Add(column, items) => {
            let column = ShapeColumn { items: *items, ..shape.regulars[*column].clone() };
            vec![regular(shape, &column, at, LATER)]
        }
    };
    [assigned, row_key(shape, at)].concat()
}

fn row_key(shape: &Shape, at: usize) -> Vec<BindValue> {
    let mut values = key_values(shape, &shape.key, at / shape.rows);
    values.extend(key_values(shape, &shape.clustering, at));
    values
}

/// The values of key columns: always the same for the same number.
fn key_values(shape: &Shape, columns: &[ShapeColumn], number: usize) -> Vec<BindValue> {
    let value = |column: &ShapeColumn| {
        let rng = &mut Rng::new(shape.seed ^ number as u64);
        let maker = &mut ValueMaker { rng };
        BindValue::Bytes(maker.value(&column.ty, column.bytes, column.items, number as u64))
    };
    columns.iter().map(value).collect()
}

/// The value of a regular or static column in a row.
fn regular(shape: &Shape, column: &ShapeColumn, at: usize, later: u64) -> BindValue {
    if column.ty.is_counter() {
        return BindValue::Bytes(1_i64.to_be_bytes().to_vec());
    }
    let rng = &mut Rng::new(shape.seed.rotate_left(17) ^ at as u64);
    let bytes = if (at / 3).is_multiple_of(2) {
        column.bytes - column.spread
    } else {
        column.bytes + column.spread
    };
    let number = at as u64 * 1_000 + later;
    let bytes = ValueMaker { rng }.value(&column.ty, bytes, column.items, number);
    BindValue::Bytes(bytes)
}
