-- name: OrdersOfUser :many
SELECT * FROM orders WHERE user_id = @user_id ORDER BY id;
-- name: PlaceOrder :exec
INSERT INTO orders (id, user_id, total) VALUES ($1, $2, $3);
