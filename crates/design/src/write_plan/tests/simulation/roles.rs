//! Models in which an entity stands in one table several times.

use super::simulate;
use crate::{Limits, Options};

/// Messages between users, to oneself too, by the names of both.
const MESSAGES: &str = "
CREATE TABLE users (uid int PRIMARY KEY, name text NOT NULL, city text);
CREATE TABLE messages (mid int PRIMARY KEY, sender int NOT NULL REFERENCES users, recipient int NOT NULL REFERENCES users,
  body text, sent timestamp NOT NULL);
-- name: BySenderName :many
SELECT m.mid, m.body, s.name, r.name, r.city FROM messages m JOIN users s ON s.uid = m.sender JOIN users r ON r.uid = m.recipient
  WHERE s.name = ? ORDER BY m.sent DESC;
-- name: ByBothNames :many
SELECT m.mid, m.body, s.city FROM messages m JOIN users s ON s.uid = m.sender JOIN users r ON r.uid = m.recipient
  WHERE s.name = ? AND r.name = ?;
-- name: Inbox :many
SELECT m.mid, m.body, s.name, r.name FROM messages m JOIN users s ON s.uid = m.sender JOIN users r ON r.uid = m.recipient
  WHERE m.recipient = ? ORDER BY m.sent;
-- name: FromCity :many
SELECT m.mid, s.name, r.name FROM messages m JOIN users s ON s.uid = m.sender JOIN users r ON r.uid = m.recipient
  WHERE r.city = ? AND s.city = 'open';
-- name: CountByNames :one
SELECT COUNT(*) FROM messages m JOIN users s ON s.uid = m.sender JOIN users r ON r.uid = m.recipient WHERE s.name = ? AND r.name = ?;
-- name: Join :exec
INSERT INTO users (uid, name, city) VALUES (?, ?, ?);
-- name: Send :exec
INSERT INTO messages (mid, sender, recipient, body, sent) VALUES (?, ?, ?, ?, ?);
-- name: Rename :exec
UPDATE users SET name = ? WHERE uid = ?;
-- name: Move :exec
UPDATE users SET city = ? WHERE uid = ?;
-- name: Both :exec
UPDATE users SET city = ?, name = ? WHERE uid = ?;
-- name: Readdress :exec
UPDATE messages SET recipient = ?, body = ? WHERE mid = ?;
-- name: Turn :exec
UPDATE messages SET recipient = ?, sender = ? WHERE mid = ?;
-- name: Drop :exec
DELETE FROM messages WHERE mid = ?;
-- name: Leave :exec
DELETE FROM users WHERE uid = ?;
";

/// Bounds so small that everything is split.
fn tight() -> Options {
    let limits = Limits { partition_rows: 50.0, ..Limits::default() };
    Options { limits, ..Options::default() }
}

#[test]
fn messages() {
    for seed in 1..=5 {
        simulate(MESSAGES, &Options::default(), seed, 400);
        simulate(MESSAGES, &tight(), seed, 200);
        simulate(MESSAGES, &Options { rules_only: true, ..Options::default() }, seed, 200);
    }
}

/// Employees with their managers and those of these, in circles too.
const CHAIN: &str = "
CREATE TABLE employees (eid int PRIMARY KEY, name text NOT NULL, grade int, manager_id int REFERENCES employees);
-- name: ByTopName :many
SELECT e.eid, e.name, m.name, t.grade FROM employees e JOIN employees m ON m.eid = e.manager_id
  JOIN employees t ON t.eid = m.manager_id WHERE t.name = ? ORDER BY e.name;
-- name: ByNames :many
SELECT e.eid, m.grade FROM employees e JOIN employees m ON m.eid = e.manager_id WHERE e.name = ? AND m.name = ?;
-- name: ByName :many
SELECT e.eid, m.name, t.name FROM employees e JOIN employees m ON m.eid = e.manager_id
  JOIN employees t ON t.eid = m.manager_id WHERE e.name = ?;
-- name: Hire :exec
INSERT INTO employees (eid, name, grade, manager_id) VALUES (?, ?, ?, ?);
-- name: HireFirst :exec
INSERT INTO employees (eid, name, grade) VALUES (?, ?, ?);
-- name: Rename :exec
UPDATE employees SET name = ? WHERE eid = ?;
-- name: Regrade :exec
UPDATE employees SET grade = ? WHERE eid = ?;
-- name: Reassign :exec
UPDATE employees SET manager_id = ? WHERE eid = ?;
-- name: Fire :exec
DELETE FROM employees WHERE eid = ?;
";

#[test]
fn chain() {
    for seed in 1..=5 {
        simulate(CHAIN, &Options::default(), seed, 400);
        simulate(CHAIN, &Options { rules_only: true, ..Options::default() }, seed, 400);
    }
}

/// Pairs of videos of one user, each with itself too.
const PAIRS: &str = "
CREATE TABLE users (uid int PRIMARY KEY, name text);
CREATE TABLE videos (vid int PRIMARY KEY, uid int NOT NULL REFERENCES users, title text NOT NULL);
-- name: Pairs :many
SELECT a.vid, a.title, b.vid, b.title FROM users u JOIN videos a ON a.uid = u.uid JOIN videos b ON b.uid = u.uid WHERE u.uid = ?;
-- name: ByTitle :many
SELECT a.vid, b.vid, b.title FROM users u JOIN videos a ON a.uid = u.uid JOIN videos b ON b.uid = u.uid WHERE a.title = ?;
-- name: Counted :one
SELECT COUNT(*) FROM users u JOIN videos a ON a.uid = u.uid JOIN videos b ON b.uid = u.uid WHERE a.title = ?;
-- name: AddUser :exec
INSERT INTO users (uid, name) VALUES (?, ?);
-- name: AddVideo :exec
INSERT INTO videos (vid, uid, title) VALUES (?, ?, ?);
-- name: Retitle :exec
UPDATE videos SET title = ? WHERE vid = ?;
-- name: Move :exec
UPDATE videos SET uid = ? WHERE vid = ?;
-- name: Drop :exec
DELETE FROM videos WHERE vid = ?;
";

#[test]
fn pairs() {
    for seed in 1..=5 {
        simulate(PAIRS, &Options::default(), seed, 400);
    }
}
