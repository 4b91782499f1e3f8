//! Counters.

use super::{model, read_errors};
use crate::sql::read;
use crate::workload::{AssignmentValue, WriteKind};

const COUNT: &str =
    "-- name: Count :exec\n-- @rate 1/s\nUPDATE users SET logins = logins + 1 WHERE userid = ?;\n";

#[test]
fn adding_makes_a_counter() {
    let file = model(COUNT);
    let users = &file.concept.entities[0];
    assert!(users.attributes[4].counter);
    assert_eq!(users.attributes.iter().filter(|attribute| attribute.counter).count(), 1);
    for (set, added) in [("logins - ?", false), ("? + logins", true), ("users.logins + 2", true)] {
        let file = model(&format!(
            "-- name: W :exec\n-- @rate 1/s\nUPDATE users SET logins = {set} WHERE userid = ?;"
        ));
        let WriteKind::Update(assignments, _) = &file.workload.writes[0].kind else { panic!() };
        assert_eq!(matches!(assignments[0].value, AssignmentValue::Add(_)), added, "{set}");
        assert!(file.concept.entities[0].attributes[4].counter);
    }
}

#[test]
fn exact_ones_are_none() {
    let text = "CREATE TABLE accounts (id uuid PRIMARY KEY, balance numeric NOT NULL, -- @exact\n n int -- @exact\n);
-- name: Pay :exec\n-- @rate 1/s\nUPDATE accounts SET balance = balance - ?, n = n + 1 WHERE id = ?;
-- name: Set :exec\n-- @rate 1/s\nUPDATE accounts SET balance = ? WHERE id = ?;";
    let file = read(text, "test").expect("valid");
    assert!(file.concept.entities[0].attributes.iter().all(|attribute| !attribute.counter));
}

#[test]
fn what_cannot_be_one() {
    let wrongs = |text: &str| {
        let wrongs = read_errors(text);
        assert_eq!(wrongs.len(), 1, "{wrongs:#?}");
        let wrong = wrongs.into_iter().next().expect("one");
        (wrong.message, wrong.underlined, wrong.help)
    };
    let set = format!(
        "{COUNT}-- name: Reset :exec\n-- @rate 1/s\nUPDATE users SET logins = 0 WHERE userid = ?;"
    );
    assert_eq!(
        wrongs(&set),
        (
            "logins is a counter (another write adds to it) and cannot be set".to_owned(),
            "0".to_owned(),
            "only add to it, or write -- @exact at the end of the line of logins".to_owned()
        )
    );
    let fraction = "-- name: W :exec\n-- @rate 1/s\nUPDATE videos SET rating = rating + 0.5 WHERE videoid = ?;";
    assert_eq!(
        wrongs(fraction),
        (
            "rating is a double and cannot be a counter".to_owned(),
            "rating + 0.5".to_owned(),
            "write -- @exact at the end of the line of rating".to_owned()
        )
    );
    let key = "-- name: W :exec\n-- @rate 1/s\nUPDATE employees SET id = id + 1 WHERE id = ?;";
    assert_eq!(wrongs(key).0, "id is part of a key and cannot be incremented");
    let text =
        "-- name: W :exec\n-- @rate 1/s\nUPDATE videos SET added = added + ? WHERE videoid = ?;";
    assert_eq!(wrongs(text).0, "added is a timestamp, not a number");
}

#[test]
fn inserting_zero_is_leaving_out() {
    let insert = |value: &str| {
        format!(
            "{COUNT}-- name: Add :exec\n-- @rate 1/s\n\
             INSERT INTO users (userid, email, active, logins, created) VALUES (?, ?, true, {value}, ?);"
        )
    };
    let file = model(&insert("0"));
    let WriteKind::Insert(values) = &file.workload.writes[1].kind else { panic!() };
    assert_eq!(
        values.iter().map(|(attribute, _)| attribute.index()).collect::<Vec<_>>(),
        [0, 1, 3, 7]
    );
    let wrongs = read_errors(&insert("?"));
    assert_eq!(
        wrongs[0].help,
        "leave logins out of the INSERT, or write -- @exact at the end of the line of logins"
    );
}

#[test]
fn nothing_is_found_by_them() {
    for (query, message) in [
        ("SELECT email FROM users WHERE logins > 5", "Top filters by logins, which is a counter"),
        ("SELECT SUM(logins) FROM users", "Top sums logins, which is a counter"),
        (
            "SELECT email FROM users ORDER BY logins DESC",
            "Top orders by logins, which is a counter",
        ),
        (
            "SELECT logins, COUNT(*) FROM users GROUP BY logins",
            "Top groups by logins, which is a counter",
        ),
    ] {
        let wrongs = read_errors(&format!("{COUNT}-- name: Top :many\n-- @rate 1/s\n{query};"));
        assert_eq!(wrongs[0].message, message);
    }
    let delete =
        "-- name: W :exec\n-- @rate 1/s\nDELETE FROM users WHERE userid = ? AND logins = 0;";
    let wrongs = read_errors(&format!("{COUNT}{delete}"));
    assert_eq!(wrongs[0].message, "W filters by logins, which is a counter");
    assert_eq!(wrongs[0].underlined, "logins = 0");
}
