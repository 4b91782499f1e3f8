-- @keyspace notes  @replication dc1:3  @nodes 6

-- @rows 1M
CREATE TABLE users (
  userid uuid PRIMARY KEY,
  email  text NOT NULL UNIQUE,  -- @bytes 24
  name   text NOT NULL
);

-- @rows 200M
CREATE TABLE notes (
  noteid  uuid PRIMARY KEY,
  userid  uuid NOT NULL REFERENCES users,  -- @each 3/day p99 100/day max 2k/day
  title   text NOT NULL,
  written timestamp NOT NULL
);

-- name: UserByEmail :one
-- @rate 200/s
SELECT userid, name FROM users WHERE email = ?;

-- name: NotesOfUser :many
-- @rate 500/s  @after UserByEmail
SELECT noteid, title, written FROM notes WHERE userid = ? ORDER BY written DESC LIMIT 20;

-- name: NoteCount :one
-- @rate 20/s  @after UserByEmail
SELECT COUNT(*) AS notes FROM notes WHERE userid = ?;

-- name: Register :exec
-- @rate 2k/day
INSERT INTO users (userid, email, name) VALUES (?, ?, ?);

-- name: WriteNote :exec
-- @rate 35/s
INSERT INTO notes (noteid, userid, title, written) VALUES (?, ?, ?, ?);

-- name: RenameNote :exec
-- @rate 1/s
UPDATE notes SET title = ? WHERE noteid = ?;
