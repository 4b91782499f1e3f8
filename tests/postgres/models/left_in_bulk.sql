-- Writes of many rows whose joined row may be missing, and an order by what may be missing.
-- @rows 10k
CREATE TABLE shelves (
  id    uuid PRIMARY KEY,
  label text NOT NULL,
  floor integer
);
-- @rows 1M
CREATE TABLE books (
  id     uuid PRIMARY KEY,
  owner  text NOT NULL,                            -- @distinct 50k
  shelf  uuid REFERENCES shelves,                  -- @each 100 p99 300 max 1k
  title  text NOT NULL,
  rating integer,
  lost   timestamp
);

-- name: BooksOf :many
-- @rate 100/s
SELECT b.id, b.title, b.rating, s.label, s.floor FROM books b LEFT JOIN shelves s ON s.id = b.shelf
WHERE b.owner = ? ORDER BY COALESCE(s.label, ''), b.title, b.id;

-- name: Rated :many
-- @rate 100/s
SELECT b.id, b.title, s.label FROM books b LEFT JOIN shelves s ON s.id = b.shelf
WHERE b.owner = ? AND b.rating >= ? AND b.lost IS NULL ORDER BY b.rating DESC, b.id;

-- name: Lost :many
-- @rate 10/s
SELECT id, title FROM books WHERE owner = ? AND lost IS NOT NULL;

-- name: Loose :many
-- @rate 10/s
SELECT b.id, b.title FROM books b LEFT JOIN shelves s ON s.id = b.shelf WHERE b.owner = ? AND s.label IS NULL;

-- name: OnShelf :one
-- @rate 10/s
SELECT COUNT(*) AS books, MAX(b.rating) AS best FROM books b WHERE b.shelf = ? AND b.lost IS NULL;

-- name: Titles :many
-- @rate 10/s
SELECT DISTINCT b.title, s.label FROM books b JOIN shelves s ON s.id = b.shelf WHERE b.owner = ? ORDER BY b.title;

-- name: AddShelf :exec
INSERT INTO shelves (id, label, floor) VALUES (?, ?, ?);

-- name: Relabel :exec
-- @rate 1/h
UPDATE shelves SET label = ?, floor = ? WHERE id = ?;

-- name: Add :exec
-- @rate 10/s
INSERT INTO books (id, owner, shelf, title, rating) VALUES (?, ?, ?, ?, ?);

-- name: Rate :exec
-- @rate 10/s
UPDATE books SET rating = ? WHERE owner = ?;

-- name: Praise :exec
-- @rate 10/s
UPDATE books SET rating = rating + 1 WHERE id = ? AND rating IS NOT NULL;

-- name: Lose :exec
-- @rate 1/s
UPDATE books SET lost = ?, shelf = NULL WHERE id = ? AND lost IS NULL;

-- name: Find :exec
-- @rate 1/s
UPDATE books SET lost = NULL, shelf = ? WHERE id = ? AND lost IS NOT NULL;

-- name: Discard :exec
-- @rate 1/s
DELETE FROM books WHERE id = ? AND lost IS NOT NULL AND rating IS NULL;
