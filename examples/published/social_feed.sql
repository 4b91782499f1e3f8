-- A social network (cassandra-journey-10days, query-driven data modeling): posts by user and hashtag, feeds,
-- notifications for 7 days.
-- @keyspace social_feed

-- @rows 1M
CREATE TABLE users (
  user_id uuid PRIMARY KEY
);

CREATE TABLE posts (
  created_at uuid PRIMARY KEY,                          -- @time
  user_id    uuid NOT NULL REFERENCES users,            -- @each 100 p99 2k max 10k
  hashtags   text[],                                    -- @set @items 2 @distinct 1M
  title      text,
  content    text                                       -- @bytes 500
);

CREATE TABLE feed_posts (
  user_id    uuid NOT NULL REFERENCES users,            -- @each 2k p99 20k max 100k
  created_at uuid NOT NULL REFERENCES posts,            -- @each 20 p99 1k max 100k
  PRIMARY KEY (user_id, created_at)
);

-- @retain 7d
CREATE TABLE notifications (
  user_id    uuid NOT NULL REFERENCES users,            -- @each 10/day p99 100/day max 500/day
  created_at uuid NOT NULL,                             -- @time
  message    text,
  PRIMARY KEY (user_id, created_at)
);

-- name: PostsByUser :many
-- @rate 200/s
SELECT user_id, created_at, title, content FROM posts WHERE user_id = ? ORDER BY created_at DESC LIMIT 50;

-- name: PostsByHashtag :many
-- @rate 100/s
SELECT created_at, user_id, title, content FROM posts WHERE ? = ANY(hashtags) ORDER BY created_at DESC LIMIT 50;

-- name: Feed :many
-- @rate 1k/s
SELECT f.user_id, f.created_at, p.user_id AS poster_id, p.title, p.content
FROM feed_posts f JOIN posts p ON p.created_at = f.created_at WHERE f.user_id = ? ORDER BY f.created_at DESC LIMIT 50;

-- name: Notifications :many
-- @rate 200/s
SELECT user_id, created_at, message FROM notifications WHERE user_id = ? ORDER BY created_at DESC;

-- name: Post :exec
-- @rate 10/s
INSERT INTO posts (created_at, user_id, hashtags, title, content) VALUES (?, ?, ?, ?, ?);

-- name: Deliver :exec
-- @rate 200/s
INSERT INTO feed_posts (user_id, created_at) VALUES (?, ?);

-- name: Notify :exec
-- @rate 115/s
INSERT INTO notifications (user_id, created_at, message) VALUES (?, ?, ?);
