-- Products by a list of ids, read one by one in parallel.
-- @keyspace shop_lists

-- @rows 1M
CREATE TABLE products (
  product_id uuid PRIMARY KEY,
  name       text NOT NULL,
  price      numeric
);

-- name: ProductsByIds :many
-- @rate 100/s  @returns 20
SELECT product_id, name, price FROM products WHERE product_id = ANY(?);

-- name: AddProduct :exec
-- @rate 1k/day
INSERT INTO products (product_id, name, price) VALUES (?, ?, ?);
