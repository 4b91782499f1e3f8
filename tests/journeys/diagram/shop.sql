-- @keyspace shop

CREATE TYPE address AS (
  street text,
  city   text
);

-- @rows 1M
CREATE TABLE customers (
  customer_id uuid PRIMARY KEY,
  email       text NOT NULL UNIQUE,
  name        text,
  home        address,
  referrer    uuid REFERENCES customers
);

-- @rows 20k
CREATE TABLE products (
  sku  text PRIMARY KEY,
  name text,
  tags text[]                      -- @items 3 @distinct 500 @set
);

-- @rows 10M
CREATE TABLE orders (
  order_id    uuid PRIMARY KEY,
  customer_id uuid NOT NULL REFERENCES customers,   -- @each 10 p99 200 max 2k
  placed      timestamp NOT NULL,
  total       numeric
);

-- @rows 30M
CREATE TABLE order_lines (
  order_id uuid NOT NULL REFERENCES orders,         -- @each 3 p99 20 max 100
  sku      text NOT NULL REFERENCES products,
  quantity int,
  PRIMARY KEY (order_id, sku)
);

-- name: CustomerByEmail :one
-- @rate 50/s
SELECT customer_id, name, home FROM customers WHERE email = ?;

-- name: OrdersOfCustomer :many
-- @rate 200/s  @after CustomerByEmail
SELECT order_id, placed, total FROM orders WHERE customer_id = ? ORDER BY placed DESC LIMIT 20;

-- name: LinesOfOrder :many
-- @rate 100/s  @after OrdersOfCustomer
SELECT l.sku, p.name, l.quantity FROM order_lines l JOIN products p ON p.sku = l.sku WHERE l.order_id = ?;
