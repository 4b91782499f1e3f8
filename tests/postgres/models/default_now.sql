-- Defaults and values that are the time of the statement.
-- @rows 5M
CREATE TABLE tickets (
  id       uuid PRIMARY KEY,
  queue    text NOT NULL,                          -- @distinct 10k
  subject  text NOT NULL,
  opened   timestamp NOT NULL DEFAULT now(),
  touched  timestamptz NOT NULL DEFAULT CURRENT_TIMESTAMP,
  day      date NOT NULL DEFAULT CURRENT_DATE,
  closed   timestamp
);

-- name: Ticket :one
-- @rate 300/s
SELECT queue, subject, opened, touched, day, closed FROM tickets WHERE id = ?;

-- name: NewestOfQueue :many
-- @rate 300/s
SELECT id, subject, opened FROM tickets WHERE queue = ? ORDER BY opened DESC, id LIMIT 20;

-- name: OfDay :many
-- @rate 10/s
SELECT id, subject FROM tickets WHERE queue = ? AND day = ?;

-- name: Open :exec
-- @rate 50/s
INSERT INTO tickets (id, queue, subject) VALUES (?, ?, ?);

-- name: OpenAt :exec
-- @rate 5/s
INSERT INTO tickets (id, queue, subject, opened, touched, day) VALUES (?, ?, ?, ?, ?, ?);

-- name: Touch :exec
-- @rate 50/s
UPDATE tickets SET touched = now() WHERE id = ?;

-- name: Close :exec
-- @rate 50/s
UPDATE tickets SET closed = current_timestamp, touched = CURRENT_TIMESTAMP WHERE id = ?;
