-- Seed 004, examples 2 and 3 with "one group with millions of users in it": a hash prefix spreads the users of a group over
-- several partitions, and the date of joining does for the newest users.
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

-- Members who have left stay in the statistics of the year, which is why groups have rows and a rate.
CREATE TABLE members (
  groupname text NOT NULL REFERENCES groups,  -- @each 50k p99 500k max 1.1M
  username  text NOT NULL REFERENCES users,   -- @each 3
  PRIMARY KEY (groupname, username)
);

-- @retain 1y
CREATE TABLE joins (
  groupname text NOT NULL REFERENCES groups,  -- @each 200/day p99 20k/day max 80k/day
  username  text NOT NULL REFERENCES users,   -- @each 3
  joined    uuid NOT NULL UNIQUE,             -- @time
  PRIMARY KEY (groupname, username)
);

-- name: UsersInGroup :many
-- @rate 5/s
SELECT u.username, u.email, u.age FROM members m JOIN users u ON u.username = m.username WHERE m.groupname = ?;

-- name: NewestUsers :many
-- @rate 100/s
SELECT j.joined, u.username, u.email, u.age
FROM joins j JOIN users u ON u.username = j.username
WHERE j.groupname = ? ORDER BY j.joined DESC LIMIT ?;

-- name: JoinGroup :exec
-- @rate 100k/day
INSERT INTO members (groupname, username) VALUES (?, ?);

-- name: RecordJoin :exec
-- @rate 100k/day
INSERT INTO joins (groupname, username, joined) VALUES (?, ?, ?);
