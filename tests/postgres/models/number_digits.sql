-- Numbers of so many digits: rounded to the scale, halves away from zero, and refused beyond the precision.
CREATE DOMAIN percent AS numeric(5, 2) CHECK (VALUE >= 0 AND VALUE <= 100);

-- @rows 1M
CREATE TABLE prices (
  id        uuid PRIMARY KEY,
  shop      text NOT NULL,                            -- @distinct 10k
  amount    numeric(8, 2) NOT NULL,
  discount  percent NOT NULL DEFAULT 0.005,
  weight    numeric(6, 3),
  pieces    numeric(4),
  total     numeric(10, 1) GENERATED ALWAYS AS (amount * 2) STORED
);

-- name: Price :one
-- @rate 100/s
SELECT shop, amount, discount, weight, pieces, total FROM prices WHERE id = ?;

-- name: OfShop :many
-- @rate 100/s
SELECT id, amount, weight FROM prices WHERE shop = ? ORDER BY amount DESC, id;

-- name: Add :exec
-- @rate 10/s
INSERT INTO prices (id, shop, amount, weight, pieces) VALUES (?, ?, ?, ?, ?);

-- name: AddDiscounted :exec
-- @rate 10/s
INSERT INTO prices (id, shop, amount, discount) VALUES (?, ?, ?, ?);

-- name: SetAmount :exec
-- @rate 10/s
UPDATE prices SET amount = ?, weight = 1.0005 WHERE id = ?;

-- name: Raise :exec
-- @rate 10/s
UPDATE prices SET amount = amount + ? WHERE id = ?;
