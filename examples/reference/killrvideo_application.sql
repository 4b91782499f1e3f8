-- KillrVideo as its application for Cassandra 3 runs it: the queries and writes that its service issues.
-- @keyspace killrvideo

CREATE TABLE users (
  userid       uuid PRIMARY KEY,
  firstname    text,
  lastname     text,
  email        text NOT NULL UNIQUE,
  password     text NOT NULL,
  created_date timestamp
);

-- @grows 100k/day
CREATE TABLE videos (
  videoid                uuid PRIMARY KEY,
  userid                 uuid NOT NULL REFERENCES users,
  name                   text,
  description            text,
  location               text,
  location_type          int,
  preview_image_location text,
  tags                   text[],  -- @items 5 @set
  added_date             timestamp NOT NULL,
  views                  bigint NOT NULL DEFAULT 0
);

CREATE TABLE ratings (
  videoid uuid NOT NULL REFERENCES videos,
  userid  uuid NOT NULL REFERENCES users,
  rating  int NOT NULL,
  PRIMARY KEY (videoid, userid)
);

CREATE TABLE recommendations (
  videoid uuid NOT NULL REFERENCES videos,
  userid  uuid NOT NULL REFERENCES users,
  rating  real,
  PRIMARY KEY (videoid, userid)
);

CREATE TABLE tags (
  tag          text PRIMARY KEY,
  first_letter text NOT NULL      -- @distinct 40
);

CREATE TABLE video_tags (
  videoid     uuid NOT NULL REFERENCES videos,
  tag         text NOT NULL REFERENCES tags,
  tagged_date timestamp,
  PRIMARY KEY (videoid, tag)
);

CREATE TABLE comments (
  commentid uuid PRIMARY KEY,     -- @time
  videoid   uuid NOT NULL REFERENCES videos,
  userid    uuid NOT NULL REFERENCES users,
  comment   text
);

CREATE TABLE video_events (
  videoid         uuid NOT NULL REFERENCES videos,
  userid          uuid NOT NULL REFERENCES users,
  event_timestamp timestamp NOT NULL,
  event           text NOT NULL,
  video_timestamp bigint,
  PRIMARY KEY (videoid, userid, event_timestamp, event)
);

-- name: Credentials :one
SELECT password, userid FROM users WHERE email = ?;

-- name: UsersByIds :many
SELECT userid, firstname, lastname, email, created_date FROM users WHERE userid = ANY(?);

-- name: Video :one
SELECT videoid, userid, name, description, location, location_type, preview_image_location, tags, added_date
FROM videos WHERE videoid = ?;

-- name: Preview :one
SELECT preview_image_location FROM videos WHERE videoid = ?;

-- name: TagsOfVideo :one
SELECT tags FROM videos WHERE videoid = ?;

-- name: VideosByUser :many
SELECT videoid, added_date, name, preview_image_location FROM videos
WHERE userid = ? ORDER BY added_date DESC LIMIT 20;

-- name: MoreVideosByUser :many
SELECT videoid, added_date, name, preview_image_location FROM videos
WHERE userid = ? AND (added_date, videoid) <= (?, ?) ORDER BY added_date DESC LIMIT 20;

-- name: LatestVideos :many
SELECT videoid, userid, added_date, name, preview_image_location FROM videos ORDER BY added_date DESC LIMIT 20;

-- name: MoreLatestVideos :many
SELECT videoid, userid, added_date, name, preview_image_location FROM videos
WHERE (added_date, videoid) <= (?, ?) ORDER BY added_date DESC LIMIT 20;

-- name: RatingOfVideo :one
SELECT COUNT(*) AS rating_counter, SUM(rating) AS rating_total FROM ratings WHERE videoid = ?;

-- name: RatingByUser :one
SELECT rating FROM ratings WHERE videoid = ? AND userid = ?;

-- name: Views :one
SELECT views FROM videos WHERE videoid = ?;

-- name: RecommendationsForUser :many
SELECT r.videoid, v.added_date, r.rating, v.userid AS authorid, v.name, v.preview_image_location
FROM recommendations r JOIN videos v ON v.videoid = r.videoid
WHERE r.userid = ? ORDER BY v.added_date DESC;

-- name: RecommendationsOfVideo :many
SELECT r.userid, r.rating, v.added_date, v.userid AS authorid, v.name, v.preview_image_location
FROM recommendations r JOIN videos v ON v.videoid = r.videoid
WHERE r.videoid = ?;

-- name: VideosByTag :many
SELECT v.videoid, v.added_date, v.userid, v.name, v.preview_image_location, t.tagged_date
FROM video_tags t JOIN videos v ON v.videoid = t.videoid
WHERE t.tag = ? LIMIT 20;

-- name: TagsByLetter :many
SELECT tag FROM tags WHERE first_letter = ? AND tag >= ? LIMIT 10;

-- name: CommentsByVideo :many
SELECT commentid, userid, comment FROM comments WHERE videoid = ? ORDER BY commentid DESC LIMIT 20;

-- name: MoreCommentsByVideo :many
SELECT commentid, userid, comment FROM comments
WHERE videoid = ? AND commentid <= ? ORDER BY commentid DESC LIMIT 20;

-- name: CommentsByUser :many
SELECT commentid, videoid, comment FROM comments WHERE userid = ? ORDER BY commentid DESC LIMIT 20;

-- name: MoreCommentsByUser :many
SELECT commentid, videoid, comment FROM comments
WHERE userid = ? AND commentid <= ? ORDER BY commentid DESC LIMIT 20;

-- name: EventsOfVideoAndUser :many
SELECT e.event_timestamp, e.event, e.video_timestamp, v.preview_image_location
FROM video_events e JOIN videos v ON v.videoid = e.videoid
WHERE e.videoid = ? AND e.userid = ? ORDER BY e.event_timestamp DESC;

-- name: Register :exec
-- @rate 1k/day  @strict
INSERT INTO users (userid, firstname, lastname, email, password, created_date) VALUES (?, ?, ?, ?, ?, ?);

-- name: SubmitVideo :exec
-- @rate 100k/day
INSERT INTO videos (videoid, userid, name, description, location, location_type, preview_image_location, tags, added_date)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?);

-- name: TagVideo :exec
-- @rate 1k/day
INSERT INTO video_tags (videoid, tag, tagged_date) VALUES (?, ?, ?);

-- name: AddTag :exec
-- @rate 1k/day
INSERT INTO tags (tag, first_letter) VALUES (?, ?);

-- name: PublishPreview :exec
-- @rate 1k/day
UPDATE videos SET preview_image_location = ? WHERE videoid = ?;

-- name: PlayBack :exec
-- @rate 1k/day
UPDATE videos SET views = views + 1 WHERE videoid = ?;

-- name: RateVideo :exec
-- @rate 1k/day
INSERT INTO ratings (videoid, userid, rating) VALUES (?, ?, ?);

-- name: CommentOnVideo :exec
-- @rate 1k/day
INSERT INTO comments (commentid, videoid, userid, comment) VALUES (?, ?, ?, ?);
