//! The write paths of KillrVideo.

use super::{designed, plan_of, text};

const MODEL: &str = "
-- @rows 10M
CREATE TABLE users (
  userid       uuid PRIMARY KEY,
  email        text NOT NULL UNIQUE,        -- @bytes 24
  firstname    text,
  lastname     text,
  created_date timestamp
);

-- @rows 50M  @grows 100k/day
CREATE TABLE videos (
  videoid      uuid PRIMARY KEY,
  userid       uuid NOT NULL REFERENCES users,  -- @each 5 p99 200 max 20k
  name         text,
  tags         text[],                           -- @items 5 @distinct 200k @set
  added_date   timestamp NOT NULL
);

-- name: UserByEmail :one
-- @rate 200/s
SELECT userid, firstname FROM users WHERE email = ?;

-- name: LatestVideos :many
-- @rate 3k/s
SELECT videoid, userid, name, added_date FROM videos ORDER BY added_date DESC LIMIT 20;

-- name: VideosByUser :many
-- @rate 800/s  @after UserByEmail, LatestVideos
SELECT v.videoid, v.name, v.added_date, u.firstname
FROM videos v JOIN users u ON u.userid = v.userid
WHERE v.userid = ? ORDER BY v.added_date DESC LIMIT 20;

-- name: VideosByTag :many
SELECT videoid, name, tags, added_date FROM videos WHERE ? = ANY(tags);

-- name: RegisterUser :exec
INSERT INTO users (userid, email, firstname, lastname, created_date) VALUES (?, ?, ?, ?, ?);

-- name: AddVideo :exec
-- @rate 100k/day
INSERT INTO videos (videoid, userid, name, tags, added_date) VALUES (?, ?, ?, ?, ?);

-- name: RenameVideo :exec
UPDATE videos SET name = ? WHERE videoid = ?;

-- name: TagVideo :exec
UPDATE videos SET tags = array_append(tags, ?) WHERE videoid = ?;

-- name: SetTags :exec
UPDATE videos SET tags = ? WHERE videoid = ?;

-- name: RenameUser :exec
UPDATE users SET firstname = ? WHERE userid = ?;

-- name: ChangeEmail :exec
UPDATE users SET email = ? WHERE userid = ?;

-- name: DeleteVideo :exec
DELETE FROM videos WHERE videoid = ?;

-- name: DeleteUser :exec
DELETE FROM users WHERE userid = ?;
";

#[test]
fn print() {
    let (_, design) = designed(MODEL);
    for table in &design.tables {
        println!("{}", crate::schema::table(table));
    }
    for plan in &design.writes {
        println!("---");
        for line in text(plan) {
            println!("{line}");
        }
        println!("{plan:#?}");
    }
    let _ = plan_of(MODEL, "AddVideo");
    panic!();
}
