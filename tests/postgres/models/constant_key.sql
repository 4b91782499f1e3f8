-- A table of one row, whose key is a constant of the statement.
-- @rows 10
CREATE TABLE settings (
  id     bigint PRIMARY KEY,
  params text
);

-- name: Settings :one
SELECT params FROM settings WHERE id = 1;

-- name: PutSettings :exec
INSERT INTO settings (id, params) VALUES (1, $1)
ON CONFLICT (id) DO UPDATE SET params = excluded.params;
