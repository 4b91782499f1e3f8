-- Seed 003, "When Collections Are OK": 5 to 20 tags, 10 to 20 attributes, 5 to 10 images.
-- @keyspace shop

-- @rows 1M
CREATE TABLE products (
  product_id uuid PRIMARY KEY,
  name       text,
  tags       text[],  -- @items 10 @distinct 20k @set
  attributes hstore,  -- @items 15
  image_urls text[]   -- @items 7 @bytes 60
);

-- name: Product :one
-- @rate 1k/s
SELECT product_id, name, tags, attributes, image_urls FROM products WHERE product_id = ?;

-- name: AddProduct :exec
-- @rate 1k/day
INSERT INTO products (product_id, name, tags, attributes, image_urls) VALUES (?, ?, ?, ?, ?);
