-- Shopping carts (DataStax Academy).
-- @keyspace carts

-- @rows 1M
CREATE TABLE users (
  user_id    uuid PRIMARY KEY,
  user_email text
);

CREATE TABLE carts (
  cart_id        uuid PRIMARY KEY,
  user_id        uuid NOT NULL REFERENCES users,  -- @each 3 p99 20 max 100
  cart_name      text NOT NULL,
  cart_is_active boolean NOT NULL,
  cart_subtotal  numeric
);

-- @rows 100k
CREATE TABLE items (
  id          uuid PRIMARY KEY,
  name        text NOT NULL,      -- @distinct 90k
  description text,
  price       numeric
);

CREATE TABLE cart_items (
  cart_id   uuid NOT NULL REFERENCES carts,  -- @each 5 p99 50 max 500
  timestamp timestamp NOT NULL,
  item_id   uuid NOT NULL REFERENCES items,
  quantity  int NOT NULL,
  PRIMARY KEY (cart_id, timestamp, item_id)
);

-- name: CartsByUser :many
-- @rate 100/s
SELECT c.cart_name, c.cart_id, c.cart_is_active, u.user_email
FROM carts c JOIN users u ON u.user_id = c.user_id
WHERE c.user_id = ? ORDER BY c.cart_name;

-- name: Item :one
-- @rate 500/s
SELECT id, name, description, price FROM items WHERE id = ?;

-- name: ItemsByName :many
-- @rate 10/s
SELECT id, name FROM items WHERE name = ?;

-- name: ItemsByCart :many
-- @rate 100/s  @after CartsByUser
SELECT i.timestamp, i.item_id, t.name AS item_name, t.description AS item_description, t.price AS item_price, i.quantity,
  c.cart_subtotal
FROM cart_items i JOIN items t ON t.id = i.item_id JOIN carts c ON c.cart_id = i.cart_id
WHERE i.cart_id = ? ORDER BY i.timestamp DESC;

-- name: NewCart :exec
-- @rate 100k/day
INSERT INTO carts (cart_id, user_id, cart_name, cart_is_active) VALUES (?, ?, ?, ?);

-- name: AddItem :exec
-- @rate 500k/day  @after ItemsByCart
INSERT INTO cart_items (cart_id, timestamp, item_id, quantity) VALUES (?, ?, ?, ?);

-- The subtotal changes only from what the reader saw: a conditional write.
-- name: SetSubtotal :exec
-- @rate 500k/day  @after ItemsByCart
UPDATE carts SET cart_subtotal = ? WHERE cart_id = ? AND cart_subtotal = ?;

-- name: RemoveItem :exec
-- @rate 50k/day  @after ItemsByCart
DELETE FROM cart_items WHERE cart_id = ? AND timestamp = ? AND item_id = ?;
