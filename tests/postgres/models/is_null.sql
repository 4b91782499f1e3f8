-- Rows that are live until they have a date, and their opposite.
-- @rows 5M
CREATE TABLE posts (
  id       uuid PRIMARY KEY,
  author   text NOT NULL,                          -- @distinct 100k
  title    text NOT NULL,
  posted   timestamp NOT NULL,
  deleted  timestamp,
  reviewer text
);

-- name: Live :many
-- @rate 500/s
SELECT id, title, posted FROM posts WHERE author = ? AND deleted IS NULL ORDER BY posted DESC, id LIMIT 20;

-- name: Deleted :many
-- @rate 10/s
SELECT id, title, deleted FROM posts WHERE author = ? AND deleted IS NOT NULL;

-- name: ToReview :many
-- @rate 10/s
SELECT id, title FROM posts WHERE author = ? AND reviewer IS NULL AND deleted IS NULL;

-- name: Post :one
-- @rate 500/s
SELECT author, title, posted, deleted, reviewer FROM posts WHERE id = ?;

-- name: Add :exec
-- @rate 10/s
INSERT INTO posts (id, author, title, posted) VALUES (?, ?, ?, ?);

-- name: Delete :exec
-- @rate 10/s
UPDATE posts SET deleted = ? WHERE id = ?;

-- name: DeleteOnce :exec
-- @rate 10/s
UPDATE posts SET deleted = ? WHERE id = ? AND deleted IS NULL;

-- name: Restore :exec
-- @rate 10/s
UPDATE posts SET deleted = NULL WHERE id = ?;

-- name: Review :exec
-- @rate 10/s
UPDATE posts SET reviewer = ? WHERE id = ?;
