//! The workflow.

use super::{model, read_errors};
use crate::concept::ClientValue;
use crate::id::{OutputId, ReadId};
use crate::workload::Supply;

const STEPS: &str = "
-- name: UserByEmail :one
-- @rate 1/s
SELECT userid, firstname FROM users WHERE email = ?;
-- name: VideosByUser :many
-- @rate 1/s @after UserByEmail
SELECT videoid, name, added FROM videos WHERE userid = ? AND (added, videoid) < (?, ?) LIMIT ?;
-- name: Comments :many
-- @rate 1/s @after VideosByUser, Replies
SELECT commentid, body FROM comments WHERE videoid = ?;
-- name: Replies :many
-- @rate 1/s @after Comments
SELECT commentid, reply_to FROM comments WHERE videoid = ? AND commentid = ? AND userid = ?;
-- name: Comment :exec
-- @rate 1/s @after Comments
INSERT INTO comments (videoid, commentid, userid, body, reply_to) VALUES (?, ?, ?, ?, ?);
-- name: Like :exec
-- @rate 1/s @after Comments
INSERT INTO likes (videoid, commentid, userid, at) VALUES (?, ?, ?, ?);
";

fn supplies(parameters: &[crate::workload::Parameter]) -> Vec<Supply> {
    parameters.iter().map(|parameter| parameter.supply).collect()
}

#[test]
fn earlier_steps_supply() {
    let file = model(STEPS);
    let [email, videos, comments, replies] = &file.workload.reads[..] else { panic!() };
    let step = |read, output| {
        let (read, output) = (ReadId::new(read), OutputId::new(output));
        Supply::Step { read, output }
    };
    assert_eq!(supplies(&email.parameters), [Supply::User]);
    // The user's id comes from the step before; the position from the page before.
    assert_eq!(supplies(&videos.parameters), [step(0, 0), step(1, 2), step(1, 0), Supply::User]);
    assert_eq!(supplies(&comments.parameters), [step(1, 0)]);
    // The steps before the step before count too; the nearest goes first.
    assert_eq!(supplies(&replies.parameters), [step(1, 0), step(2, 0), step(0, 0)]);
    assert_eq!(comments.after, [1, 3].map(ReadId::new));
}

#[test]
fn what_a_write_makes_and_what_it_needs() {
    let file = model(STEPS);
    let [comment, like] = &file.workload.writes[..] else { panic!() };
    let step = |read, output| {
        let (read, output) = (ReadId::new(read), OutputId::new(output));
        Supply::Step { read, output }
    };
    // What is new (the comment's id, its text) comes from the program; what is referred to must be
    // known.
    assert_eq!(
        supplies(&comment.parameters),
        [step(1, 0), Supply::User, step(0, 0), Supply::User, Supply::User]
    );
    // A foreign key is supplied by the key that it refers to.
    assert_eq!(supplies(&like.parameters), [step(1, 0), step(2, 0), step(0, 0), Supply::User]);
}

#[test]
fn what_nobody_supplies() {
    let file = model(
        "-- name: A :many\n-- @rate 1/s\nSELECT name FROM countries;
         -- name: B :many\n-- @rate 1/s @after A\nSELECT name FROM videos WHERE userid = ? AND day = ?;
         -- name: C :many\n-- @rate 1/s\nSELECT name FROM videos WHERE userid = ?;
         -- name: D :exec\n-- @rate 1/s @after A\nINSERT INTO videos (videoid, userid, name, day, added) VALUES (?, ?, ?, CURRENT_DATE, now());",
    );
    let reads = &file.workload.reads;
    assert_eq!(supplies(&reads[1].parameters), [Supply::Nobody, Supply::User]);
    assert_eq!(supplies(&reads[2].parameters), [Supply::User]);
    let write = &file.workload.writes[0];
    let (today, now) = (Supply::Client(ClientValue::Today), Supply::Client(ClientValue::Now));
    let supplied = [Supply::User, Supply::Nobody, Supply::User, today, now];
    assert_eq!(supplies(&write.parameters), supplied);
}

#[test]
fn unknown_steps() {
    let wrongs = read_errors(
        "-- name: Users :many\n-- @rate 1/s\nSELECT userid FROM users;
         -- name: Gone :exec\n-- @rate 1/s\nDELETE FROM users WHERE userid = ?;
         -- name: B :many\n-- @rate 1/s @after User, Gone, Elsewhere\nSELECT name FROM videos WHERE userid = ?;",
    );
    let found: Vec<(&str, &str, &str)> = wrongs
        .iter()
        .map(|it| (it.message.as_str(), it.underlined.as_str(), it.help.as_str()))
        .collect();
    assert_eq!(
        found,
        [
            ("query User does not exist", "User", "did you mean Users?"),
            ("Gone is a write", "Gone", "name a query"),
            ("query Elsewhere does not exist", "Elsewhere", "name a query of this file"),
        ]
    );
}
