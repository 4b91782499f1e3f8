-- BetterReads (DataStax workshop): books, authors, and the books of a user by reading status.
-- @keyspace betterreads

-- @rows 7M
CREATE TABLE authors (
  author_id     text PRIMARY KEY,
  author_name   text,
  personal_name text
);

-- @rows 20M
CREATE TABLE books (
  id               text PRIMARY KEY,
  book_name        text,
  book_description text,
  published_date   date,
  cover_ids        text[],                              -- @items 2
  author_names     text[]                               -- @items 2
);

CREATE TABLE book_authors (
  book_id   text NOT NULL REFERENCES books,             -- @each 1.2 p99 5 max 50
  author_id text NOT NULL REFERENCES authors,           -- @each 3 p99 50 max 2k
  PRIMARY KEY (book_id, author_id)
);

-- @rows 1M
CREATE TABLE users (
  user_id text PRIMARY KEY
);

CREATE TABLE readings (
  user_id        text NOT NULL REFERENCES users,        -- @each 100 p99 2k max 10k
  book_id        text NOT NULL REFERENCES books,
  added          uuid NOT NULL,                         -- @time
  reading_status text NOT NULL,                         -- @distinct 3 @bytes 10
  rating         int,
  started_date   date,
  completed_date date,
  PRIMARY KEY (user_id, book_id)
);

-- name: AuthorById :one
-- @rate 100/s
SELECT author_id, author_name, personal_name FROM authors WHERE author_id = ?;

-- name: BookById :one
-- @rate 500/s
SELECT id, book_name, book_description, published_date, cover_ids, author_names FROM books WHERE id = ?;

-- name: ReadingOfBook :one
-- @rate 200/s  @after BookById
SELECT user_id, book_id, reading_status, rating, started_date, completed_date FROM readings
WHERE user_id = ? AND book_id = ?;

-- name: BooksByUser :many
-- @rate 200/s
SELECT r.user_id, r.reading_status, r.added, r.book_id, b.book_name, b.author_names, b.cover_ids, r.rating
FROM readings r JOIN books b ON b.id = r.book_id
WHERE r.user_id = ? ORDER BY r.reading_status, r.added DESC LIMIT 100;

-- name: AddReading :exec
-- @rate 20/s
INSERT INTO readings (user_id, book_id, added, reading_status, rating, started_date, completed_date)
VALUES (?, ?, ?, ?, ?, ?, ?);

-- name: SetStatus :exec
-- @rate 10/s
UPDATE readings SET reading_status = ?, completed_date = ? WHERE user_id = ? AND book_id = ?;
