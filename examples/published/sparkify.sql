-- Sparkify (Udacity, Data Engineering nanodegree): songs played in the sessions of a music service.
-- @keyspace sparkify

-- @rows 1M
CREATE TABLE users (
  user_id    int PRIMARY KEY,
  first_name text,
  last_name  text
);

-- an event of the log: a song that was heard
-- @rows 1B
CREATE TABLE plays (
  session_id      int NOT NULL,                         -- @distinct 100M
  item_in_session int NOT NULL,
  user_id         int NOT NULL REFERENCES users,        -- @each 1000 p99 10k max 50k
  artist          text,
  song            text NOT NULL,                        -- @distinct 1M
  length          real,
  PRIMARY KEY (session_id, item_in_session)
);

-- name: SongOfItem :one
-- @rate 100/s
SELECT session_id, item_in_session, artist, song, length FROM plays WHERE session_id = ? AND item_in_session = ?;

-- name: SongsOfSession :many
-- @rate 100/s
SELECT p.user_id, p.session_id, p.item_in_session, p.artist, p.song, u.first_name, u.last_name
FROM plays p JOIN users u ON u.user_id = p.user_id
WHERE p.user_id = ? AND p.session_id = ? ORDER BY p.item_in_session;

-- name: ListenersOfSong :many
-- @rate 10/s
SELECT DISTINCT p.song, p.user_id, u.first_name, u.last_name
FROM plays p JOIN users u ON u.user_id = p.user_id WHERE p.song = ?;

-- name: Play :exec
-- @rate 500/s
INSERT INTO plays (session_id, item_in_session, user_id, artist, song, length) VALUES (?, ?, ?, ?, ?, ?);
