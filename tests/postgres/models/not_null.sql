-- Columns that must have a value; values that are null are refused.
-- @rows 1M
CREATE TABLE people (
  id     bigint PRIMARY KEY,
  name   text NOT NULL,
  city   text,                                     -- @distinct 1k
  born   date,
  phone  text
);
ALTER TABLE people ALTER COLUMN phone SET NOT NULL;

-- name: Person :one
-- @rate 100/s
SELECT name, city, born, phone FROM people WHERE id = ?;

-- name: OfCity :many
-- @rate 100/s
SELECT id, name, phone FROM people WHERE city = ?;

-- name: Add :exec
-- @rate 10/s
INSERT INTO people (id, name, city, born, phone) VALUES (?, ?, ?, ?, ?);

-- name: Change :exec
-- @rate 10/s
UPDATE people SET name = ?, city = ?, phone = ? WHERE id = ?;

-- name: Forget :exec
-- @rate 1/s
UPDATE people SET city = NULL, born = NULL WHERE id = ?;
