-- Columns that are computed from others, also as a key and in an order.
-- @rows 3M
CREATE TABLE lines (
  basket   uuid NOT NULL,
  item     integer NOT NULL,
  price    integer NOT NULL,
  pieces   integer NOT NULL,
  name     text NOT NULL,
  total    integer GENERATED ALWAYS AS (price * pieces) STORED,
  slug     text NOT NULL GENERATED ALWAYS AS (lower(name)) STORED,   -- @distinct 300k
  PRIMARY KEY (basket, item)
);

-- name: Lines :many
-- @rate 500/s
SELECT item, price, pieces, total, slug FROM lines WHERE basket = ?;

-- name: Dearest :many
-- @rate 50/s
SELECT item, total FROM lines WHERE basket = ? ORDER BY total DESC, item LIMIT 3;

-- name: BySlug :many
-- @rate 50/s
SELECT basket, item, name FROM lines WHERE slug = ?;

-- name: Add :exec
-- @rate 50/s
INSERT INTO lines (basket, item, price, pieces, name) VALUES (?, ?, ?, ?, ?);

-- name: Count :exec
-- @rate 50/s
UPDATE lines SET pieces = ? WHERE basket = ? AND item = ?;

-- name: Rename :exec
-- @rate 5/s
UPDATE lines SET name = ?, price = ? WHERE basket = ? AND item = ?;

-- name: Remove :exec
-- @rate 5/s
DELETE FROM lines WHERE basket = ? AND item = ?;
