-- A small model to start from: replace its tables, queries and figures by those of your application.
--
-- Plain SQL of PostgreSQL: tables, foreign keys, and the statements of the application, each below a name
-- line. Comments with @ state what a database knows and SQL does not: how many rows there are, how many
-- belong together, how often a statement runs. What is not stated is assumed and listed.
--
--   helenus design app.sql       the tables, statements, sizes and reasons, and the proof
--   helenus help model           what a model can contain
--   helenus help directives      all directives

-- @keyspace app  @replication datacenter1:3  @nodes 6

-- @rows 1M
CREATE TABLE users (
  id      uuid PRIMARY KEY,
  email   text NOT NULL UNIQUE, -- @bytes 24
  name    text,
  joined  timestamp NOT NULL
);

-- @grows 100k/day
CREATE TABLE messages (
  id      uuid PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users, -- @each 100 p99 2k max 50k
  sent    timestamp NOT NULL,
  body    text NOT NULL -- @bytes 200
);

-- name: UserByEmail :one
-- @rate 50/s
SELECT id, name FROM users WHERE email = ?;

-- name: LatestMessagesOfUser :many
-- @rate 500/s  @after UserByEmail
SELECT id, sent, body FROM messages WHERE user_id = ? ORDER BY sent DESC LIMIT 20;

-- name: AddUser :exec
-- @rate 1k/day
INSERT INTO users (id, email, name, joined) VALUES (?, ?, ?, ?);

-- name: AddMessage :exec
-- @rate 100k/day
INSERT INTO messages (id, user_id, sent, body) VALUES (?, ?, ?, ?);
