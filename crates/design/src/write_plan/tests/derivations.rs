//! Writes that consist of others: upserts, several rows, and rows that go with those they refer to.

use model::plan::{WritePlan, WriteStep};

use super::{plan_of, statements, text};

const RECEIPTS: &str = "
CREATE TABLE receipts (room text, usr text, stream bigint NOT NULL, event text NOT NULL, note text, PRIMARY KEY (room, usr));
-- name: InRoom :many
SELECT usr, event FROM receipts WHERE room = ? AND stream > ?;
-- name: Receipt :exec
INSERT INTO receipts (room, usr, stream, event) VALUES (?, ?, ?, ?)
ON CONFLICT (room, usr) DO UPDATE SET stream = EXCLUDED.stream, event = EXCLUDED.event;
";

const SETTINGS: &str = "
CREATE TABLE settings (usr text, name text, value text, PRIMARY KEY (usr, name));
-- name: Settings :many
SELECT name, value FROM settings WHERE usr = ?;
-- name: Set :exec
INSERT INTO settings (usr, name, value) VALUES (?, ?, ?) ON CONFLICT (usr, name) DO UPDATE SET value = EXCLUDED.value;
-- name: Keep :exec
INSERT INTO settings (usr, name, value) VALUES (?, ?, ?) ON CONFLICT (usr, name) DO UPDATE SET value = 'again';
-- name: Two :exec
INSERT INTO settings (usr, name, value) VALUES (?, ?, ?), (?, ?, 'x');
";

const POSTS: &str = "
CREATE TABLE users (id uuid PRIMARY KEY, name text);
CREATE TABLE posts (id uuid PRIMARY KEY, usr uuid NOT NULL REFERENCES users ON DELETE CASCADE, title text);
CREATE TABLE likes (id uuid PRIMARY KEY, post uuid REFERENCES posts ON DELETE SET NULL, at timestamp);
CREATE TABLE audits (id uuid PRIMARY KEY, usr uuid REFERENCES users ON DELETE RESTRICT);
-- name: User :one
SELECT name FROM users WHERE id = ?;
-- name: Posts :many
SELECT id, title FROM posts WHERE usr = ?;
-- name: Likes :many
SELECT id, at FROM likes WHERE post = ?;
-- name: Audits :many
SELECT id FROM audits WHERE usr = ?;
-- name: Leave :exec
DELETE FROM users WHERE id = ?;
";

/// The kinds of the steps of a plan, each as one letter: read, run, statement, batch.
fn shape(plan: &WritePlan) -> String {
    let letter = |step: &WriteStep| match step {
        WriteStep::Read(..) => 'r',
        WriteStep::Run(_) => 'R',
        WriteStep::Statement(_) => 's',
        WriteStep::Batch { .. } => 'b',
    };
    plan.steps.iter().map(letter).collect()
}

#[test]
fn an_upsert_of_an_existing_row_removes_the_old_copy() {
    let (_, upsert) = plan_of(RECEIPTS, "Receipt");
    assert_eq!(shape(&upsert), "rRR");
    let guarded = |at: usize| match &upsert.steps[at] {
        WriteStep::Run(run) => run.guards.len(),
        _ => 0,
    };
    assert_eq!([guarded(1), guarded(2)], [1, 1]);
    let (_, new) = plan_of(RECEIPTS, "Receipt, new row");
    assert!(statements(&new).iter().all(|statement| statement.modification.is_insert()));
    let (_, existing) = plan_of(RECEIPTS, "Receipt, existing row");
    let deletes = |line: &String| line.contains("DELETE FROM receipts_by_room");
    assert!(text(&existing).iter().any(deletes), "{:#?}", text(&existing));
}

#[test]
fn an_upsert_is_an_insert_where_both_are_the_same() {
    assert_eq!(shape(&plan_of(SETTINGS, "Set").1), "R");
    assert_eq!(shape(&plan_of(SETTINGS, "Keep").1), "rRR");
    assert_eq!(shape(&plan_of(SETTINGS, "Two").1), "RR");
}

#[test]
fn rows_that_refer_go_before_the_row() {
    let (_, leave) = plan_of(POSTS, "Leave");
    assert_eq!(shape(&leave), "Rs");
    let (_, posts) = plan_of(POSTS, "posts.usr ON DELETE CASCADE");
    assert!(shape(&posts).starts_with("rR"), "{}", shape(&posts));
    let (_, likes) = plan_of(POSTS, "likes.post ON DELETE SET NULL");
    assert!(text(&likes).iter().any(|line| line.contains("DELETE FROM likes")));
    let restricted: Vec<String> = leave.preconditions.iter().map(ToString::to_string).collect();
    assert_eq!(restricted, ["no row of audits references the row of users any more"]);
}
