-- A digital music library (DataStax Academy). A shop that plays music on several floors starts some 2,000 tracks a day.
-- @keyspace music

-- @rows 800k
CREATE TABLE performers (
  name    text PRIMARY KEY,
  type    text,
  country text,
  born    int,
  died    int,
  founded int
);

-- @rows 4M
CREATE TABLE albums (
  title     text NOT NULL,                        -- @distinct 3.5M
  year      int NOT NULL,                         -- @distinct 100
  performer text NOT NULL REFERENCES performers,  -- @each 5 p99 50 max 500
  genre     text NOT NULL,                        -- @distinct 20
  PRIMARY KEY (title, year)
);

CREATE TABLE tracks (
  album_title text NOT NULL,
  album_year  int NOT NULL,
  number      int NOT NULL,
  title       text NOT NULL,                         -- @distinct 30M
  length      int,
  PRIMARY KEY (album_title, album_year, number),
  FOREIGN KEY (album_title, album_year) REFERENCES albums  -- @each 12 p99 40 max 300
);

-- @rows 1M
CREATE TABLE users (
  id   uuid PRIMARY KEY,
  name text
);

CREATE TABLE plays (
  id          uuid NOT NULL REFERENCES users,        -- @each 20/day p99 1k/day max 2k/day
  timestamp   timestamp NOT NULL,
  album_title text NOT NULL,
  album_year  int NOT NULL,
  number      int NOT NULL,
  PRIMARY KEY (id, timestamp, album_title, album_year, number),
  FOREIGN KEY (album_title, album_year, number) REFERENCES tracks
);

-- name: Performer :one
SELECT name, type, country, born, died, founded FROM performers WHERE name = ?;

-- name: AlbumsByPerformer :many
SELECT title, year, genre FROM albums WHERE performer = ? ORDER BY year DESC;

-- name: AlbumsByTitle :many
SELECT title, year, performer, genre FROM albums WHERE title = ? ORDER BY year DESC;

-- name: AlbumByTitleAndYear :one
SELECT title, year, performer, genre FROM albums WHERE title = ? AND year = ?;

-- name: AlbumsByGenre :many
SELECT title, year, performer FROM albums WHERE genre = ? ORDER BY year DESC;

-- name: TracksByTitle :many
SELECT t.title, t.album_year, t.album_title, t.number, t.length, a.genre
FROM tracks t JOIN albums a ON a.title = t.album_title AND a.year = t.album_year
WHERE t.title = ? ORDER BY t.album_year DESC;

-- name: TracksByAlbum :many
SELECT t.number, t.title, t.length, a.genre
FROM tracks t JOIN albums a ON a.title = t.album_title AND a.year = t.album_year
WHERE t.album_title = ? AND t.album_year = ?;

-- name: User :one
SELECT id, name FROM users WHERE id = ?;

-- name: TracksByUser :many
SELECT p.timestamp, p.album_title, p.album_year, p.number, t.title, t.length
FROM plays p JOIN tracks t ON t.album_title = p.album_title AND t.album_year = p.album_year AND t.number = p.number
WHERE p.id = ? ORDER BY p.timestamp DESC LIMIT 50;

-- name: Play :exec
-- @rate 230/s
INSERT INTO plays (id, timestamp, album_title, album_year, number) VALUES (?, ?, ?, ?, ?);

-- name: AddAlbum :exec
-- @rate 100/day
INSERT INTO albums (title, year, performer, genre) VALUES (?, ?, ?, ?);

-- name: AddTrack :exec
-- @rate 1200/day
INSERT INTO tracks (album_title, album_year, number, title, length) VALUES (?, ?, ?, ?, ?);
