//! Expressions, compared with the results of a 5.0.8 node.

use std::borrow::Cow;

use cql::value::bytes_to_hex;
use schema::Session;
use schema::bind::BoundKind;
use schema::bind::selection::Expression;
use schema::session::{AcceptedStatement, ExecutionMode};

use super::expression::{CellTimes, Evaluator, PathTimes, RowValues, aggregates};
use super::{Accumulator, Env, UuidSource};

const SCHEMA: &str = r#"
CREATE KEYSPACE functions_ks WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1};
USE functions_ks;
CREATE TYPE u (a int, b text);
CREATE TYPE cased ("Ab" int, "c d" frozen<u>, e list<int>);
CREATE TABLE ci (k int PRIMARY KEY, v int, l list<int>, s set<int>, m map<int, text>, fl frozen<list<int>>, u u,
    fu frozen<u>, tp tuple<int, text>);
CREATE TABLE one (k int PRIMARY KEY, nt text, ni int, nl list<int>, nm map<int, text>, nu u);
"#;

/// A row with only its key.
struct KeyOnlyRow;

impl RowValues for KeyOnlyRow {
    fn column(&self, column: usize) -> Option<Cow<'_, [u8]>> {
        (column == 0).then_some(Cow::Borrowed(&[0, 0, 0, 1]))
    }

    fn times(&self, _: usize) -> Option<CellTimes> {
        None
    }

    fn cells(&self, _: usize) -> Vec<PathTimes<'_>> {
        Vec::new()
    }
}

/// A source for tests that need no UUIDs.
struct NoUuids;

impl UuidSource for NoUuids {
    fn uuid(&self) -> [u8; 16] {
        [0; 16]
    }

    fn time_uuid(&self) -> [u8; 16] {
        [0; 16]
    }
}

fn session() -> Session {
    let mut session = Session::with_system_tables();
    for statement in cql::parse(SCHEMA).statements {
        session.run(&statement).unwrap();
    }
    session
}

fn answer(session: &Session, expression: &str, table: &str, row: &dyn RowValues) -> String {
    let text = format!("SELECT {expression} FROM {table} WHERE k = 1");
    let parsed = cql::parse(&text);
    let refused = |refusal: Box<schema::Refusal>| {
        let code = refusal.error().number();
        format!("{code:#06x} {}", refusal.message().replace('\n', "\\n"))
    };
    let bound = match session.verdict(&parsed.statements[0], ExecutionMode::Execute(None)) {
        Ok(AcceptedStatement::Bound(bound)) => bound,
        Ok(_) => return "no statement".to_owned(),
        Err(refusal) => return refused(refusal),
    };
    let BoundKind::Select(select) = &bound.kind else { return "no SELECT".to_owned() };
    let env = Env { now_us: 0, ids: &NoUuids, monitor: None };
    let evaluator = Evaluator { table: &select.table, env, unmasked: true };
    match evaluator.evaluate(&select.selection.columns[0].expression, row) {
        Ok(Some(bytes)) => format!("x{}", bytes_to_hex(&bytes)),
        Ok(None) => "null".to_owned(),
        Err(refusal) => refused(refusal),
    }
}

/// Whether a line lists overloads, which the server does in no fixed order.
fn is_overload_list(line: &str) -> bool {
    line.contains("known type signatures")
}

fn check(vectors: &str) {
    let session = session();
    let mut wrong = Vec::new();
    let lines = vectors.lines().filter(|line| !line.starts_with('#') && !is_overload_list(line));
    for line in lines {
        let (expression, expected) = line.rsplit_once(" | ").unwrap();
        let written = expression.replace("\\n", "\n").replace("\\r", "\r");
        let found = answer(&session, &written, "one", &KeyOnlyRow);
        if found != expected {
            wrong.push(format!("{expression}\n  node: {expected}\n  here: {found}"));
        }
    }
    assert!(wrong.is_empty(), "{} of them:\n{}", wrong.len(), wrong.join("\n"));
}

macro_rules! vectors {
    ($($name:ident),*) => {$(
        #[test]
        fn $name() {
            check(include_str!(concat!("vectors/", stringify!($name), ".txt")));
        }
    )*};
}

vectors!(arithmetic, blob, cast, collection, json, mask, math, other, text, time, vector);

/// A row of the table `ci`, as it was on the node.
struct StoredRow {
    values: Vec<(&'static str, &'static str)>,
    /// Column, path, timestamp, TTL.
    cells: Vec<(&'static str, &'static [u8], i64, Option<i32>)>,
    names: Vec<Box<str>>,
}

impl StoredRow {
    fn name(&self, column: usize) -> &str {
        &self.names[column]
    }
}

impl RowValues for StoredRow {
    fn column(&self, column: usize) -> Option<Cow<'_, [u8]>> {
        let found = self.values.iter().find(|(name, _)| *name == self.name(column));
        found.map(|(_, hex)| Cow::Owned(cql::value::hex_to_bytes(hex).unwrap()))
    }

    fn times(&self, column: usize) -> Option<CellTimes> {
        self.cells(column).first().map(|(_, times)| *times)
    }

    fn cells(&self, column: usize) -> Vec<PathTimes<'_>> {
        let cells = self.cells.iter().filter(|cell| cell.0 == self.name(column));
        let times =
            |(_, path, timestamp, ttl): &(_, &'static [u8], i64, Option<i32>)| -> PathTimes<'_> {
                (Cow::Borrowed(*path), CellTimes { timestamp: *timestamp, ttl: *ttl })
            };
        cells.map(times).collect()
    }
}

fn build_row(session: &Session, key: &str) -> StoredRow {
    let table = session.catalog.table("functions_ks", "ci").unwrap();
    let names = table.columns().iter().map(|column| column.name.clone()).collect();
    let ttl = Some(100_000);
    let full: Vec<(&str, &[u8], i64, Option<i32>)> = vec![
        ("v", &[], 10, ttl),
        ("l", &[1], 10, ttl),
        ("l", &[2], 10, ttl),
        ("l", &[3], 20, None),
        ("s", &[0, 0, 0, 1], 10, ttl),
        ("s", &[0, 0, 0, 2], 10, ttl),
        ("s", &[0, 0, 0, 5], 20, None),
        ("m", &[0, 0, 0, 1], 10, ttl),
        ("m", &[0, 0, 0, 2], 10, ttl),
        ("m", &[0, 0, 0, 3], 20, None),
        ("fl", &[], 10, ttl),
        ("u", &[0, 0], 20, None),
        ("u", &[0, 1], 10, ttl),
        ("fu", &[], 10, ttl),
        ("tp", &[], 10, ttl),
    ];
    let (values, cells) = match key {
        "1" => (
            vec![
                ("k", "00000001"),
                ("v", "00000001"),
                ("l", "00000003000000040000000100000004000000020000000400000003"),
                ("s", "00000003000000040000000100000004000000020000000400000005"),
                (
                    "m",
                    "0000000300000004000000010000000161000000040000000200000001620000000400000003\
                       0000000163",
                ),
                ("fl", "000000010000000400000001"),
                ("u", "00000004000000070000000178"),
                ("fu", "0000000400000001ffffffff"),
                ("tp", "00000004000000010000000161"),
            ],
            full,
        ),
        "2" => (vec![("k", "00000002")], Vec::new()),
        _ => {
            let cells: Vec<(&str, &[u8], i64, Option<i32>)> = vec![("u", &[0, 1], 30, None)];
            (vec![("k", "00000003"), ("u", "ffffffff0000000171")], cells)
        }
    };
    StoredRow { values, cells, names }
}

#[test]
fn rows() {
    let session = session();
    let mut wrong = Vec::new();
    for line in include_str!("vectors/row.txt").lines().filter(|line| !line.starts_with('#')) {
        let (expression, expected) = line.rsplit_once(" | ").unwrap();
        let (key, expression) = expression.split_once(' ').unwrap();
        let found = answer(&session, expression, "ci", &build_row(&session, key));
        if found != expected {
            wrong.push(format!("{key} {expression}\n  node: {expected}\n  here: {found}"));
        }
    }
    assert!(wrong.is_empty(), "{} of them:\n{}", wrong.len(), wrong.join("\n"));
}

/// An aggregate call over values of a type.
fn aggregate(session: &mut Session, name: &str, ty: &str, at: usize) -> Accumulator {
    let call = if name == "count_rows" { "count(*)".to_owned() } else { format!("{name}(v)") };
    let text = format!(
        "CREATE TABLE a{at} (k int PRIMARY KEY, v {ty}); SELECT {call} FROM a{at} WHERE k = 1"
    );
    let parsed = cql::parse(&text);
    session.run(&parsed.statements[0]).unwrap();
    let AcceptedStatement::Bound(bound) = session.run(&parsed.statements[1]).unwrap() else {
        panic!()
    };
    let BoundKind::Select(select) = &bound.kind else { panic!() };
    let selected = &select.selection.columns[0].expression;
    let Expression::Call { function, .. } = aggregates(selected)[0] else { panic!() };
    Accumulator::new(&session.catalog, function).unwrap()
}

#[test]
fn aggregated() {
    let mut session = session();
    let mut wrong = Vec::new();
    let lines = include_str!("vectors/aggregate.txt").lines().filter(|line| !line.starts_with('#'));
    for (at, line) in lines.enumerate() {
        let [call, values, expected] = line.splitn(3, " | ").collect::<Vec<_>>()[..] else {
            panic!("{line}");
        };
        let (name, ty) = call.strip_suffix(')').unwrap().split_once('(').unwrap();
        let mut accumulator = aggregate(&mut session, name, ty, at);
        for value in values.split(' ').filter(|value| !value.is_empty()) {
            let bytes = value.strip_prefix('x').map(|hex| cql::value::hex_to_bytes(hex).unwrap());
            accumulator.add(&[bytes.as_deref()]).unwrap();
        }
        let found = accumulator.finish().unwrap();
        let found = found.map_or("null".to_owned(), |bytes| format!("x{}", bytes_to_hex(&bytes)));
        if found != expected {
            wrong.push(format!("{call} {values}\n  node: {expected}\n  here: {found}"));
        }
    }
    assert!(wrong.is_empty(), "{} of them:\n{}", wrong.len(), wrong.join("\n"));
}
