-- A tree in one table: deleting a node deletes its children.
-- @rows 1M
CREATE TABLE folders (
  id     uuid PRIMARY KEY,
  parent uuid REFERENCES folders (id) ON DELETE CASCADE,   -- @each 3 p99 20 max 100
  name   text NOT NULL
);

-- name: Folder :one
-- @rate 100/s
SELECT parent, name FROM folders WHERE id = ?;

-- name: Children :many
-- @rate 100/s
SELECT id, name FROM folders WHERE parent = ? ORDER BY name, id;

-- name: Add :exec
-- @rate 10/s
INSERT INTO folders (id, parent, name) VALUES (?, ?, ?);

-- name: Remove :exec
-- @rate 1/s
DELETE FROM folders WHERE id = ?;
