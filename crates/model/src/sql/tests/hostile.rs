//! Files that are made to break a reader.

use std::time::{Duration, Instant};

use super::*;

const TABLE: &str = "CREATE TABLE t (a int PRIMARY KEY, b text);\n-- name: Q :many\n";

/// Something is said of the file, without overflowing a stack and before one loses patience.
fn assert_survives(text: &str) {
    let start = Instant::now();
    let _ = read(text, "app");
    let shown: String = text.chars().take(60).collect();
    assert!(start.elapsed() < Duration::from_secs(30), "{:?} for {shown}", start.elapsed());
}

#[test]
fn deep_nesting() {
    for depth in [5, 10, 14, 15, 16, 20, 10_000] {
        let [open, close] = ["(", ")"].map(|it| it.repeat(depth));
        assert_survives(&format!("{TABLE}SELECT a FROM t WHERE {open}a = ?{close};"));
        assert_survives(&format!("{TABLE}SELECT a FROM {open}t{close};"));
        assert_survives(&format!("{TABLE}SELECT a FROM {open}SELECT a FROM t{close};"));
        assert_survives(&format!("{TABLE}{open}SELECT a FROM t{close};"));
        assert_survives(&format!("{TABLE}SELECT {}a{close} FROM t;", "f(".repeat(depth)));
        assert_survives(&format!(
            "{TABLE}SELECT {}1{} FROM t;",
            "ARRAY[".repeat(depth),
            "]".repeat(depth)
        ));
        assert_survives(&format!("{TABLE}SELECT {}1 FROM t;", "CASE WHEN ".repeat(depth)));
        assert_survives(&format!("{TABLE}SELECT {}a FROM t;", "NOT ".repeat(depth)));
        assert_survives(&format!("{TABLE}SELECT {}a FROM t;", "- ".repeat(depth)));
        assert_survives(&format!(
            "CREATE TABLE t (a int{}, b int CHECK {open}a > 0{close});",
            "[]".repeat(depth)
        ));
        assert_survives(&format!("CREATE TABLE t (a int DEFAULT {open}1{close} PRIMARY KEY);"));
        assert_survives(&format!("CREATE TABLE t {open}a int{close};"));
        assert_survives(&format!(
            "CREATE TABLE t (a int); {} x {}",
            "/*".repeat(depth),
            "*/".repeat(depth)
        ));
    }
}

#[test]
fn long_chains() {
    for length in [5, 90, 190, 300, 5_000] {
        assert_survives(&format!(
            "{TABLE}SELECT a FROM t WHERE a = 1{};",
            " AND a = 1".repeat(length)
        ));
        assert_survives(&format!("{TABLE}SELECT 1{} FROM t;", " + 1".repeat(length)));
        assert_survives(&format!("{TABLE}SELECT a{} FROM t;", "::int".repeat(length)));
        assert_survives(&format!(
            "{TABLE}SELECT a FROM t{};",
            " UNION SELECT a FROM t".repeat(length)
        ));
        assert_survives(&format!("{TABLE}SELECT a FROM t{};", " JOIN t ON a = a".repeat(length)));
        assert_survives(&format!("{TABLE}SELECT a FROM t{};", " JOIN t".repeat(length)));
        assert_survives(&format!("{TABLE}SELECT a{} FROM t;", "[1]".repeat(length)));
        assert_survives(&format!("{TABLE}SELECT a{} FROM t;", " IS NULL".repeat(length)));
        assert_survives(&format!("{TABLE}SELECT a{} FROM t;", ".a".repeat(length)));
        assert_survives(&format!("{TABLE}SELECT 'a'{} FROM t;", " 'a'".repeat(length)));
        assert_survives(&format!("{TABLE}SELECT {}1 FROM t;", "INTERVAL ".repeat(length)));
    }
}

#[test]
fn types_within_types() {
    let types = |count: usize, fields: &dyn Fn(usize) -> String| {
        let declare = |n: usize| format!("CREATE TYPE t{n} AS ({});", fields(n));
        (0..count).map(declare).collect::<Vec<_>>().concat()
    };
    let tree = types(500, &|n| match n.checked_sub(1) {
        Some(below) => format!("a t{below}, b t{below}, c t{below}[]"),
        None => "a int".to_owned(),
    });
    assert_survives(&format!("{tree} CREATE TABLE t (id int PRIMARY KEY, x t499);"));
    let chain = types(2_000, &|n| {
        n.checked_sub(1).map_or("a int".to_owned(), |below| format!("a t{below}"))
    });
    assert_survives(&format!("{chain} CREATE TABLE t (id int PRIMARY KEY, x t999, y t1999);"));
}

#[test]
fn time_is_linear_in_the_file() {
    let repeat = |piece: &str| piece.repeat(200_000 / piece.len());
    assert_survives(&repeat("CREATE TABLE t (a int PRIMARY KEY); "));
    assert_survives(&repeat("/* @rows 5 */ "));
    assert_survives(&format!("CREATE TABLE t (a int PRIMARY KEY {});", repeat("/* @bytes 5 */ ")));
    assert_survives(&repeat("-- @rows 5\n"));
    assert_survives(&repeat("-- name: Q :one\n"));
    assert_survives(&repeat("\\restrict x\n"));
    assert_survives(&repeat("$a$ $b$ "));
    assert_survives(&repeat("'"));
    assert_survives(&repeat("ALTER TABLE t ADD FOREIGN KEY (a) REFERENCES u; "));
    assert_survives(&format!(
        "CREATE TABLE t (a int PRIMARY KEY); {}",
        repeat("ALTER TABLE t ADD FOREIGN KEY (a) REFERENCES t; ")
    ));
    assert_survives(&format!("CREATE TABLE t (a int PRIMARY KEY, {});", repeat("a int, ")));
    let each = |make: fn(usize) -> String| (0..2_000).map(make).collect::<Vec<_>>().concat();
    assert_survives(&each(|n| {
        format!(
            "CREATE TABLE t{n} (a int PRIMARY KEY REFERENCES t{}, b int REFERENCES x{n});\n",
            n + 1
        )
    }));
    let queries = each(|n| format!("-- name: Q{n} :one\nSELECT a FROM t WHERE a = ?;\n"));
    assert_survives(&format!("CREATE TABLE t (a int PRIMARY KEY);\n{queries}"));
}

#[test]
fn a_dump_of_data_is_refused_quickly() {
    let start = Instant::now();
    let rows = "1\tsome text; and 'quotes\n".repeat(400_000);
    let text =
        format!("CREATE TABLE t (a int PRIMARY KEY);\nCOPY t (a, b) FROM stdin;\n{rows}\\.\n");
    assert_eq!(error_places(&text), [("MF004", "COPY t (a, b) FROM stdin")]);
    assert!(start.elapsed() < Duration::from_millis(500), "{:?}", start.elapsed());
}

/// Text that ends, or goes wrong, where something is expected.
const ODD: &[&str] = &[
    "\u{feff}",
    "\u{feff}CREATE TABLE t (a int PRIMARY KEY)",
    "\r\n\r\n",
    "$",
    "$$",
    "$1",
    "\\",
    "--",
    "/*",
    "*/",
    "'",
    "\"",
    "(",
    ")",
    "CREATE",
    "CREATE TABLE",
    "CREATE TABLE (",
    "CREATE TABLE t",
    "CREATE TABLE t (",
    "CREATE TABLE t ()",
    "CREATE TABLE t (constraint",
    "CREATE TABLE t (constraint x",
    "CREATE TABLE t (a",
    "CREATE TABLE t (,)",
    "ALTER TABLE",
    "ALTER TABLE t",
    "ALTER TABLE t ADD",
    "ALTER TABLE t ADD COLUMN",
    "ALTER TABLE t ALTER",
    "ALTER TABLE t ALTER COLUMN",
    "ALTER TABLE t ATTACH PARTITION",
    "CREATE TABLE t (a int PRIMARY KEY); ALTER TABLE t ADD",
    "CREATE TABLE t (a int PRIMARY KEY); ALTER TABLE t ALTER COLUMN",
    "CREATE TABLE t (a int PRIMARY KEY); ALTER TABLE t ADD NOT VALID",
    "CREATE DOMAIN",
    "CREATE DOMAIN d",
    "CREATE DOMAIN d AS",
    "CREATE TYPE",
    "CREATE TYPE t AS ()",
    "CREATE UNIQUE INDEX",
    "CREATE UNIQUE INDEX i ON t ()",
    "-- name: Q :one\n",
    "-- name: Q :one\nSELECT",
    "-- name: \u{e9} :one\nSELECT \u{e9}",
    "CREATE TABLE \"\" (\"\" int PRIMARY KEY)",
    "CREATE TABLE t.u.v (a int PRIMARY KEY)",
    "-- @",
    "-- @@",
    "-- @,",
    "-- @rows\u{a0}5\nSELECT 1",
    "CREATE FUNCTION begin end; end; end;",
    "CREATE RULE r ) ( ;",
    "\u{1f600}",
    "E'\\",
    "U&'\\zz'",
    "1e",
    "1_",
    "x'zz'",
    "b'",
    "@",
    "@-",
    "::",
    "a;b;c",
];

#[test]
fn odd_text() {
    for text in ODD {
        assert_survives(text);
        assert_survives(&format!("-- @rows 5\n{text}"));
        assert_survives(&format!("CREATE TABLE t (a int PRIMARY KEY);\n{text}"));
        assert_survives(&format!("CREATE TABLE t (a int PRIMARY KEY, {text}"));
        assert_survives(&format!("{TABLE}{text}"));
    }
}
