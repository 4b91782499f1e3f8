-- Deleting a row makes the references to it null, which moves rows between tables.
-- @rows 100k
CREATE TABLE agents (
  id   uuid PRIMARY KEY,
  name text NOT NULL
);
-- @rows 1M
CREATE TABLE cases (
  id     uuid PRIMARY KEY,
  agent  uuid REFERENCES agents ON DELETE SET NULL,       -- @each 10 p99 50 max 200
  title  text NOT NULL,
  opened timestamp NOT NULL
);

-- name: CasesOf :many
-- @rate 100/s
SELECT id, title, opened FROM cases WHERE agent = ? ORDER BY opened DESC, id;

-- name: Case :one
-- @rate 100/s
SELECT agent, title, opened FROM cases WHERE id = ?;

-- name: Agent :one
-- @rate 100/s
SELECT name FROM agents WHERE id = ?;

-- name: AddAgent :exec
INSERT INTO agents (id, name) VALUES (?, ?);

-- name: AddCase :exec
-- @rate 10/s
INSERT INTO cases (id, agent, title, opened) VALUES (?, ?, ?, ?);

-- name: Assign :exec
-- @rate 10/s
UPDATE cases SET agent = ? WHERE id = ?;

-- name: DropAgent :exec
-- @rate 1/min
DELETE FROM agents WHERE id = ?;
