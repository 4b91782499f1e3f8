-- Seed 004, examples 2 and 3: all users of a group, and its newest users; groups of hundreds of users each.
-- @keyspace groups

-- @rows 1M
CREATE TABLE users (
  username text PRIMARY KEY,
  email    text,
  age      int
);

-- @rows 20k
CREATE TABLE groups (
  groupname text PRIMARY KEY
);

CREATE TABLE members (
  groupname text NOT NULL REFERENCES groups,  -- @each 300
  username  text NOT NULL REFERENCES users,   -- @each 6
  joined    uuid NOT NULL UNIQUE,             -- @time
  PRIMARY KEY (groupname, username)
);

-- name: UsersInGroup :many
-- @rate 100/s
SELECT u.username, u.email, u.age FROM members m JOIN users u ON u.username = m.username WHERE m.groupname = ?;

-- name: NewestUsers :many
-- @rate 100/s
SELECT m.joined, u.username, u.email, u.age
FROM members m JOIN users u ON u.username = m.username
WHERE m.groupname = ? ORDER BY m.joined DESC LIMIT ?;

-- name: JoinGroup :exec
-- @rate 10k/day
INSERT INTO members (groupname, username, joined) VALUES (?, ?, ?);

-- name: ChangeAge :exec
-- @rate 1k/day
UPDATE users SET age = ? WHERE username = ?;
