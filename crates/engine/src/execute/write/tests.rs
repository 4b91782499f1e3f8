//! Writes to a database in memory, and what is stored after them.

use std::fmt::Write as _;

use storage::{RingRange, Row, RowEntry, Slice, SliceFilter};

use crate::Database;
use crate::Options;
use crate::ResultMessage;
use crate::request::Parameters;
use crate::session::Session;

/// A database with a keyspace.
struct TestDatabase {
    database: Database,
    session: Session,
}

impl TestDatabase {
    fn new(tables: &[&str]) -> Self {
        let database = Database::open_in_memory(Options::default()).unwrap();
        let mut session = database.session();
        let keyspace = "CREATE KEYSPACE k WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}";
        session.query(keyspace, &Parameters::default()).unwrap();
        session.set_keyspace("k");
        let mut test = Self { database, session };
        for table in tables {
            test.run(table);
        }
        test
    }

    fn run(&mut self, text: &str) {
        self.session.query(text, &Parameters::default()).unwrap_or_else(|e| panic!("{text}: {e}"));
    }

    fn query_error(&mut self, text: &str) -> String {
        self.session.query(text, &Parameters::default()).map(|_| ()).unwrap_err().message
    }

    /// The rows that a SELECT returns.
    fn rows(&mut self, text: &str) -> String {
        let answer = self.session.query(text, &Parameters::default());
        let answer = answer.unwrap_or_else(|e| panic!("{text}: {e}"));
        let ResultMessage::Rows(rows) = answer.outcome else { panic!("{text}: no rows") };
        let mut out = String::new();
        for row in rows.iter() {
            let values = row.iter().zip(rows.columns.iter());
            let values = values.map(|(value, column)| cql::value::literal(&column.ty, *value));
            out.push_str(&values.map(Result::unwrap).collect::<Vec<_>>().join(" "));
            out.push('\n');
        }
        out
    }

    /// The contents of a table, with timestamps.
    fn dump(&self, table: &str) -> String {
        let schema = self.database.node().schema();
        let handle = schema.table("k", table).unwrap();
        let slices = [Slice::all()];
        let filter =
            SliceFilter { slices: &slices, reversed: false, after: None, max_rows: usize::MAX };
        let mut out = String::new();
        for (key, read) in handle.rows.scan(&RingRange::ALL, filter, usize::MAX) {
            write!(out, "{}", cql::value::bytes_to_hex(key.key())).unwrap();
            if !read.deletion.is_live() {
                write!(out, " deleted@{}", read.deletion.timestamp).unwrap();
            }
            for range in &read.ranges {
                write!(out, " range@{}", range.deletion.timestamp).unwrap();
            }
            for (name, row) in
                read.statics.iter().map(|r| ("s", r)).chain(read.rows.iter().map(|r| ("r", r)))
            {
                write!(out, " {name}{}", render_row(row)).unwrap();
            }
            out.push('\n');
        }
        out
    }
}

fn render_row(row: &Row) -> String {
    let mut out = String::from("(");
    for value in row.clustering() {
        write!(out, "{},", value.map_or("null".into(), cql::value::bytes_to_hex)).unwrap();
    }
    if !row.liveness().is_none() {
        write!(out, " @{}", row.liveness().timestamp).unwrap();
    }
    if !row.deletion().is_live() {
        write!(out, " del@{}", row.deletion().timestamp).unwrap();
    }
    for entry in row.entries() {
        match entry {
            RowEntry::ColumnDeletion(column, deletion) => {
                write!(out, " {column}del@{}", deletion.timestamp).unwrap();
            }
            RowEntry::Cell(cell) => {
                write!(out, " {}", cell.column).unwrap();
                if let Some(path) = cell.path.filter(|path| path.len() != 16) {
                    write!(out, "[{}]", cql::value::bytes_to_hex(path)).unwrap();
                }
                if cell.is_tombstone() {
                    write!(out, "=null@{}", cell.timestamp).unwrap();
                } else {
                    let value = cql::value::bytes_to_hex(cell.value);
                    write!(out, "={value}@{}", cell.timestamp).unwrap();
                }
                if cell.is_expiring() {
                    write!(out, "~{}", cell.ttl).unwrap();
                }
            }
        }
    }
    out + ")"
}

#[test]
fn rows_ranges_and_partitions() {
    let mut at = TestDatabase::new(&[
        "CREATE TABLE t (p tinyint, c tinyint, d tinyint, s tinyint static, v tinyint, PRIMARY KEY (p, c, d)) WITH CLUSTERING ORDER BY (c ASC, d DESC)",
    ]);
    at.run("INSERT INTO t (p, c, d, v) VALUES (1, 2, 3, 4) USING TIMESTAMP 10 AND TTL 100");
    assert_eq!(at.dump("t"), "01 r(02,03, @10 1=04@10~100)\n");
    at.run("UPDATE t USING TIMESTAMP 11 SET v = null, s = 7 WHERE p = 1 AND c = 2 AND d IN (3, 4)");
    assert_eq!(at.dump("t"), "01 s( 0=07@11) r(02,04, 1=null@11) r(02,03, @10 1=null@11)\n");
    at.run("DELETE FROM t USING TIMESTAMP 12 WHERE p = 1 AND c = 2 AND d > 3");
    assert_eq!(at.dump("t"), "01 range@12 s( 0=07@11) r(02,03, @10 1=null@11)\n");
    at.run("DELETE FROM t USING TIMESTAMP 13 WHERE p = 1 AND (c, d) >= (2, 3)");
    assert_eq!(at.dump("t"), "01 range@13 range@13 s( 0=07@11)\n");
    at.run("DELETE FROM t USING TIMESTAMP 14 WHERE p = 1");
    assert_eq!(at.dump("t"), "01 deleted@14\n");
}

#[test]
fn collections() {
    let mut at = TestDatabase::new(&[
        "CREATE TABLE t (p tinyint PRIMARY KEY, l list<tinyint>, m map<tinyint, tinyint>, s set<tinyint>)",
    ]);
    at.run("INSERT INTO t (p, l, m, s) VALUES (1, [1, 2], {3: 4}, {5, 6}) USING TIMESTAMP 10");
    let all = "01 r( @10 0del@9 0=01@10 0=02@10 1del@9 1[03]=04@10 2del@9 2[05]=@10 2[06]=@10)\n";
    assert_eq!(at.dump("t"), all);
    at.run("UPDATE t USING TIMESTAMP 11 SET l = [8, 9] + l, m = m - {3}, s = s - {5} WHERE p = 1");
    at.run("UPDATE t USING TIMESTAMP 11 SET l = l + [7] WHERE p = 1");
    assert_eq!(
        at.dump("t"),
        "01 r( @10 0del@9 0=08@11 0=09@11 0=01@10 0=02@10 0=07@11 1del@9 1[03]=null@11 2del@9 2[05]=null@11 2[06]=@10)\n"
    );
    at.run("UPDATE t USING TIMESTAMP 12 SET l[1] = 5, l = l - [2, 7] WHERE p = 1");
    at.run("DELETE l[0] FROM t USING TIMESTAMP 13 WHERE p = 1");
    assert_eq!(
        at.dump("t"),
        "01 r( @10 0del@9 0=null@13 0=05@12 0=01@10 0=null@12 0=null@12 1del@9 1[03]=null@11 2del@9 2[05]=null@11 2[06]=@10)\n"
    );
    assert_eq!(
        at.query_error("UPDATE t SET l[2] = 1 WHERE p = 1"),
        "List index 2 out of bound, list has size 2"
    );
    assert_eq!(
        at.query_error("UPDATE t SET l[2] = 1 WHERE p = 2"),
        "Attempted to set an element on a list which is null"
    );
}

#[test]
fn counters() {
    let mut at = TestDatabase::new(&["CREATE TABLE t (p tinyint PRIMARY KEY, n counter)"]);
    at.run("UPDATE t SET n = n + 5 WHERE p = 1");
    at.run("BEGIN UNLOGGED BATCH UPDATE t SET n = n - 1 WHERE p = 1; UPDATE t SET n = n - 1 WHERE p IN (1, 1); APPLY BATCH");
    assert!(at.dump("t").contains("0000000000000003@"), "{}", at.dump("t"));
}

/// The results of a node: a counter continues after its row or partition is deleted, but not after
/// the counter itself is.
#[test]
fn counters_go_on_after_deletions() {
    let mut at = TestDatabase::new(&[
        "CREATE TABLE t (p int, c int, s counter static, n counter, m counter, PRIMARY KEY (p, c))",
    ]);
    let row = "SELECT s, n, m FROM t WHERE p = 1 AND c = 1";
    at.run("UPDATE t SET n = n + 5, s = s + 2 WHERE p = 1 AND c = 1");
    assert_eq!(at.rows(row), "2 5 null\n");
    at.run("DELETE FROM t WHERE p = 1 AND c = 1");
    assert_eq!(at.rows(row), "");
    at.run("UPDATE t SET n = n + 1 WHERE p = 1 AND c = 1");
    assert_eq!(at.rows(row), "2 6 null\n");
    at.run("DELETE FROM t WHERE p = 1");
    assert_eq!(at.rows("SELECT s, n, m FROM t"), "");
    at.run("UPDATE t SET n = n + 1, s = s + 1 WHERE p = 1 AND c = 1");
    assert_eq!(at.rows(row), "3 7 null\n");
    at.run("DELETE n FROM t WHERE p = 1 AND c = 1");
    at.run("UPDATE t SET n = n + 1, m = m + 1 WHERE p = 1 AND c = 1");
    assert_eq!(at.rows(row), "3 null 1\n");
    at.run("DELETE FROM t WHERE p = 1 AND c > 0");
    at.run("UPDATE t SET n = n + 1, m = m + 1 WHERE p = 1 AND c = 1");
    assert_eq!(at.rows(row), "3 null 2\n");
    at.run("TRUNCATE t");
    at.run("UPDATE t SET n = n + 1, n = n + 4 WHERE p = 1 AND c = 1");
    assert_eq!(at.rows(row), "null 5 null\n");
    at.run("UPDATE t SET n = n + 9223372036854775807 WHERE p = 1 AND c = 1");
    assert_eq!(at.rows(row), "null -9223372036854775804 null\n");
}

#[test]
fn the_servers_own_rows() {
    let at =
        TestDatabase::new(&["CREATE TABLE t (p text, c text, s set<text>, PRIMARY KEY (p, c))"]);
    let node = at.database.node();
    let schema = node.schema();
    let handle = schema.table("k", "t").unwrap();
    let set = [&[0, 0, 0, 1, 0, 0, 0, 1][..], b"x"].concat();
    let put = super::server_row::build_insert(node, handle, &[b"a", b"b"], &[("s", Some(&set))], 0)
        .unwrap();
    node.store.apply(&[put]).unwrap();
    assert!(at.dump("t").contains("[78]="), "{}", at.dump("t"));
    assert!(
        super::server_row::build_insert(node, handle, &[b"a", b"b"], &[("t", None)], 0).is_err()
    );
}
