//! What a connection does: bytes in and out, pages, batches, many at a time, and a keyspace that goes away.

use cluster::{Connection, ConnectionOptions, ErrorKind, Request, ScratchKeyspace};
use cql::BatchKind;

use super::{access, find_keyspaces};
use crate::cassandra;
use crate::clients::Server;

#[test]
fn a_served_engine_answers() {
    let server = Server::start();
    exercise_connection(&access(server.address));
}

#[test]
fn a_real_node_answers() {
    let Some(node) = cassandra::node() else { return };
    exercise_connection(&access(node));
}

fn int(number: i32) -> Vec<u8> {
    number.to_be_bytes().to_vec()
}

fn exercise_connection(access: &ConnectionOptions) {
    let mut scratch = ScratchKeyspace::create(access, None).expect("a keyspace can be made");
    let keyspace = scratch.keyspace().to_owned();
    assert!(find_keyspaces(access).contains(&keyspace));
    let connection = scratch.connection().expect("it is open");
    connection.run("CREATE TYPE pair (a int, b text)", &[]).expect("a type");
    let table =
        "CREATE TABLE t (k int, c int, v text, p frozen<pair>, l list<int>, PRIMARY KEY (k, c))";
    connection.run(table, &[]).expect("a table");
    many_rows_come_in_pages(connection);
    values_are_bytes(connection);
    batches_run(connection);
    refusals_are_the_servers_words(connection);
    scratch.replace().expect("an empty one");
    assert_ne!(scratch.keyspace(), keyspace);
    let connection = scratch.connection().expect("it is open");
    connection.run("CREATE TABLE t (other int PRIMARY KEY)", &[]).expect("the old one is gone");
    let rows =
        connection.run("SELECT * FROM t WHERE other = ?", &[Some(int(1))]).expect("it is read");
    assert_eq!(rows.columns.len(), 1);
    let second = scratch.keyspace().to_owned();
    scratch.recreate().expect("an empty one of this name");
    assert_eq!(scratch.keyspace(), second);
    let connection = scratch.connection().expect("it is open");
    connection.run("CREATE TABLE t (third int PRIMARY KEY)", &[]).expect("the old one is gone");
    scratch.finish().expect("it goes away");
    let left = find_keyspaces(access);
    assert!(!left.contains(&keyspace) && !left.contains(&second), "{left:?}");
}

/// More than a page, and more than may be under way at one time.
fn many_rows_come_in_pages(connection: &mut Connection) {
    let insert = "INSERT INTO t (k, c, v) VALUES (?, ?, ?)";
    let values: Vec<_> = (0..6_000)
        .map(|c| [Some(int(1)), Some(int(c)), (c % 2 == 0).then(|| b"even".to_vec())])
        .collect();
    let requests: Vec<_> = values.iter().map(|values| Request { cql: insert, values }).collect();
    let answers = connection.run_all(&requests).expect("they are written");
    assert!(answers.len() == 6_000 && answers.iter().all(|answer| answer.rows.is_empty()));
    let rows =
        connection.run("SELECT c, v FROM t WHERE k = ?", &[Some(int(1))]).expect("they are read");
    let names: Vec<_> = rows.columns.iter().map(|(name, ty)| format!("{name} {ty}")).collect();
    assert_eq!(names, ["c int", "v text"]);
    assert_eq!(rows.rows.len(), 6_000);
    assert_eq!(rows.rows[4], [Some(int(4)), Some(b"even".to_vec())]);
    assert_eq!(rows.rows[5], [Some(int(5)), None]);
    let all = connection.run("SELECT c FROM t", &[]).expect("they are read");
    assert_eq!(all.rows.len(), 6_000);
    let selects = [1, 3, 2].map(|c| [Some(int(1)), Some(int(c))]);
    let requests: Vec<_> = selects
        .iter()
        .map(|values| Request { cql: "SELECT c FROM t WHERE k = ? AND c = ?", values })
        .collect();
    let answers = connection.run_all(&requests).expect("they are read");
    let found: Vec<_> = answers.into_iter().flat_map(|answer| answer.rows).flatten().collect();
    assert_eq!(found, [Some(int(1)), Some(int(3)), Some(int(2))], "in the order asked");
}

fn values_are_bytes(connection: &mut Connection) {
    let pair = [4_i32.to_be_bytes(), 7_i32.to_be_bytes(), (-1_i32).to_be_bytes()].concat();
    let list = [1_i32.to_be_bytes(), 4_i32.to_be_bytes(), 9_i32.to_be_bytes()].concat();
    let values =
        [Some(int(2)), Some(int(1)), Some(Vec::new()), Some(pair.clone()), Some(list.clone())];
    connection
        .run("INSERT INTO t (k, c, v, p, l) VALUES (?, ?, ?, ?, ?)", &values)
        .expect("it is written");
    let rows =
        connection.run("SELECT v, p, l FROM t WHERE k = ?", &[Some(int(2))]).expect("it is read");
    assert_eq!(rows.rows, [[Some(Vec::new()), Some(pair), Some(list)]]);
    // Nothing tells a driver whether a type in an answer is frozen.
    let types: Vec<_> = rows.columns.iter().map(|(_, ty)| ty.unfreeze().to_string()).collect();
    assert_eq!(types, ["text", "pair", "list<int>"]);
}

fn batches_run(connection: &mut Connection) {
    for (kind, k) in [(BatchKind::Logged, 3), (BatchKind::Unlogged, 4)] {
        let values = [[Some(int(k)), Some(int(1))], [Some(int(k)), Some(int(2))]];
        let requests: Vec<_> = values
            .iter()
            .map(|values| Request { cql: "INSERT INTO t (k, c) VALUES (?, ?)", values })
            .collect();
        connection.run_batch(kind, &requests).expect("it runs");
        let rows =
            connection.run("SELECT c FROM t WHERE k = ?", &[Some(int(k))]).expect("it is read");
        assert_eq!(rows.rows, [[Some(int(1))], [Some(int(2))]]);
    }
    connection.run("CREATE TABLE n (k int PRIMARY KEY, n counter)", &[]).expect("a table");
    let values = [Some(5_i64.to_be_bytes().to_vec()), Some(int(1))];
    let add = Request { cql: "UPDATE n SET n = n + ? WHERE k = ?", values: &values };
    connection.run_batch(BatchKind::Counter, &[add, add]).expect("it runs");
    let rows = connection.run("SELECT n FROM n", &[]).expect("it is read");
    assert_eq!(rows.rows, [[Some(10_i64.to_be_bytes().to_vec())]]);
}

fn refusals_are_the_servers_words(connection: &mut Connection) {
    let refused = connection.run("SELECT * FROM nothing", &[]).expect_err("there is no such table");
    assert_eq!(
        (refused.kind, refused.message.as_str()),
        (ErrorKind::Server, "table nothing does not exist")
    );
    let refused =
        connection.run("SELECT * FROM t WHERE v = ?", &[Some(int(1))]).expect_err("no filter");
    assert_eq!(refused.kind, ErrorKind::Server);
    assert!(refused.message.contains("ALLOW FILTERING"), "{refused}");
    let refused = connection.run("SELECT * FROM t WHERE k = ?", &[Some(int(1)), Some(int(2))]);
    assert_eq!(refused.expect_err("two values").kind, ErrorKind::Server);
}
