-- A row that others refer to cannot be deleted: RESTRICT, NO ACTION and no word at all.
-- @rows 10k
CREATE TABLE countries (
  code text PRIMARY KEY,
  name text NOT NULL
);
-- @rows 100k
CREATE TABLE towns (
  id      uuid PRIMARY KEY,
  country text NOT NULL REFERENCES countries (code) ON DELETE RESTRICT ON UPDATE RESTRICT,   -- @each 10 p99 50 max 200
  name    text NOT NULL
);
-- @rows 100k
CREATE TABLE flags (
  id      uuid PRIMARY KEY,
  country text NOT NULL REFERENCES countries (code) ON DELETE NO ACTION,   -- @each 2 p99 5 max 20
  colours text NOT NULL
);
-- @rows 100k
CREATE TABLE streets (
  id   uuid PRIMARY KEY,
  town uuid REFERENCES towns,   -- @each 10 p99 50 max 200
  name text NOT NULL
);

-- name: Country :one
-- @rate 100/s
SELECT name FROM countries WHERE code = ?;

-- name: Towns :many
-- @rate 100/s
SELECT id, name FROM towns WHERE country = ?;

-- name: Flags :many
-- @rate 100/s
SELECT id, colours FROM flags WHERE country = ?;

-- name: Streets :many
-- @rate 100/s
SELECT id, name FROM streets WHERE town = ?;

-- name: AddCountry :exec
INSERT INTO countries (code, name) VALUES (?, ?);

-- name: AddTown :exec
INSERT INTO towns (id, country, name) VALUES (?, ?, ?);

-- name: DropCountry :exec
-- @strict
DELETE FROM countries WHERE code = ?;

-- name: DropTown :exec
-- @strict
DELETE FROM towns WHERE id = ?;

-- name: DropFlag :exec
DELETE FROM flags WHERE id = ?;
