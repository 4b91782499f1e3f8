-- KillrVideo as DS220 draws it: eleven queries over users, videos (of several kinds), encodings and actors.
-- @keyspace killrvideo

CREATE TYPE encoding_type AS (
  encoding text,
  height   int,
  width    int,
  bit_rates text
);

CREATE TABLE users (
  userid            uuid PRIMARY KEY,
  email             text NOT NULL UNIQUE,
  password          text,
  firstname         text,
  lastname          text,
  registration_date timestamp
);

CREATE TABLE videos (
  videoid            uuid PRIMARY KEY,
  userid             uuid NOT NULL REFERENCES users,
  uploaded_timestamp timestamp NOT NULL,
  title              text NOT NULL,
  description        text,
  type               text,
  url                text,
  encoding           encoding_type,
  tags               text[],        -- @items 5 @set
  preview_thumbnails hstore,        -- @items 20
  genres             text[],        -- @items 2 @set
  release_date       date,
  mpaa_rating        text
);

CREATE TABLE trailers (
  trailerid uuid PRIMARY KEY REFERENCES videos,
  videoid   uuid NOT NULL REFERENCES videos
);

CREATE TABLE actors (
  actor_name text PRIMARY KEY
);

CREATE TABLE comments (
  userid           uuid NOT NULL REFERENCES users,
  videoid          uuid NOT NULL REFERENCES videos,
  posted_timestamp timestamp NOT NULL,
  comment          text,
  PRIMARY KEY (userid, videoid, posted_timestamp)
);

CREATE TABLE ratings (
  userid  uuid NOT NULL REFERENCES users,
  videoid uuid NOT NULL REFERENCES videos,
  rating  int NOT NULL,
  PRIMARY KEY (userid, videoid)
);

CREATE TABLE interactions (
  userid          uuid NOT NULL REFERENCES users,
  videoid         uuid NOT NULL REFERENCES videos,
  event_timestamp timestamp NOT NULL,
  event_type      text,
  video_timestamp bigint,
  PRIMARY KEY (userid, videoid, event_timestamp)
);

CREATE TABLE features (
  videoid        uuid NOT NULL REFERENCES videos,
  actor_name     text NOT NULL REFERENCES actors,
  character_name text NOT NULL,
  PRIMARY KEY (videoid, actor_name, character_name)
);

-- name: UserByEmail :one
SELECT password, userid FROM users WHERE email = ?;

-- name: LatestVideos :many
-- @after UserByEmail
SELECT videoid, uploaded_timestamp, title, type, tags, preview_thumbnails FROM videos
ORDER BY uploaded_timestamp DESC LIMIT 20;

-- name: UserById :one
-- @after UserByEmail
SELECT userid, email, firstname, lastname, registration_date FROM users WHERE userid = ?;

-- name: VideosByUser :many
-- @after UserByEmail
SELECT videoid, uploaded_timestamp, title, type, tags, preview_thumbnails FROM videos
WHERE userid = ? ORDER BY uploaded_timestamp DESC;

-- name: CommentsByUser :many
-- @after UserByEmail, CommentsByVideo
SELECT c.posted_timestamp, c.videoid, c.comment, v.title, v.type, v.tags, v.preview_thumbnails
FROM comments c JOIN videos v ON v.videoid = c.videoid
WHERE c.userid = ? ORDER BY c.posted_timestamp DESC;

-- name: CommentsByVideo :many
-- @after LatestVideos, TrailersByVideo, InteractionsByUserAndVideo
SELECT c.posted_timestamp, c.userid, c.comment, v.title, v.type, v.tags, v.preview_thumbnails
FROM comments c JOIN videos v ON v.videoid = c.videoid
WHERE c.videoid = ? ORDER BY c.posted_timestamp DESC;

-- name: RatingOfVideo :one
-- @after LatestVideos, TrailersByVideo, InteractionsByUserAndVideo
SELECT AVG(rating) AS average FROM ratings WHERE videoid = ?;

-- name: VideoById :one
-- @after LatestVideos, TrailersByVideo, InteractionsByUserAndVideo
SELECT videoid, uploaded_timestamp, userid, title, description, type, url, encoding, tags, preview_thumbnails, genres,
  release_date, mpaa_rating
FROM videos WHERE videoid = ?;

-- name: TrailersByVideo :many
-- @after VideoById
SELECT t.trailerid, v.title, v.type, v.tags, v.preview_thumbnails
FROM trailers t JOIN videos v ON v.videoid = t.trailerid
WHERE t.videoid = ? ORDER BY v.title;

-- name: InteractionsByUserAndVideo :many
-- @after VideosByUser, CommentsByUser
SELECT event_timestamp, event_type, video_timestamp FROM interactions
WHERE userid = ? AND videoid = ? ORDER BY event_timestamp DESC;

-- name: ActorsByVideo :many
-- @after VideoById
SELECT actor_name, character_name FROM features WHERE videoid = ? ORDER BY actor_name;

-- name: Register :exec
-- @rate 1k/day  @strict
INSERT INTO users (userid, email, password, firstname, lastname, registration_date) VALUES (?, ?, ?, ?, ?, ?);

-- name: Upload :exec
-- @rate 1k/day
INSERT INTO videos (videoid, userid, uploaded_timestamp, title, description, type, url, encoding, tags, preview_thumbnails, genres,
  release_date, mpaa_rating)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?);

-- name: Comment :exec
-- @rate 1k/day
INSERT INTO comments (userid, videoid, posted_timestamp, comment) VALUES (?, ?, ?, ?);

-- name: Rate :exec
-- @rate 1k/day
INSERT INTO ratings (userid, videoid, rating) VALUES (?, ?, ?);
