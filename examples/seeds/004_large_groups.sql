-- Seed 004, example 2, "one group with millions of users in it": a hash prefix spreads the users of a group over four partitions.
-- @keyspace groups

-- @rows 10M
CREATE TABLE users (
  username text PRIMARY KEY,                  -- @bytes 12
  email    text,                              -- @bytes 24
  age      int
);

-- @rows 500
CREATE TABLE groups (
  groupname text PRIMARY KEY
);

CREATE TABLE members (
  groupname text NOT NULL REFERENCES groups,  -- @each 50k p99 500k max 1.1M
  username  text NOT NULL REFERENCES users,   -- @each 3
  PRIMARY KEY (groupname, username)
);

-- name: UsersInGroup :many
-- @rate 5/s
SELECT u.username, u.email, u.age FROM members m JOIN users u ON u.username = m.username WHERE m.groupname = ?;

-- name: JoinGroup :exec
-- @rate 100k/day
INSERT INTO members (groupname, username) VALUES (?, ?);

-- name: ChangeAge :exec
-- @rate 10k/day
UPDATE users SET age = ? WHERE username = ?;
