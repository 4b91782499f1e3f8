-- @replication dc1:3 @nodes 6
-- @rows 1M @grows 1k/day
CREATE TABLE events (
  id       uuid PRIMARY KEY,
  room     text NOT NULL,   -- @distinct 10k @bytes 20
  position bigint,
  body     varchar(200)     -- @bytes 80
);
-- name: Timeline :many
-- @rate 100/s
SELECT id, body FROM events WHERE room = ? ORDER BY position DESC LIMIT 10;
-- name: Send :exec
-- @rate 10/s
INSERT INTO events (id, room, body) VALUES (?, ?, ?);
-- name: Place :exec
-- @rate 10/s
UPDATE events SET position = ? WHERE id = ?;
