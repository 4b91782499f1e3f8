-- DS220, exercise 15: a thumbnail of 20 KB for every 20 seconds of a video, up to 6 hours of it, comes to 21.6 MB; 500 videos of a
-- user in five years to 10.8 GB. The partitions are split by week; the alternative leaves the thumbnails to a second query.
-- @keyspace ds220

-- @rows 1M
CREATE TABLE users (
  user_id uuid PRIMARY KEY
);

CREATE TABLE videos (
  video_id   uuid PRIMARY KEY,               -- @time
  user_id    uuid NOT NULL REFERENCES users, -- @each 100/year
  title      text,
  thumbnails bytea                           -- @bytes 21.6MB
);

-- name: VideosByUser :many
SELECT video_id, title, thumbnails FROM videos WHERE user_id = ? ORDER BY video_id DESC LIMIT 2;

-- name: TitlesByUser :many
SELECT video_id, title FROM videos WHERE user_id = ? ORDER BY video_id DESC LIMIT 20;

-- name: Thumbnails :one
-- @after TitlesByUser
SELECT thumbnails FROM videos WHERE video_id = ?;

-- name: Upload :exec
-- @rate 100M/year
INSERT INTO videos (video_id, user_id, title, thumbnails) VALUES (?, ?, ?, ?);
