-- Lists without duplicates, over what a key can list.
-- @rows 5M
CREATE TABLE plays (
  usr   uuid NOT NULL,
  album text NOT NULL,                             -- @distinct 10k
  track integer NOT NULL,                          -- @distinct 20
  at    timestamp NOT NULL,
  PRIMARY KEY (usr, album, track, at)
);

-- name: AlbumsOf :many
-- @rate 100/s
SELECT DISTINCT album FROM plays WHERE usr = ?;

-- name: TracksOf :many
-- @rate 100/s
SELECT album, track FROM plays WHERE usr = ? GROUP BY album, track;

-- name: Heard :many
-- @rate 100/s
SELECT track, at FROM plays WHERE usr = ? AND album = ? ORDER BY track, at;

-- name: Play :exec
-- @rate 50/s
INSERT INTO plays (usr, album, track, at) VALUES (?, ?, ?, ?);

-- name: Forget :exec
-- @rate 1/s
DELETE FROM plays WHERE usr = ? AND album = ? AND track = ? AND at = ?;
