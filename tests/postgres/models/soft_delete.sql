-- Soft deletes, claims, and references to nothing.
CREATE TABLE authors (
  id uuid PRIMARY KEY,
  name text NOT NULL,
  born int
);
CREATE TABLE posts (
  id uuid PRIMARY KEY,
  author_id uuid NOT NULL REFERENCES authors, -- @each 20
  editor_id uuid REFERENCES authors,
  title text NOT NULL,
  body text,
  created_at timestamp NOT NULL,
  deleted_at timestamp,
  locked_by text
);
-- name: PostsByAuthor :many
-- @rate 100/s
SELECT id, title, created_at FROM posts WHERE author_id = ? AND deleted_at IS NULL ORDER BY created_at DESC;
-- name: Trash :many
-- @rate 1/s
SELECT id, title, deleted_at FROM posts WHERE author_id = ? AND deleted_at IS NOT NULL ORDER BY deleted_at DESC;
-- name: Post :one
-- @rate 100/s
SELECT p.id, p.title, p.body, p.deleted_at, e.name AS editor, e.born FROM posts p LEFT JOIN authors e ON e.id = p.editor_id WHERE p.id = ?;
-- name: WithEditor :many
-- @rate 10/s
SELECT p.id, p.title, a.name AS author, e.name AS editor
FROM posts p JOIN authors a ON a.id = p.author_id LEFT JOIN authors e ON e.id = p.editor_id
WHERE p.author_id = ? AND p.deleted_at IS NULL ORDER BY p.title;
-- name: Unedited :many
-- @rate 2/s
SELECT p.id, p.title FROM posts p LEFT JOIN authors e ON e.id = p.editor_id WHERE p.author_id = ? AND e.id IS NULL;
-- name: AddAuthor :exec
INSERT INTO authors (id, name, born) VALUES (?, ?, ?);
-- name: RenameAuthor :exec
UPDATE authors SET name = ?, born = ? WHERE id = ?;
-- name: AddPost :exec
INSERT INTO posts (id, author_id, editor_id, title, body, created_at) VALUES (?, ?, ?, ?, ?, ?);
-- name: SoftDelete :exec
UPDATE posts SET deleted_at = ? WHERE id = ? AND deleted_at IS NULL;
-- name: Restore :exec
UPDATE posts SET deleted_at = NULL WHERE id = ?;
-- name: SetEditor :exec
UPDATE posts SET editor_id = ? WHERE id = ?;
-- name: ClearEditor :exec
UPDATE posts SET editor_id = NULL WHERE id = ?;
-- name: Retitle :exec
UPDATE posts SET title = ? WHERE id = ? AND deleted_at IS NULL;
-- name: Claim :exec
UPDATE posts SET locked_by = ? WHERE id = ? AND locked_by IS NULL;
-- name: Purge :exec
DELETE FROM posts WHERE id = ? AND deleted_at IS NOT NULL;
