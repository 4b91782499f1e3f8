-- Order management (DataStax Academy): orders of a user by time, an order with its items, orders with an item, the
-- status history.
-- @keyspace orders

-- @rows 10M
CREATE TABLE users (
  user_id text PRIMARY KEY
);

-- @grows 1M/day
CREATE TABLE orders (
  order_id         text PRIMARY KEY,
  user_id          text NOT NULL REFERENCES users,      -- @each 40 p99 500 max 5k
  order_timestamp  timestamp NOT NULL,
  order_status     text NOT NULL,                       -- @distinct 6 @bytes 10
  order_subtotal   numeric,
  order_shipping   numeric,
  order_tax        numeric,
  order_total      numeric,
  payment_summary  text,
  payment_details  hstore,                              -- @items 5
  billing_summary  text,
  billing_details  hstore,                              -- @items 5
  shipping_summary text,
  shipping_details hstore,                              -- @items 5
  delivery_id      text,
  delivery_details hstore                               -- @items 5
);

-- @rows 1M
CREATE TABLE items (
  item_id          text PRIMARY KEY,
  item_name        text NOT NULL,
  item_description text
);

CREATE TABLE order_items (
  order_id      text NOT NULL REFERENCES orders,        -- @each 3 p99 20 max 200
  item_id       text NOT NULL REFERENCES items,
  item_price    numeric NOT NULL,
  item_quantity int NOT NULL,
  PRIMARY KEY (order_id, item_id)
);

CREATE TABLE order_statuses (
  order_id         text NOT NULL REFERENCES orders,     -- @each 6 p99 20 max 50
  status_timestamp timestamp NOT NULL,
  order_status     text NOT NULL,
  PRIMARY KEY (order_id, status_timestamp)
);

-- name: OrdersByUser :many
-- @rate 200/s
SELECT user_id, order_timestamp, order_id, order_status, order_total FROM orders
WHERE user_id = ? AND order_timestamp >= ? AND order_timestamp <= ? ORDER BY order_timestamp DESC;

-- name: OrderById :many
-- @rate 200/s  @after OrdersByUser
SELECT o.order_id, i.item_name, i.item_id, i.item_description, oi.item_price, oi.item_quantity, o.order_status,
  o.order_timestamp, o.order_subtotal, o.order_shipping, o.order_tax, o.order_total, o.payment_summary,
  o.payment_details, o.billing_summary, o.billing_details, o.shipping_summary, o.shipping_details, o.delivery_id,
  o.delivery_details
FROM order_items oi JOIN orders o ON o.order_id = oi.order_id JOIN items i ON i.item_id = oi.item_id
WHERE oi.order_id = ? ORDER BY i.item_name;

-- name: OrdersByUserAndItem :many
-- @rate 20/s
SELECT o.user_id, oi.item_id, o.order_timestamp, o.order_id
FROM order_items oi JOIN orders o ON o.order_id = oi.order_id
WHERE o.user_id = ? AND oi.item_id = ? ORDER BY o.order_timestamp DESC;

-- name: StatusHistory :many
-- @rate 50/s  @after OrderById
SELECT order_id, status_timestamp, order_status FROM order_statuses
WHERE order_id = ? ORDER BY status_timestamp DESC;

-- name: Order :exec
-- @rate 1M/day
INSERT INTO orders (order_id, user_id, order_timestamp, order_status, order_total) VALUES (?, ?, ?, ?, ?);

-- name: AddItem :exec
-- @rate 3M/day
INSERT INTO order_items (order_id, item_id, item_price, item_quantity) VALUES (?, ?, ?, ?);

-- name: SetStatus :exec
-- @rate 6M/day
INSERT INTO order_statuses (order_id, status_timestamp, order_status) VALUES (?, ?, ?);
