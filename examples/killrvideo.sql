-- KillrVideo: people register, upload videos, tag, watch, rate and discuss them.
-- @keyspace killrvideo  @replication dc1:3  @nodes 6

-- @rows 10M  @grows 20k/day
CREATE TABLE users (
  userid       uuid PRIMARY KEY,
  email        text NOT NULL UNIQUE,            -- @bytes 24
  password     text NOT NULL,                   -- @bytes 60
  firstname    text,                            -- @bytes 8
  lastname     text,                            -- @bytes 10
  created_date timestamp NOT NULL
);

-- @rows 50M  @grows 100k/day
CREATE TABLE videos (
  videoid      uuid PRIMARY KEY,
  userid       uuid NOT NULL REFERENCES users,  -- @relation adds @each 5 p99 200 max 20k
  name         text NOT NULL,                   -- @bytes 40
  description  text,                            -- @bytes 400
  location     text NOT NULL,                   -- @bytes 60
  preview      text,                            -- @bytes 60
  tags         text[],                          -- @items 5 @distinct 200k @bytes 9 @set
  added_date   timestamp NOT NULL,
  views        bigint NOT NULL DEFAULT 0
);

-- @rows 2B  @grows 4M/day
CREATE TABLE comments (
  commentid    uuid PRIMARY KEY,                 -- @time
  videoid      uuid NOT NULL REFERENCES videos,  -- @relation features @each 40 p99 2k max 250k
  userid       uuid NOT NULL REFERENCES users,   -- @relation posts @each 200 p99 4k max 60k
  comment      text NOT NULL                     -- @bytes 120
);

-- @rows 5B  @grows 10M/day
CREATE TABLE ratings (
  videoid      uuid NOT NULL REFERENCES videos,  -- @relation receives @each 100 p99 5k max 200k
  userid       uuid NOT NULL REFERENCES users,   -- @relation gives @each 500 p99 5k max 50k
  rating       int NOT NULL,
  rated_date   timestamp NOT NULL,
  PRIMARY KEY (videoid, userid)
);

-- Signing in

-- name: Login :one
-- @rate 200/s
SELECT userid, password FROM users WHERE email = ?;

-- name: UserById :one
-- @rate 2k/s  @after Login, CommentsOfVideo, LatestVideos, VideosByTag
SELECT userid, email, firstname, lastname, created_date FROM users WHERE userid = ?;

-- Finding videos

-- name: LatestVideos :many
-- @rate 3k/s
SELECT videoid, userid, name, preview, added_date FROM videos ORDER BY added_date DESC LIMIT 20;

-- name: VideosByTag :many
-- @rate 1k/s
SELECT videoid, userid, name, preview, added_date FROM videos
WHERE ? = ANY(tags) ORDER BY added_date DESC LIMIT 20;

-- name: VideosByUser :many
-- @rate 800/s  @after UserById
SELECT v.videoid, v.name, v.preview, v.added_date, u.firstname, u.lastname
FROM videos v JOIN users u ON u.userid = v.userid
WHERE v.userid = ? ORDER BY v.added_date DESC LIMIT 20;

-- name: MoreVideosByUser :many
-- @rate 100/s  @after VideosByUser
SELECT videoid, name, preview, added_date FROM videos
WHERE userid = ? AND (added_date, videoid) < (?, ?) ORDER BY added_date DESC, videoid DESC LIMIT 20;

-- Watching one

-- name: VideoById :one
-- @rate 5k/s  @after LatestVideos, VideosByTag, VideosByUser
SELECT videoid, userid, name, description, location, preview, tags, added_date FROM videos WHERE videoid = ?;

-- name: ViewsOfVideo :one
-- @rate 5k/s  @after VideoById
SELECT views FROM videos WHERE videoid = ?;

-- name: RatingOfVideo :one
-- @rate 5k/s  @after VideoById
SELECT COUNT(*) AS num_ratings, AVG(rating) AS average FROM ratings WHERE videoid = ?;

-- name: MyRating :one
-- @rate 2k/s  @after VideoById
SELECT rating FROM ratings WHERE videoid = ? AND userid = ?;

-- name: CommentsOfVideo :many
-- @rate 4k/s  @after VideoById
SELECT c.commentid, c.userid, u.firstname, c.comment
FROM comments c JOIN users u ON u.userid = c.userid
WHERE c.videoid = ? ORDER BY c.commentid DESC LIMIT 50;

-- A user's own page

-- name: CommentsByUser :many
-- @rate 100/s  @after UserById
SELECT c.commentid, c.videoid, v.name, c.comment
FROM comments c JOIN videos v ON v.videoid = c.videoid
WHERE c.userid = ? ORDER BY c.commentid DESC LIMIT 50;

-- name: RatingsByUser :many
-- @rate 50/s  @after UserById
SELECT r.videoid, v.name, r.rating, r.rated_date
FROM ratings r JOIN videos v ON v.videoid = r.videoid
WHERE r.userid = ? ORDER BY r.rated_date DESC LIMIT 50;

-- What users do

-- name: Register :exec
-- @rate 20k/day  @strict
INSERT INTO users (userid, email, password, firstname, lastname, created_date) VALUES (?, ?, ?, ?, ?, ?);

-- name: ChangeEmail :exec
-- @rate 1k/day  @after UserById
UPDATE users SET email = ? WHERE userid = ?;

-- name: AddVideo :exec
-- @rate 100k/day  @after Login
INSERT INTO videos (videoid, userid, name, description, location, preview, tags, added_date)
VALUES (?, ?, ?, ?, ?, ?, ?, ?);

-- name: RenameVideo :exec
-- @rate 5k/day  @after VideosByUser
UPDATE videos SET name = ? WHERE videoid = ?;

-- name: AddTag :exec
-- @rate 10k/day  @after VideoById
UPDATE videos SET tags = array_append(tags, ?) WHERE videoid = ?;

-- name: RemoveVideo :exec
-- @rate 2k/day  @after VideosByUser
DELETE FROM videos WHERE videoid = ?;

-- name: PlayVideo :exec
-- @rate 5k/s  @after VideoById
UPDATE videos SET views = views + 1 WHERE videoid = ?;

-- name: RateVideo :exec
-- @rate 10M/day  @after VideoById
INSERT INTO ratings (videoid, userid, rating, rated_date) VALUES (?, ?, ?, ?);

-- name: CommentOnVideo :exec
-- @rate 4M/day  @after VideoById
INSERT INTO comments (commentid, videoid, userid, comment) VALUES (?, ?, ?, ?);

-- name: RemoveComment :exec
-- @rate 20k/day  @after CommentsByUser, CommentsOfVideo
DELETE FROM comments WHERE commentid = ?;
