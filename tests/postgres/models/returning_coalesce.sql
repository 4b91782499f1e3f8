-- A conditional UPDATE that sets nothing where all its values are null, and returns its row nevertheless.
-- @rows 1M
CREATE TABLE reviews (
  id      uuid PRIMARY KEY,
  author  text NOT NULL,                           -- @distinct 100k
  rating  numeric(2, 1) NOT NULL,
  comment text NOT NULL DEFAULT '',
  CHECK (rating BETWEEN 1 AND 5)
);

-- name: Review :one
-- @rate 100/s
SELECT author, rating, comment FROM reviews WHERE id = ?;

-- name: ByAuthor :many
-- @rate 100/s
SELECT id, rating FROM reviews WHERE author = ?;

-- name: Add :exec
-- @rate 10/s
INSERT INTO reviews (id, author, rating, comment) VALUES (?, ?, ?, ?);

-- name: Change :one
-- @rate 10/s
UPDATE reviews SET rating = COALESCE(?, rating), comment = COALESCE(?, comment)
WHERE id = ? AND author = ? RETURNING *;

-- name: Comment :exec
-- @rate 10/s
UPDATE reviews SET comment = COALESCE(?, comment) WHERE id = ? AND author = ?;
