-- Users who like items, as the experiments of NoSE have it after an article by eBay: every statement once a second; next to nothing grows.
-- @keyspace ebay

-- @rows 100  @grows 1/day
CREATE TABLE users (
  id       uuid PRIMARY KEY,
  name     text NOT NULL,                     -- @bytes 10
  email    text NOT NULL                      -- @bytes 10
);

-- @rows 1000  @grows 1/day
CREATE TABLE items (
  id       uuid PRIMARY KEY,
  title    text NOT NULL,                     -- @bytes 10
  description   text NOT NULL                      -- @bytes 10
);

-- @rows 10000  @grows 1/day
CREATE TABLE likes (
  id       uuid PRIMARY KEY,
  user_id  uuid NOT NULL REFERENCES users,
  item     uuid NOT NULL REFERENCES items,
  liked_at timestamp NOT NULL
);

-- name: User :one
-- @rate 1/s
SELECT id, name, email FROM users WHERE id = ?;

-- name: Item :one
-- @rate 1/s
SELECT id, title, description FROM items WHERE id = ?;

-- name: LikedByUser :many
-- @rate 1/s
SELECT i.id, i.title, i.description, l.liked_at FROM likes l JOIN items i ON i.id = l.item WHERE l.user_id = ? ORDER BY l.liked_at;

-- name: WhoLiked :many
-- @rate 1/s
SELECT u.id, u.name, u.email, l.liked_at FROM likes l JOIN users u ON u.id = l.user_id WHERE l.item = ? ORDER BY l.liked_at;

-- name: AddUser :exec
-- @rate 1/s
INSERT INTO users (id, name, email) VALUES (?, ?, ?);

-- name: AddItem :exec
-- @rate 1/s
INSERT INTO items (id, title, description) VALUES (?, ?, ?);

-- name: Like :exec
-- @rate 1/s
INSERT INTO likes (id, user_id, item, liked_at) VALUES (?, ?, ?, ?);
