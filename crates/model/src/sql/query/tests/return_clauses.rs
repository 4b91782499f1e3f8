//! What writes return.

use super::model;
use crate::concept::Concept;
use crate::workload::Write;

/// One write that returns a row.
fn write(text: &str) -> (Write, Concept) {
    let mut file = model(&format!("-- name: W :one\n-- @rate 1/s\n{text};"));
    (file.workload.writes.remove(0), file.concept)
}

/// The returned columns of a write and whether all rows are returned.
fn list_returned(cardinality: &str, write: &str) -> Option<(Vec<String>, bool)> {
    let file = model(&format!("-- name: W {cardinality}\n-- @rate 1/s\n{write};"));
    let returning = file.workload.writes.first()?.returning.clone()?;
    let names = returning.names().into_iter().map(str::to_owned).collect();
    Some((names, returning.many))
}

#[test]
fn writes_return_columns() {
    let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
    let insert = "INSERT INTO countries AS c (code, name) VALUES (?, ?)";
    let all = names(&["code", "name"]);
    for list in ["*", "c.*", "code, name", "c.code, c.name"] {
        let write = format!("{insert} RETURNING {list}");
        assert_eq!(list_returned(":one", &write), Some((all.clone(), false)), "{write}");
    }
    let update = "UPDATE users SET firstname = ? WHERE userid = ? RETURNING userid AS id, \
                  COALESCE(firstname, email) AS shown";
    assert_eq!(list_returned(":many", update), Some((names(&["id", "shown"]), true)));
    let delete = "DELETE FROM users WHERE userid = ? RETURNING email";
    assert_eq!(list_returned(":one", delete), Some((names(&["email"]), false)));
    assert_eq!(list_returned(":exec", delete), None);
}

#[test]
fn what_is_computed_in_returning_reads_its_columns() {
    let (write, _) =
        write("DELETE FROM users WHERE userid = ? RETURNING COALESCE(firstname, email) AS shown");
    let returning = write.returning.expect("it returns a row");
    let outputs: Vec<_> = returning.outputs.iter().map(|output| output.name.as_str()).collect();
    assert_eq!(outputs, ["shown", "email"]);
    assert_eq!(returning.computed.len(), 1);
}

#[test]
fn a_number_that_is_returned_is_no_counter() {
    let add = "UPDATE users SET logins = logins + 1 WHERE userid = ?";
    let is_counter = |text: &str| {
        let (_, concept) = write(text);
        let users = concept.entities.iter().find(|it| it.name == "users").expect("it is there");
        users.attributes.iter().any(|attribute| attribute.counter)
    };
    assert!(is_counter(&format!("{add} RETURNING userid")));
    assert!(!is_counter(&format!("{add} RETURNING logins")));
    assert!(!is_counter(&format!("{add} RETURNING *")));
}
