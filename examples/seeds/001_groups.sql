-- Seed 001, "Thinking in relational terms can cause problems": the users of a group, 1,000 in each. Normalised, the read costs
-- 1,002 partitions; in a table of its own, one.
-- @keyspace groups

-- @rows 10M
CREATE TABLE users (
  userid uuid PRIMARY KEY,
  name   text,
  email  text
);

-- @rows 100k
CREATE TABLE groups (
  groupname         text PRIMARY KEY,
  group_description text
);

CREATE TABLE user_groups (
  groupname text NOT NULL REFERENCES groups,  -- @each 1000
  userid    uuid NOT NULL REFERENCES users,   -- @each 10
  PRIMARY KEY (groupname, userid)
);

-- name: UsersInGroup :many
-- @rate 100/s
SELECT g.groupname, g.group_description, u.userid, u.name, u.email
FROM user_groups ug JOIN groups g ON g.groupname = ug.groupname JOIN users u ON u.userid = ug.userid
WHERE ug.groupname = ?;

-- name: JoinGroup :exec
-- @rate 100k/day
INSERT INTO user_groups (groupname, userid) VALUES (?, ?);

-- name: ChangeName :exec
-- @rate 1k/day
UPDATE users SET name = ? WHERE userid = ?;
