-- A table without a key: rows may be alike, and each of them counts.
CREATE TABLE carts (id uuid PRIMARY KEY, owner text NOT NULL);

CREATE TABLE cart_items (
    cart_id uuid REFERENCES carts ON DELETE CASCADE,
    product text NOT NULL,
    quantity int DEFAULT 1
);

-- name: ItemsOfCart :many
SELECT * FROM cart_items WHERE cart_id = ?;

-- name: ItemsOfProduct :many
SELECT cart_id, quantity FROM cart_items WHERE product = ?;

-- name: CountItems :one
SELECT COUNT(*) FROM cart_items WHERE cart_id = ?;

-- name: AddCart :exec
INSERT INTO carts (id, owner) VALUES (?, ?);

-- name: AddItem :exec
INSERT INTO cart_items (cart_id, product) VALUES (?, ?);

-- name: AddItems :exec
INSERT INTO cart_items VALUES (?, ?, ?);

-- name: SetQuantity :exec
UPDATE cart_items SET quantity = ? WHERE cart_id = ? AND product = ?;

-- name: RemoveItem :exec
DELETE FROM cart_items WHERE cart_id = ? AND product = ?;

-- name: RemoveCart :exec
DELETE FROM carts WHERE id = ?;
