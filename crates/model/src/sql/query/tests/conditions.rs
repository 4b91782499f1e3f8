//! Conditions that are understood.

use super::{describe_conditions, query, single_error};
use crate::id::ParameterId;
use crate::workload::{Limit, Value};

#[test]
fn comparisons() {
    assert_eq!(
        describe_conditions(
            "SELECT name FROM videos WHERE userid = ? AND ? <= added AND added < ?"
        ),
        [
            "videos.userid Equal Parameter(0)",
            "videos.added GreaterOrEqual Parameter(1)",
            "videos.added Less Parameter(2)"
        ]
    );
    assert_eq!(
        describe_conditions(
            "SELECT name FROM videos WHERE (videoid = ?) AND day BETWEEN ? AND '2024-01-31'"
        ),
        [
            "videos.videoid Equal Parameter(0)",
            "videos.day GreaterOrEqual Parameter(1)",
            "videos.day LessOrEqual Literal(\"'2024-01-31'\")"
        ]
    );
}

#[test]
fn constants() {
    assert_eq!(
        describe_conditions(
            "SELECT email FROM users WHERE firstname = 'O''Hara' AND age > -5 AND active = TRUE"
        ),
        [
            "users.firstname Equal Literal(\"'O''Hara'\")",
            "users.age Greater Literal(\"-5\")",
            "users.active Equal Literal(\"true\")"
        ]
    );
    assert_eq!(
        describe_conditions(
            "SELECT name FROM videos WHERE day = DATE '2024-02-29' AND rating >= 4"
        ),
        [
            "videos.day Equal Literal(\"'2024-02-29'\")",
            "videos.rating GreaterOrEqual Literal(\"4.0\")"
        ]
    );
}

#[test]
fn nulls_are_tested() {
    let tested = |condition: &str| {
        describe_conditions(&format!("SELECT email FROM users u WHERE {condition}"))
    };
    assert_eq!(tested("firstname IS NULL"), ["u.firstname Null"]);
    assert_eq!(tested("NOT (u.firstname IS NOT NULL)"), ["u.firstname Null"]);
    assert_eq!(tested("NOT u.firstname IS NULL"), ["u.firstname NotNull"]);
    let (read, _) = query("SELECT email FROM users WHERE age IS NULL ORDER BY age, created");
    assert_eq!(read.order.len(), 1, "a column that is always null orders nothing");
    let twice = single_error("SELECT email FROM users WHERE age IS NULL AND age = ?");
    assert_eq!(twice.message, "Q restricts age twice");
    let grouped = single_error("SELECT age, COUNT(*) FROM users WHERE age IS NULL GROUP BY age");
    assert_eq!(grouped.message, "Q groups by age, which is null in every row");
}

#[test]
fn truth_alone() {
    assert_eq!(
        describe_conditions("SELECT email FROM users WHERE active"),
        ["users.active Equal Literal(\"true\")"]
    );
    assert_eq!(
        describe_conditions(
            "SELECT email FROM users u WHERE NOT u.active AND firstname IS NOT NULL"
        ),
        ["u.active Equal Literal(\"false\")", "u.firstname NotNull"]
    );
    assert_eq!(
        describe_conditions("SELECT email FROM users WHERE active IS FALSE"),
        ["users.active Equal Literal(\"false\")"]
    );
}

#[test]
fn lists() {
    assert_eq!(
        describe_conditions("SELECT email FROM users WHERE age IN (?, 7, 7, 8)"),
        ["users.age In [Parameter(0), Literal(\"7\"), Literal(\"8\")]"]
    );
    assert_eq!(
        describe_conditions("SELECT email FROM users WHERE age IN (7)"),
        ["users.age Equal Literal(\"7\")"]
    );
    assert_eq!(
        describe_conditions("SELECT email FROM users WHERE userid = ANY(?)"),
        ["users.userid AnyOf 0"]
    );
    assert_eq!(
        describe_conditions("SELECT email FROM users WHERE userid = ANY($1::uuid[])"),
        ["users.userid AnyOf 0"]
    );
    assert_eq!(
        describe_conditions("SELECT email FROM users WHERE age = ANY(ARRAY[1, 2])"),
        ["users.age In [Literal(\"1\"), Literal(\"2\")]"]
    );
    assert_eq!(
        describe_conditions("SELECT name FROM videos WHERE ? = ANY(tags) AND 'rust' = ANY(tags)"),
        ["videos.tags Holds Parameter(0)", "videos.tags Holds Literal(\"'rust'\")"]
    );
}

#[test]
fn row_values() {
    assert_eq!(
        describe_conditions(
            "SELECT name FROM videos WHERE userid = ? AND (added, videoid) < (?, ?)"
        ),
        [
            "videos.userid Equal Parameter(0)",
            "(videos.added, videos.videoid) Less [Parameter(1), Parameter(2)]"
        ]
    );
    assert_eq!(
        describe_conditions("SELECT name FROM videos WHERE (?, ?) < (added, videoid)"),
        ["(videos.added, videos.videoid) Greater [Parameter(0), Parameter(1)]"]
    );
    assert_eq!(
        describe_conditions("SELECT body FROM comments WHERE (videoid, commentid) = (?, ?)"),
        ["comments.videoid Equal Parameter(0)", "comments.commentid Equal Parameter(1)"]
    );
}

#[test]
fn beginnings_of_texts() {
    assert_eq!(
        describe_conditions("SELECT name FROM videos WHERE name LIKE 'cat%'"),
        ["videos.name Prefix Literal(\"'cat'\")"]
    );
    assert_eq!(
        describe_conditions("SELECT name FROM videos WHERE name LIKE ? || '%'"),
        ["videos.name Prefix Parameter(0)"]
    );
    assert_eq!(
        describe_conditions(r"SELECT name FROM videos WHERE name LIKE '100\%%'"),
        ["videos.name Prefix Literal(\"'100%'\")"]
    );
    assert_eq!(
        describe_conditions("SELECT name FROM videos WHERE name LIKE 'cat'"),
        ["videos.name Equal Literal(\"'cat'\")"]
    );
}

#[test]
fn casts_say_nothing_new() {
    let (read, _) =
        query("SELECT email FROM users WHERE email = $1::text AND age > '5'::int LIMIT $2::int");
    assert_eq!(read.limit, Some(Limit::Parameter(ParameterId::new(1))));
    assert_eq!(
        describe_conditions("SELECT email FROM users WHERE email::text = CAST(? AS text)"),
        ["users.email Equal Parameter(0)"]
    );
    let literal = Value::Literal("5".to_owned());
    assert!(format!("{:?}", read.conditions).contains(&format!("{literal:?}")));
}
