-- Seed 001, KillrVideo: the ten steps of its workflow (figure 3) over its entities (figure 4).
-- @keyspace killrvideo

-- @rows 10M
CREATE TABLE users (
  userid       uuid PRIMARY KEY,
  email        text NOT NULL UNIQUE,
  password     text NOT NULL,
  firstname    text,
  lastname     text,
  created_date timestamp
);

-- @rows 50M  @grows 100k/day
CREATE TABLE videos (
  videoid                uuid PRIMARY KEY,
  userid                 uuid NOT NULL REFERENCES users,  -- @each 5 p99 200 max 20k
  name                   text,
  description            text,                            -- @bytes 300
  location               text,
  location_type          int,
  preview_image_location text,
  tags                   text[],                          -- @items 5 @distinct 200k @set
  added_date             timestamp NOT NULL
);

-- @rows 500M
CREATE TABLE comments (
  commentid uuid PRIMARY KEY,                 -- @time
  videoid   uuid NOT NULL REFERENCES videos,  -- @each 10 p99 500 max 50k
  userid    uuid NOT NULL REFERENCES users,   -- @each 50 p99 2k max 50k
  comment   text
);

-- @rows 500M
CREATE TABLE ratings (
  videoid    uuid NOT NULL REFERENCES videos,  -- @each 10 p99 500 max 50k
  userid     uuid NOT NULL REFERENCES users,   -- @each 50 p99 2k max 50k
  rating     int NOT NULL,
  rated_date timestamp NOT NULL,
  PRIMARY KEY (videoid, userid)
);

-- name: UserByEmail :one
-- @rate 200/s
SELECT password, userid FROM users WHERE email = ?;

-- name: UserById :one
-- @rate 500/s  @after UserByEmail, VideosByTag, LatestVideos, CommentsByVideo
SELECT userid, email, firstname, lastname, created_date FROM users WHERE userid = ?;

-- name: VideosByUser :many
-- @rate 200/s  @after UserById
SELECT videoid, name, preview_image_location, tags, added_date FROM videos
WHERE userid = ? ORDER BY added_date DESC;

-- name: RatingsByUser :many
-- @rate 50/s  @after UserById
SELECT r.videoid, r.rating, r.rated_date, v.name, v.preview_image_location
FROM ratings r JOIN videos v ON v.videoid = r.videoid
WHERE r.userid = ? ORDER BY r.rated_date DESC;

-- name: CommentsByUser :many
-- @rate 50/s  @after UserById
SELECT c.commentid, c.videoid, c.comment, v.name, v.preview_image_location
FROM comments c JOIN videos v ON v.videoid = c.videoid
WHERE c.userid = ? ORDER BY c.commentid DESC;

-- name: VideosByTag :many
-- @rate 300/s
SELECT videoid, userid, name, preview_image_location, added_date FROM videos
WHERE ? = ANY(tags) ORDER BY added_date DESC LIMIT 20;

-- name: LatestVideos :many
-- @rate 3k/s
SELECT videoid, userid, name, preview_image_location, added_date FROM videos ORDER BY added_date DESC LIMIT 12;

-- name: VideoById :one
-- @rate 4k/s  @after LatestVideos, VideosByTag
SELECT videoid, userid, name, description, location, location_type, preview_image_location, tags, added_date
FROM videos WHERE videoid = ?;

-- name: CommentsByVideo :many
-- @rate 3k/s  @after VideoById
SELECT commentid, userid, comment FROM comments WHERE videoid = ? ORDER BY commentid DESC;

-- name: RatingsByVideo :one
-- @rate 4k/s  @after VideoById
SELECT COUNT(*) AS num_ratings, SUM(rating) AS sum_ratings FROM ratings WHERE videoid = ?;

-- name: Register :exec
-- @rate 10k/day  @strict
INSERT INTO users (userid, email, password, firstname, lastname, created_date) VALUES (?, ?, ?, ?, ?, ?);

-- name: AddVideo :exec
-- @rate 100k/day
INSERT INTO videos (videoid, userid, name, description, location, location_type, preview_image_location, tags, added_date)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?);

-- The seed's logged batch: "a user wishes to change the name of a previously uploaded video".
-- name: RenameVideo :exec
-- @rate 2k/day  @after VideosByUser
UPDATE videos SET name = ? WHERE videoid = ?;

-- The seed's collection update: "add a tag".
-- name: AddTag :exec
-- @rate 2k/day  @after VideosByUser
UPDATE videos SET tags = array_append(tags, ?) WHERE videoid = ?;

-- name: CommentOnVideo :exec
-- @rate 1M/day  @after VideoById
INSERT INTO comments (commentid, videoid, userid, comment) VALUES (?, ?, ?, ?);

-- name: RateVideo :exec
-- @rate 1M/day  @after VideoById
INSERT INTO ratings (videoid, userid, rating, rated_date) VALUES (?, ?, ?, ?);
