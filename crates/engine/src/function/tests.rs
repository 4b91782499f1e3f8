//! Expressions, with what a 5.0.8 node gives for each.

use std::borrow::Cow;

use cql::value::bytes_to_hex;
use model::Session;
use model::bind::Bound;
use model::session::{Accepted, Mode};

use super::expression::{CellTimes, Evaluator, PathTimes, RowValues};
use super::{Env, Ids};

const SCHEMA: &str = r#"
CREATE KEYSPACE functions_ks WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1};
USE functions_ks;
CREATE TYPE u (a int, b text);
CREATE TYPE cased ("Ab" int, "c d" frozen<u>, e list<int>);
CREATE TABLE one (k int PRIMARY KEY, nt text, ni int, nl list<int>, nm map<int, text>, nu u);
"#;

/// A row of nothing but its key.
struct OnlyKey;

impl RowValues for OnlyKey {
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

/// Nothing here asks for ids.
struct NoIds;

impl Ids for NoIds {
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

fn answer(session: &Session, expression: &str) -> String {
    let text = format!("SELECT {expression} FROM one WHERE k = 1");
    let parsed = cql::parse(&text);
    let refused = |refusal: Box<cql::Diagnostic>| {
        let code = refusal.error.map_or(0, cql::ErrorCode::number);
        format!("{code:#06x} {}", refusal.message.replace('\n', "\\n"))
    };
    let bound = match session.verdict(&parsed.statements[0], Mode::Execute(None)) {
        Ok(Accepted::Bound(bound)) => bound,
        Ok(_) => return "no statement".to_owned(),
        Err(refusal) => return refused(refusal),
    };
    let Bound::Select(select) = &bound.kind else { return "no SELECT".to_owned() };
    let env = Env { now_us: 0, ids: &NoIds };
    let evaluator = Evaluator { table: &select.table, env, unmasked: true };
    match evaluator.value(&select.selection.columns[0].expression, &OnlyKey) {
        Ok(Some(bytes)) => format!("x{}", bytes_to_hex(&bytes)),
        Ok(None) => "null".to_owned(),
        Err(refusal) => refused(refusal),
    }
}

/// The server lists overloads in an order of its own.
fn lists_overloads(line: &str) -> bool {
    line.contains("known type signatures")
}

fn check(vectors: &str) {
    let session = session();
    let mut wrong = Vec::new();
    let lines = vectors.lines().filter(|line| !line.starts_with('#') && !lists_overloads(line));
    for line in lines {
        let (expression, expected) = line.rsplit_once(" | ").unwrap();
        let written = expression.replace("\\n", "\n").replace("\\r", "\r");
        let found = answer(&session, &written);
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
