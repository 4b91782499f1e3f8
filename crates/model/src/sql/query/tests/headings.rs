//! What stands above a statement.

use super::{model, read_errors};
use crate::concept::{Figure, Origin};

#[test]
fn rates_and_wishes() {
    let file = model(
        "-- name: A :one\n-- @rate 120/min @consistency quorum\nSELECT email FROM users WHERE userid = ?;
         -- name: B :exec\n-- @rate 1/s @strict @consistency each_quorum\nDELETE FROM users WHERE userid = ?;
         -- name: C :many\n-- @rate 3k/s @exact\nSELECT COUNT(*) FROM users WHERE age = ?;",
    );
    let [a, c] = &file.workload.reads[..] else { panic!() };
    assert_eq!(
        (a.rate, a.consistency.as_str(), a.many),
        (Figure::from_input(2.0), "QUORUM", false)
    );
    assert_eq!(
        (c.rate, c.consistency.as_str(), c.exact),
        (Figure::from_input(3000.0), "LOCAL_QUORUM", true)
    );
    let b = &file.workload.writes[0];
    assert_eq!((b.strict, b.consistency.as_str()), (true, "EACH_QUORUM"));
    assert_eq!(a.sql, "SELECT email FROM users WHERE userid = ?");
}

#[test]
fn a_missing_rate_is_assumed() {
    let file = model("-- name: A :one\nSELECT email FROM users WHERE userid = ?;");
    assert_eq!(file.workload.reads[0].rate, Figure { value: 1.0, origin: Origin::Assumed });
    assert!(
        file.assumptions
            .iter()
            .any(|it| it.topic.to_string() == "A is assumed to run once per second")
    );
}

#[test]
fn kinds_of_statements() {
    for (line, statement, message, help) in [
        (
            ":exec",
            "SELECT email FROM users WHERE userid = ?",
            "A returns rows but is marked :exec",
            ":one or :many",
        ),
        (
            ":many",
            "DELETE FROM users WHERE userid = ?",
            "A returns nothing but is marked :many",
            ":exec",
        ),
        (
            ":one",
            "DELETE FROM users WHERE userid = ?",
            "A returns nothing but is marked :one",
            ":exec",
        ),
        (
            ":one",
            "SELECT email FROM users LIMIT 20",
            "A is marked :one but has a LIMIT of more rows",
            "LIMIT 1",
        ),
        (
            ":one",
            "SELECT email FROM users LIMIT ?",
            "A is marked :one but has a LIMIT of more rows",
            ":many",
        ),
    ] {
        let wrongs = read_errors(&format!("-- name: A {line}\n-- @rate 1/s\n{statement};"));
        assert_eq!(wrongs.len(), 1, "{wrongs:?}");
        assert_eq!(wrongs[0].message, message);
        assert!(wrongs[0].help.contains(help), "{}", wrongs[0].help);
    }
}

#[test]
fn wishes_that_cannot_be() {
    let exact = read_errors(
        "-- name: A :one\n-- @rate 1/s @exact\nSELECT email FROM users WHERE userid = ?;",
    );
    assert_eq!((exact[0].rule, exact[0].underlined.as_str()), ("MF374", "@exact"));
    let any = read_errors(
        "-- name: A :one\n-- @rate 1/s @consistency any\nSELECT email FROM users WHERE userid = ?;",
    );
    assert_eq!(any[0].message, "ANY is not a valid consistency level for a read");
    let both = read_errors(
        "-- name: A :exec\n-- @rate 1/s @strict\nINSERT INTO countries (code, name) VALUES (?, ?) \
         ON CONFLICT (code) DO UPDATE SET name = EXCLUDED.name;",
    );
    assert_eq!(both[0].message, "A is @strict but overwrites existing rows");
}

#[test]
fn widths_of_ranges() {
    let file = model(
        "-- name: A :many\n-- @rate 1/s @span 6h @returns 20 p99 50\n\
         SELECT email FROM users WHERE created >= ? AND created < ?;
         -- name: B :many\n-- @rate 1/s @span age 10, created 2 days\n\
         SELECT email FROM users WHERE created > ? AND age > ?;
         -- name: C :many\n-- @rate 1/s\nSELECT email FROM users WHERE created > ?;",
    );
    let widths = |read: usize| -> Vec<f64> {
        file.workload.reads[read].stated.spans.iter().map(|span| span.width).collect()
    };
    assert_eq!((widths(0), widths(1)), (vec![21_600.0], vec![10.0, 172_800.0]));
    let returns = file.workload.reads[0].stated.returns.unwrap();
    assert_eq!((returns.mean, returns.p99), (20.0, 50.0));
    let assumed: Vec<String> = file.assumptions.iter().map(|it| it.topic.to_string()).collect();
    assert!(assumed[0].starts_with("the range of created in C is assumed"), "{assumed:?}");
    assert!(!assumed[1].starts_with("the range"), "{assumed:?}");
}

#[test]
fn widths_that_fit_no_range() {
    for (directive, conditions, message) in [
        ("@span 6h", "userid = ?", "A has no range to which @span applies"),
        ("@span 6h", "created > ? AND age > ?", "A has several ranges: created, age"),
        ("@span name 6h", "created > ?", "A has no range of name"),
        ("@span 6", "created > ?", "created is a time, but its @span is a number"),
        ("@span 6h", "age > ?", "age is a number, but its @span is a duration"),
        ("@span 6", "email > ?", "@span does not apply to email, which has no distances"),
    ] {
        let text = format!(
            "-- name: A :many\n-- @rate 1/s {directive}\nSELECT age FROM users WHERE {conditions};"
        );
        let wrongs = read_errors(&text);
        assert_eq!((wrongs[0].rule, wrongs[0].message.as_str()), ("MF375", message), "{text}");
        assert_eq!(wrongs[0].underlined, directive);
    }
}

#[test]
fn two_of_a_name() {
    let query = "-- name: A :many\n-- @rate 1/s\nSELECT email FROM users;\n";
    let wrongs = read_errors(&query.repeat(2));
    assert_eq!(wrongs.len(), 1, "{wrongs:?}");
    assert!(wrongs[0].message.contains('A'), "{}", wrongs[0].message);
}
