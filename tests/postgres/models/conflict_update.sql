-- INSERTs that change an existing row, whose copies lie elsewhere.
-- @rows 5M
CREATE TABLE presence (
  usr    uuid NOT NULL,
  device text NOT NULL,
  room   text,                                     -- @distinct 50k
  state  text NOT NULL,
  seen   timestamp NOT NULL,
  PRIMARY KEY (usr, device)
);

-- name: OfUser :many
-- @rate 500/s
SELECT device, room, state, seen FROM presence WHERE usr = ?;

-- name: InRoom :many
-- @rate 500/s
SELECT usr, device, state FROM presence WHERE room = ?;

-- name: InRoomByTime :many
-- @rate 100/s
SELECT usr, device, seen FROM presence WHERE room = ? ORDER BY seen DESC, usr, device LIMIT 10;

-- name: Report :exec
-- @rate 50/s
INSERT INTO presence (usr, device, room, state, seen) VALUES (?, ?, ?, ?, ?)
ON CONFLICT (usr, device) DO UPDATE SET room = EXCLUDED.room, state = excluded.state, seen = EXCLUDED.seen;

-- name: Away :exec
-- @rate 50/s
INSERT INTO presence (usr, device, state, seen) VALUES (?, ?, ?, ?)
ON CONFLICT (usr, device) DO UPDATE SET state = 'away', seen = excluded.seen;
