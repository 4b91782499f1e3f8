-- Deleting a row makes the references to it refer to a row that is always there.
-- @rows 1k
CREATE TABLE shelves (
  id   integer PRIMARY KEY,
  room text NOT NULL
);
-- @rows 100k
CREATE TABLE books (
  id    uuid PRIMARY KEY,
  shelf integer NOT NULL DEFAULT 0 REFERENCES shelves (id) ON DELETE SET DEFAULT,   -- @each 20 p99 50 max 200
  title text NOT NULL
);

-- name: BooksOnShelf :many
-- @rate 100/s
SELECT id, title FROM books WHERE shelf = ?;

-- name: Book :one
-- @rate 100/s
SELECT shelf, title FROM books WHERE id = ?;

-- name: AddShelf :exec
INSERT INTO shelves (id, room) VALUES (?, ?);

-- name: AddBook :exec
-- @rate 10/s
INSERT INTO books (id, shelf, title) VALUES (?, ?, ?);

-- name: DropShelf :exec
-- @rate 1/min
DELETE FROM shelves WHERE id = ?;
