-- MyStatus (Matthew Brown, Learning Apache Cassandra): status updates, follows in both directions, the home timeline.
-- @keyspace my_status

-- @rows 1M
CREATE TABLE users (
  username           text PRIMARY KEY,
  email              text NOT NULL,
  encrypted_password bytea
);

CREATE TABLE follows (
  follower_username text NOT NULL REFERENCES users,     -- @each 50 p99 500 max 5k
  followed_username text NOT NULL REFERENCES users,     -- @each 50 p99 1k max 100k
  PRIMARY KEY (follower_username, followed_username)
);

CREATE TABLE status_updates (
  id       uuid PRIMARY KEY,                            -- @time
  username text NOT NULL REFERENCES users,              -- @each 300 p99 3k max 20k
  body     text NOT NULL                                -- @bytes 100
);

CREATE TABLE home_updates (
  timeline_username text NOT NULL REFERENCES users,           -- @each 5k p99 50k max 200k
  status_update_id  uuid NOT NULL REFERENCES status_updates,  -- @each 16 p99 500 max 100k
  PRIMARY KEY (timeline_username, status_update_id)
);

-- name: UserByName :one
-- @rate 200/s
SELECT username, email, encrypted_password FROM users WHERE username = ?;

-- name: StatusUpdates :many
-- @rate 200/s  @after UserByName
SELECT username, id, body FROM status_updates WHERE username = ? ORDER BY id DESC LIMIT 20;

-- name: StatusUpdatesOfMonth :many
-- @rate 20/s  @after UserByName
SELECT username, id, body FROM status_updates WHERE username = ? AND id >= ? AND id < ? ORDER BY id DESC;

-- name: Following :many
-- @rate 50/s
SELECT follower_username, followed_username FROM follows WHERE follower_username = ?;

-- name: Followers :many
-- @rate 50/s
SELECT followed_username, follower_username FROM follows WHERE followed_username = ?;

-- name: Home :many
-- @rate 500/s
SELECT h.timeline_username, h.status_update_id, s.username, s.body
FROM home_updates h JOIN status_updates s ON s.id = h.status_update_id
WHERE h.timeline_username = ? ORDER BY h.status_update_id DESC LIMIT 20;

-- name: Update :exec
-- @rate 20/s
INSERT INTO status_updates (id, username, body) VALUES (?, ?, ?);

-- name: Deliver :exec
-- @rate 1k/s
INSERT INTO home_updates (timeline_username, status_update_id) VALUES (?, ?);

-- name: Follow :exec
-- @rate 5/s
INSERT INTO follows (follower_username, followed_username) VALUES (?, ?);
