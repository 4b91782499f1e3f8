//! Models whose writes are simulated: each with what makes writes hard.

use super::simulate;
use crate::{Limits, Options};

/// Videos of users, by tag, latest, with duplicated and static names.
const VIDEOS: &str = "
CREATE TABLE users (userid uuid PRIMARY KEY, email text NOT NULL UNIQUE, firstname text, country text);
CREATE TABLE videos (videoid uuid PRIMARY KEY, userid uuid NOT NULL REFERENCES users, name text,
  tags text[], -- @items 5 @set
  status text NOT NULL, added_date timestamp NOT NULL, length int);
-- name: UserByEmail :one
SELECT userid, firstname FROM users WHERE email = ?;
-- name: LatestVideos :many
SELECT videoid, userid, name, added_date FROM videos ORDER BY added_date DESC LIMIT 20;
-- name: VideosByUser :many
SELECT v.videoid, v.name, v.added_date, u.firstname FROM videos v JOIN users u ON u.userid = v.userid
WHERE v.userid = ? ORDER BY v.added_date DESC LIMIT 20;
-- name: VideosByTag :many
SELECT v.videoid, v.name, v.tags, u.firstname FROM videos v JOIN users u ON u.userid = v.userid WHERE ? = ANY(v.tags);
-- name: OpenVideos :many
SELECT videoid, name FROM videos WHERE userid = ? AND status = 'open' ORDER BY added_date;
-- name: VideosByCountry :many
SELECT v.videoid, v.name FROM videos v JOIN users u ON u.userid = v.userid WHERE u.country = ?;
-- name: CountByUser :one
SELECT COUNT(*) FROM videos WHERE userid = ?;
-- name: LengthByStatus :one
SELECT SUM(length), COUNT(length) FROM videos WHERE status = ?;
-- name: Register :exec
INSERT INTO users (userid, email, firstname, country) VALUES (?, ?, ?, ?);
-- name: Add :exec
INSERT INTO videos (videoid, userid, name, tags, status, added_date, length) VALUES (?, ?, ?, ?, ?, ?, ?);
-- name: Add2 :exec
INSERT INTO videos (videoid, userid, name, status, added_date) VALUES (?, ?, ?, 'open', ?);
-- name: Rename :exec
UPDATE videos SET name = ? WHERE videoid = ?;
-- name: Tag :exec
UPDATE videos SET tags = array_append(tags, ?) WHERE videoid = ?;
-- name: Untag :exec
UPDATE videos SET tags = array_remove(tags, ?) WHERE videoid = ?;
-- name: SetTags :exec
UPDATE videos SET tags = ?, name = ? WHERE videoid = ?;
-- name: Close :exec
UPDATE videos SET status = 'closed' WHERE videoid = ? AND status = 'open';
-- name: SetStatus :exec
UPDATE videos SET status = ?, length = ? WHERE videoid = ?;
-- name: Move :exec
UPDATE videos SET userid = ?, added_date = ? WHERE videoid = ?;
-- name: TagAndMove :exec
UPDATE videos SET userid = ?, tags = array_append(tags, ?) WHERE videoid = ?;
-- name: RenameUser :exec
UPDATE users SET firstname = ?, country = ? WHERE userid = ?;
-- name: ChangeEmail :exec
UPDATE users SET email = ?, firstname = ? WHERE userid = ?;
-- name: RenameByEmail :exec
UPDATE users SET firstname = ? WHERE email = ?;
-- name: Delete :exec
DELETE FROM videos WHERE videoid = ?;
-- name: DeleteSome :exec
DELETE FROM videos WHERE videoid IN (?, ?);
-- name: DeleteOfUser :exec
DELETE FROM videos WHERE userid = ?;
-- name: DeleteUser :exec
DELETE FROM users WHERE userid = ?;
";

/// Bounds so small that everything is split.
fn tight() -> Options {
    let limits = Limits { partition_rows: 50.0, ..Limits::default() };
    Options { limits, ..Options::default() }
}

#[test]
fn videos() {
    for seed in 1..=20 {
        simulate(VIDEOS, &Options::default(), seed, 400);
    }
}

#[test]
fn videos_by_the_rules_alone() {
    for seed in 1..=10 {
        simulate(VIDEOS, &Options { rules_only: true, ..Options::default() }, seed, 400);
    }
}

#[test]
fn videos_in_buckets_and_shards() {
    for seed in 1..=10 {
        simulate(VIDEOS, &tight(), seed, 400);
    }
}
