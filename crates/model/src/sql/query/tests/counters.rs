//! Counters.

use super::{model, read_errors};
use crate::assumption::{AssumptionTopic, CounterObstacle};
use crate::sql::{ModelFile, read};
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

/// The attribute of a name is no counter, and why.
fn obstacle(file: &ModelFile, name: &str) -> Option<CounterObstacle> {
    let attributes = file.concept.entities.iter().flat_map(|entity| &entity.attributes);
    assert!(attributes.into_iter().all(|it| it.name != name || !it.counter), "{name}");
    file.assumptions.iter().find_map(|it| match &it.topic {
        AssumptionTopic::ExactNumber { attribute, why, .. } if attribute == name => {
            Some(why.clone())
        }
        _ => None,
    })
}

#[test]
fn what_is_used_as_no_counter_can_be_stays_a_number() {
    let set = format!(
        "{COUNT}-- name: Reset :exec\n-- @rate 1/s\nUPDATE users SET logins = 0 WHERE userid = ?;"
    );
    let write = |name: &str| CounterObstacle::Set { write: name.to_owned() };
    assert_eq!(obstacle(&model(&set), "logins"), Some(write("Reset")));
    let fraction = "-- name: W :exec\n-- @rate 1/s\nUPDATE videos SET rating = rating + 0.5 WHERE videoid = ?;";
    assert_eq!(obstacle(&model(fraction), "rating"), Some(CounterObstacle::NotWhole));
    let key = "-- name: W :exec\n-- @rate 1/s\nUPDATE employees SET id = id + 1 WHERE id = ?;";
    assert_eq!(obstacle(&model(key), "id"), Some(CounterObstacle::InKey));
    let top = || "Top".to_owned();
    for (query, why) in [
        (
            "SELECT email FROM users WHERE logins > 5",
            CounterObstacle::Filtered { statement: top() },
        ),
        ("SELECT SUM(logins) FROM users", CounterObstacle::Aggregated { read: top() }),
        ("SELECT email FROM users ORDER BY logins DESC", CounterObstacle::Ordered { read: top() }),
        (
            "SELECT logins, COUNT(*) FROM users GROUP BY logins",
            CounterObstacle::Grouped { read: top() },
        ),
    ] {
        let file = model(&format!("{COUNT}-- name: Top :many\n-- @rate 1/s\n{query};"));
        assert_eq!(obstacle(&file, "logins"), Some(why), "{query}");
    }
    let delete =
        "-- name: W :exec\n-- @rate 1/s\nDELETE FROM users WHERE userid = ? AND logins = 0;";
    let tested = CounterObstacle::Filtered { statement: "W".to_owned() };
    assert_eq!(obstacle(&model(&format!("{COUNT}{delete}")), "logins"), Some(tested));
    let pay = "-- name: W :exec\n-- @rate 1/s\n\
               UPDATE users SET logins = logins - ? WHERE userid = ? AND logins >= ?;";
    let tested = CounterObstacle::Filtered { statement: "W".to_owned() };
    assert_eq!(obstacle(&model(pay), "logins"), Some(tested));
}

#[test]
fn only_numbers_are_added_to() {
    let text =
        "-- name: W :exec\n-- @rate 1/s\nUPDATE videos SET added = added + ? WHERE videoid = ?;";
    assert_eq!(read_errors(text)[0].message, "added is a timestamp, not a number");
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
    let given = CounterObstacle::Inserted { write: "Add".to_owned() };
    assert_eq!(obstacle(&model(&insert("?")), "logins"), Some(given));
}
