-- Enums: other labels are refused.
CREATE TYPE mood AS ENUM ('calm', 'glad', 'it''s fine');
CREATE TYPE size AS ENUM ('s', 'm', 'l');

-- @rows 1M
CREATE TABLE shirts (
  id     uuid PRIMARY KEY,
  owner  text NOT NULL,                               -- @distinct 100k
  size   size NOT NULL DEFAULT 'm',
  mood   mood,
  sizes  size[] NOT NULL DEFAULT '{}'                 -- @items 2
);

-- name: Shirt :one
-- @rate 100/s
SELECT owner, size, mood, sizes FROM shirts WHERE id = ?;

-- name: OfSize :many
-- @rate 100/s
SELECT id, mood FROM shirts WHERE owner = ? AND size = ?;

-- name: Add :exec
-- @rate 10/s
INSERT INTO shirts (id, owner, size, mood) VALUES (?, ?, ?, ?);

-- name: AddPlain :exec
-- @rate 10/s
INSERT INTO shirts (id, owner) VALUES (?, ?);

-- name: SetMood :exec
-- @rate 10/s
UPDATE shirts SET mood = ? WHERE id = ?;

-- name: SetSize :exec
-- @rate 10/s
UPDATE shirts SET size = ?, mood = 'it''s fine' WHERE id = ?;
