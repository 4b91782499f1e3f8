-- Seed 004, example 3, when groups get too large: the newest users of a group, split by the date they joined.
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
  groupname text NOT NULL REFERENCES groups,  -- @each 200/day p99 20k/day max 80k/day
  username  text NOT NULL REFERENCES users,
  joined    uuid NOT NULL UNIQUE,             -- @time
  PRIMARY KEY (groupname, username)
);

-- name: NewestUsers :many
-- @rate 100/s
SELECT m.joined, u.username, u.email, u.age
FROM members m JOIN users u ON u.username = m.username
WHERE m.groupname = ? ORDER BY m.joined DESC LIMIT ?;

-- name: JoinGroup :exec
-- @rate 100k/day
INSERT INTO members (groupname, username, joined) VALUES (?, ?, ?);
