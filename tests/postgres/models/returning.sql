-- Writes that return what they wrote.
-- @rows 1M
CREATE TABLE orders (
  id     uuid PRIMARY KEY,
  buyer  text NOT NULL,                            -- @distinct 100k
  state  text NOT NULL DEFAULT 'new',
  total  integer NOT NULL
);

-- name: OrdersOf :many
-- @rate 100/s
SELECT id, state, total FROM orders WHERE buyer = ?;

-- name: Order :one
-- @rate 100/s
SELECT buyer, state, total FROM orders WHERE id = ?;

-- name: Add :one
-- @rate 10/s
INSERT INTO orders (id, buyer, total) VALUES (?, ?, ?) RETURNING *;

-- name: Pay :one
-- @rate 10/s
UPDATE orders SET state = 'paid' WHERE id = ? RETURNING id, state, total;

-- name: Remove :one
-- @rate 10/s
DELETE FROM orders WHERE id = ? RETURNING buyer, total AS amount;
