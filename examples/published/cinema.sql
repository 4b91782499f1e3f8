-- Cinema reservations (a course on distributed processing): seats of a session, reservations of a customer.
-- @keyspace cinema

-- @rows 10k
CREATE TABLE movies (
  movie_id text PRIMARY KEY
);

CREATE TABLE sessions (
  movie_id   text NOT NULL REFERENCES movies,           -- @each 100 p99 1k max 5k
  session_id text NOT NULL,
  PRIMARY KEY (movie_id, session_id)
);

CREATE TABLE reservations (
  reservation_id text PRIMARY KEY,
  movie_id       text NOT NULL,
  session_id     text NOT NULL,
  seat_number    text NOT NULL,                         -- @bytes 4
  customer_name  text NOT NULL,                         -- @distinct 1M
  status         text NOT NULL,                         -- @distinct 2
  created_at     timestamp NOT NULL,
  updated_at     timestamp NOT NULL,
  UNIQUE (movie_id, session_id, seat_number),
  FOREIGN KEY (movie_id, session_id) REFERENCES sessions  -- @each 80 p99 300 max 500
);

-- name: ReservationsBySession :many
-- @rate 100/s
SELECT movie_id, session_id, seat_number, reservation_id, customer_name, status, created_at, updated_at
FROM reservations WHERE movie_id = ? AND session_id = ?;

-- name: ReservationById :one
-- @rate 50/s
SELECT reservation_id, movie_id, session_id, seat_number, customer_name, status, created_at, updated_at
FROM reservations WHERE reservation_id = ?;

-- name: ReservationsByCustomer :many
-- @rate 50/s
SELECT customer_name, reservation_id, movie_id, session_id, seat_number, status, created_at, updated_at
FROM reservations WHERE customer_name = ?;

-- name: Reserve :exec
-- @rate 20/s
INSERT INTO reservations (reservation_id, movie_id, session_id, seat_number, customer_name, status, created_at,
  updated_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?);

-- name: SetStatus :exec
-- @rate 5/s
UPDATE reservations SET status = ?, updated_at = ? WHERE reservation_id = ?;
