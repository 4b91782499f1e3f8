-- Several results of one name: a row beside the row of its own table that it refers to.
-- @rows 2M
CREATE TABLE folders (
  id      uuid PRIMARY KEY,
  name    text NOT NULL,
  owner   text NOT NULL,                           -- @distinct 100k
  parent  uuid REFERENCES folders (id) ON DELETE SET NULL  -- @each 5 p99 50 max 500
);

-- name: FolderWithParent :one
-- @rate 500/s
SELECT a.id, a.name, a.parent, b.id, b.name, b.parent
FROM folders a LEFT JOIN folders b ON b.id = a.parent WHERE a.id = ?;

-- name: OfOwner :many
-- @rate 100/s
SELECT a.id, a.name, b.id, b.name FROM folders a JOIN folders b ON b.id = a.parent WHERE a.owner = ?;

-- name: Add :exec
-- @rate 10/s
INSERT INTO folders (id, name, owner, parent) VALUES (?, ?, ?, ?);

-- name: Move :exec
-- @rate 10/s
UPDATE folders SET parent = ?, name = ? WHERE id = ?;

-- name: Remove :exec
-- @rate 10/s
DELETE FROM folders WHERE id = ?;
