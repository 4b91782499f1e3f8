-- Seed 003, "Large IN Clauses" and "Over-Normalization": an order with its products, and an order with its user and address.
-- @keyspace shop

-- @rows 1M
CREATE TABLE users (
  user_id  uuid PRIMARY KEY,
  username text,
  email    text
);

CREATE TABLE addresses (
  address_id uuid PRIMARY KEY,
  user_id    uuid NOT NULL REFERENCES users,  -- @each 2
  street     text,
  city       text,
  country    text
);

-- @rows 100k
CREATE TABLE products (
  product_id uuid PRIMARY KEY,
  name       text,
  price      numeric
);

-- @grows 50k/day
CREATE TABLE orders (
  order_id            uuid PRIMARY KEY,
  user_id             uuid NOT NULL REFERENCES users,      -- @each 20
  shipping_address_id uuid NOT NULL REFERENCES addresses,
  total               numeric,
  created_at          timestamp
);

CREATE TABLE order_items (
  order_id   uuid NOT NULL REFERENCES orders,    -- @each 4 p99 40 max 500
  product_id uuid NOT NULL REFERENCES products,  -- @each 800 p99 20k max 200k
  quantity   int,
  PRIMARY KEY (order_id, product_id)
);

-- name: OrderWithProducts :many
-- @rate 200/s
SELECT i.product_id, p.name AS product_name, p.price AS product_price, i.quantity
FROM order_items i JOIN products p ON p.product_id = i.product_id
WHERE i.order_id = ?;

-- name: OrderWithDetails :one
-- @rate 200/s
SELECT o.order_id, o.user_id, u.username AS user_name, u.email AS user_email, a.street AS shipping_street,
  a.city AS shipping_city, a.country AS shipping_country, o.total, o.created_at
FROM orders o JOIN users u ON u.user_id = o.user_id JOIN addresses a ON a.address_id = o.shipping_address_id
WHERE o.order_id = ?;

-- name: PlaceOrder :exec
-- @rate 50k/day
INSERT INTO orders (order_id, user_id, shipping_address_id, total, created_at) VALUES (?, ?, ?, ?, ?);

-- name: AddItem :exec
-- @rate 200k/day
INSERT INTO order_items (order_id, product_id, quantity) VALUES (?, ?, ?);
