//! What SQL forbids and Cassandra does not: references to nothing in a join, and unique keys taken
//! twice.

use model::plan::Precondition;

use super::{plan_of, text};

const TICKETS: &str = "
CREATE TABLE employees (id uuid PRIMARY KEY, name text NOT NULL);
CREATE TABLE tickets (
  ticket_id uuid PRIMARY KEY,
  opened_by uuid NOT NULL REFERENCES employees,
  assigned_to uuid REFERENCES employees,
  title text NOT NULL
);
-- name: Opened :many
SELECT t.ticket_id, t.title, a.name AS assignee
FROM tickets t JOIN employees a ON a.id = t.assigned_to WHERE t.opened_by = ?;
-- name: Assigned :many
SELECT t.ticket_id, t.title, a.name AS assignee
FROM tickets t JOIN employees a ON a.id = t.assigned_to WHERE t.assigned_to = ?;
-- name: Open :exec
INSERT INTO tickets (ticket_id, opened_by, assigned_to, title) VALUES (?, ?, ?, ?);
-- name: Reassign :exec
UPDATE tickets SET assigned_to = ? WHERE ticket_id = ?;
-- name: Unassign :exec
UPDATE tickets SET assigned_to = NULL WHERE ticket_id = ?;
";

#[test]
fn a_row_that_refers_to_nothing_is_in_no_table_of_the_join() {
    let (_, open) = plan_of(TICKETS, "Open");
    let lines = text(&open);
    let of = |table: &str| lines.iter().find(|line| line.contains(table)).unwrap().trim();
    assert!(of("INTO tickets_by_opened_by ").starts_with("if: INSERT"), "{lines:#?}");
    assert!(of("INTO tickets_by_assigned_to ").starts_with("if: INSERT"), "{lines:#?}");
    assert!(of("INTO tickets ").starts_with("INSERT"), "{lines:#?}");
}

#[test]
fn a_row_leaves_the_join_only_if_it_was_there() {
    for name in ["Reassign", "Unassign"] {
        let (_, plan) = plan_of(TICKETS, name);
        for line in text(&plan).iter().filter(|line| line.contains("DELETE")) {
            assert!(line.trim().starts_with("if: DELETE"), "{name}: {line}");
        }
    }
}

#[test]
fn unique_keys_without_a_table_are_preconditions() {
    let people = "
        CREATE TABLE people (id uuid PRIMARY KEY, email text NOT NULL UNIQUE, phone text NOT NULL UNIQUE);
        -- name: ByEmail :one
        SELECT id FROM people WHERE email = ?;
        -- name: ById :one
        SELECT email, phone FROM people WHERE id = ?;
        -- name: Add :exec
        INSERT INTO people (id, email, phone) VALUES (?, ?, ?);
        -- name: ChangePhone :exec
        UPDATE people SET phone = ? WHERE id = ?;";
    let says = |name: &str, what: &str| {
        let (_, plan) = plan_of(people, name);
        plan.preconditions.iter().any(|one| match one {
            Precondition::UniqueKey { attributes, .. } => attributes.iter().any(|own| own == what),
            _ => false,
        })
    };
    // The table by email is asked whether it is taken.
    assert!(says("Add", "phone") && !says("Add", "email"));
    assert!(says("ChangePhone", "phone") && !says("ChangePhone", "email"));
}
