//! References that may refer to nothing: a join leaves such rows out, and so do the tables that hold the join.

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
