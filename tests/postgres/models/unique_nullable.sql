-- A key that may be null: nulls do not clash.
-- @rows 1M
CREATE TABLE devices (
  id      uuid PRIMARY KEY,
  serial  text UNIQUE,
  owner   text NOT NULL,                           -- @distinct 100k
  slot    integer,
  UNIQUE (owner, slot)
);

-- name: Device :one
-- @rate 100/s
SELECT serial, owner, slot FROM devices WHERE id = ?;

-- name: BySerial :one
-- @rate 100/s
SELECT id, owner FROM devices WHERE serial = ?;

-- name: AtSlot :one
-- @rate 100/s
SELECT id, serial FROM devices WHERE owner = ? AND slot = ?;

-- name: Add :exec
-- @rate 10/s
INSERT INTO devices (id, serial, owner, slot) VALUES (?, ?, ?, ?);

-- name: Relabel :exec
-- @rate 10/s
UPDATE devices SET serial = ? WHERE id = ?;

-- name: Free :exec
-- @rate 10/s
UPDATE devices SET slot = NULL WHERE id = ?;
