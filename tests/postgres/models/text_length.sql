-- Types that limit the length of texts: longer ones are refused, shorter char(n) are padded and so not written.
-- @rows 200k
CREATE TABLE countries (
  code   char(2) PRIMARY KEY,
  name   varchar(40) NOT NULL,
  motto  character varying(12)
);

-- @rows 1M
CREATE TABLE people (
  id       uuid PRIMARY KEY,
  handle   varchar(8) NOT NULL,                       -- @distinct 500k
  country  char(2) NOT NULL REFERENCES countries,     -- @each 5000
  nick     varchar(3),
  shown    varchar(12) GENERATED ALWAYS AS (handle || '!') STORED
);

-- name: Country :one
-- @rate 100/s
SELECT name, motto FROM countries WHERE code = ?;

-- name: Person :one
-- @rate 100/s
SELECT handle, country, nick, shown FROM people WHERE id = ?;

-- name: ByHandle :many
-- @rate 100/s
SELECT id, nick FROM people WHERE handle = ?;

-- name: Join :exec
-- @rate 10/s
INSERT INTO people (id, handle, country, nick) VALUES (?, ?, ?, ?);

-- name: Rename :exec
-- @rate 10/s
UPDATE people SET handle = ?, nick = ? WHERE id = ?;

-- name: AddCountry :exec
-- @rate 1/s
INSERT INTO countries (code, name, motto) VALUES (?, ?, ?) ON CONFLICT (code) DO UPDATE SET name = excluded.name, motto = excluded.motto;
