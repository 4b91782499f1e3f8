//! Substitution, compared with the results of a 5.0.8 node for each value.

use cql::value::hex_to_bytes;

use super::{BindValue, substitute};
use crate::Session;
use crate::bind::{bind, check_execution, validate};

const VECTORS: &str = include_str!("vectors.txt");

const SCHEMA: &str = "
CREATE KEYSPACE ks WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1};
USE ks;
CREATE TYPE u (a int, b text);
CREATE TABLE t (k int, c int, d int, s int static, v int, x text, l list<int>, st set<int>, m map<int, text>,
    fl frozen<list<int>>, uu u, fu frozen<u>, tp tuple<int, text>, vec vector<float, 2>, PRIMARY KEY (k, c, d));
CREATE TABLE t1 (k int PRIMARY KEY, v int, w int);
CREATE TABLE t2 (a int, b int, v int, PRIMARY KEY ((a, b)));
CREATE TABLE ct (k int PRIMARY KEY, n counter);
CREATE INDEX t1_w ON t1 (w);
CREATE TABLE all_types (k int PRIMARY KEY, a ascii, bi bigint, bl blob, bo boolean, da date, de decimal, db double,
    du duration, f float, i inet, si smallint, ti time, ts timestamp, tu timeuuid, ty tinyint, u uuid, vi varint,
    vt vector<text, 2>, ll list<frozen<list<int>>>);
";

fn session() -> Session {
    let mut session = Session::with_system_tables();
    for statement in cql::parse(SCHEMA).statements {
        session.run(&statement).unwrap();
    }
    session
}

fn value(text: &str) -> BindValue {
    match text {
        "unset" => BindValue::Unset,
        "null" => BindValue::Null,
        hex => BindValue::Bytes(hex_to_bytes(hex.strip_prefix('x').unwrap()).unwrap().into()),
    }
}

fn answer(session: &Session, text: &str, values: &[BindValue]) -> String {
    let parsed = cql::parse(text);
    let bound = bind(&session.catalog, Some("ks"), 0, &parsed.statements[0]).unwrap();
    validate(&bound).unwrap();
    let outcome =
        substitute(&bound, values, &|_| None).and_then(|bound| check_execution(&bound, None));
    match outcome {
        Ok(()) => "ok".to_owned(),
        Err(refusal) => {
            let code = refusal.error().number();
            format!("{code:#06x} {}", refusal.message().replace('\n', "\\n"))
        }
    }
}

#[test]
fn values_are_answered_as_the_node_answers_them() {
    let session = session();
    let mut wrong = Vec::new();
    let vectors = VECTORS.lines().filter(|line| !line.starts_with('#'));
    for line in vectors {
        let [text, values, expected] = line.splitn(3, " | ").collect::<Vec<_>>()[..] else {
            panic!("{line}");
        };
        let values: Vec<BindValue> =
            values.split(' ').filter(|v| !v.is_empty()).map(value).collect();
        let found = answer(&session, text, &values);
        if found != expected {
            wrong.push(format!("{text} {values:?}\n  node: {expected}\n  here: {found}"));
        }
    }
    assert!(wrong.is_empty(), "{} of them:\n{}", wrong.len(), wrong.join("\n"));
}
