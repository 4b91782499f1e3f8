-- The mapping patterns of hierarchies (DS220): a video is a TV show or a movie (disjoint: one type), or may be both (overlapping:
-- a set of types). Read as a whole, the supertype is one table, here as in SQL; a subtype that is read by itself is a table
-- whose key refers to its supertype's.
-- @keyspace patterns

CREATE TABLE videos (
  video_id    uuid PRIMARY KEY,
  title       text,
  season      int,
  episode     int,
  mpaa_rating text,
  type        text NOT NULL
);

CREATE TABLE overlapping_videos (
  video_id    uuid PRIMARY KEY,
  title       text,
  season      int,
  episode     int,
  mpaa_rating text,
  type        text[]           -- @items 2 @distinct 2 @set
);

CREATE TABLE trailers (
  video_id uuid PRIMARY KEY REFERENCES videos,
  seconds  int
);

-- name: VideoById :one
SELECT video_id, title, season, episode, mpaa_rating, type FROM videos WHERE video_id = ?;

-- name: OverlappingVideoById :one
SELECT video_id, title, season, episode, mpaa_rating, type FROM overlapping_videos WHERE video_id = ?;

-- name: TrailerById :one
SELECT v.video_id, v.title, t.seconds FROM trailers t JOIN videos v ON v.video_id = t.video_id WHERE t.video_id = ?;

-- name: AddVideo :exec
-- @rate 1k/day
INSERT INTO videos (video_id, title, season, episode, mpaa_rating, type) VALUES (?, ?, ?, ?, ?, ?);

-- name: AddTrailer :exec
-- @rate 1k/day
INSERT INTO trailers (video_id, seconds) VALUES (?, ?);
