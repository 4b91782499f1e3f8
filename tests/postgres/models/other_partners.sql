-- A row that refers to another row than before, or to one at all, gets other partners.
-- @rows 10k
CREATE TABLE roles (
  id   bigint PRIMARY KEY,
  name text NOT NULL
);
-- @rows 100k
CREATE TABLE grants (
  id     bigint PRIMARY KEY,
  role   bigint REFERENCES roles,                  -- @each 10 p99 20 max 50
  action text NOT NULL
);
-- @rows 1M
CREATE TABLE staff (
  id   bigint PRIMARY KEY,
  name text NOT NULL,
  role bigint REFERENCES roles                     -- @each 100 p99 200 max 500
);

-- name: Member :one
-- @rate 100/s
SELECT name, role FROM staff WHERE id = ?;

-- name: ActionsOf :many
-- @rate 1k/s
SELECT g.id, g.action FROM staff s JOIN roles r ON r.id = s.role JOIN grants g ON g.role = r.id WHERE s.id = ?;

-- name: Add :exec
INSERT INTO staff (id, name, role) VALUES (?, ?, ?);

-- name: Promote :exec
UPDATE staff SET role = ? WHERE id = ?;

-- name: Change :one
UPDATE staff SET name = COALESCE(?, name), role = COALESCE(?, role) WHERE id = ? RETURNING *;

-- name: Grant :exec
INSERT INTO grants (id, role, action) VALUES (?, ?, ?);

-- name: Revoke :exec
DELETE FROM grants WHERE id = ?;
