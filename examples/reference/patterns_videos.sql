-- The mapping patterns of 1:n and m:n relationships (DS220): users upload videos and comment on them; a user may comment on a
-- video more than once.
-- @keyspace patterns

CREATE TABLE users (
  user_id    uuid PRIMARY KEY,
  email      text NOT NULL UNIQUE,
  first_name text NOT NULL,          -- @distinct 100k
  last_name  text NOT NULL           -- @distinct 100k
);

CREATE TABLE videos (
  video_id           uuid PRIMARY KEY,
  user_id            uuid NOT NULL REFERENCES users,
  title              text,
  description        text,
  tags               text[],         -- @items 5 @set
  uploaded_timestamp timestamp NOT NULL
);

CREATE TABLE comments (
  user_id          uuid NOT NULL REFERENCES users,
  video_id         uuid NOT NULL REFERENCES videos,
  posted_timestamp timestamp NOT NULL,
  comment          text,
  PRIMARY KEY (user_id, video_id, posted_timestamp)
);

-- name: VideosByUser :many
SELECT u.email, u.first_name, u.last_name, v.video_id, v.title, v.tags, v.uploaded_timestamp
FROM videos v JOIN users u ON u.user_id = v.user_id
WHERE v.user_id = ?;

-- name: VideosByUserRange :many
SELECT u.email, u.first_name, u.last_name, v.video_id, v.title, v.tags, v.uploaded_timestamp
FROM videos v JOIN users u ON u.user_id = v.user_id
WHERE v.user_id = ? AND v.uploaded_timestamp > ?;

-- name: VideosByUserName :many
SELECT v.video_id, v.title, v.tags, v.uploaded_timestamp
FROM videos v JOIN users u ON u.user_id = v.user_id
WHERE u.first_name = ? AND u.last_name = ?;

-- name: VideosByUserEmailRange :many
SELECT v.video_id, v.title, v.tags, v.uploaded_timestamp
FROM videos v JOIN users u ON u.user_id = v.user_id
WHERE u.email = ? AND v.uploaded_timestamp > ?;

-- name: VideoWithUser :one
SELECT v.video_id, v.title, v.tags, v.uploaded_timestamp, v.user_id, u.email, u.first_name, u.last_name
FROM videos v JOIN users u ON u.user_id = v.user_id
WHERE v.video_id = ?;

-- name: CommentsByUserAndVideo :many
SELECT c.posted_timestamp, c.comment, u.first_name, u.last_name, v.title, v.description
FROM comments c JOIN users u ON u.user_id = c.user_id JOIN videos v ON v.video_id = c.video_id
WHERE c.user_id = ? AND c.video_id = ?;

-- name: CommentsByUserRange :many
SELECT c.posted_timestamp, c.video_id, c.comment, u.first_name, u.last_name, v.title, v.description
FROM comments c JOIN users u ON u.user_id = c.user_id JOIN videos v ON v.video_id = c.video_id
WHERE c.user_id = ? AND c.posted_timestamp > ?;

-- name: CommentsByUserName :many
SELECT c.user_id, c.video_id, c.posted_timestamp, c.comment, v.title, v.description
FROM comments c JOIN users u ON u.user_id = c.user_id JOIN videos v ON v.video_id = c.video_id
WHERE u.last_name = ? AND u.first_name = ?;

-- name: CommentsByUserNameRange :many
SELECT c.user_id, c.video_id, c.posted_timestamp, c.comment, v.title, v.description
FROM comments c JOIN users u ON u.user_id = c.user_id JOIN videos v ON v.video_id = c.video_id
WHERE u.last_name = ? AND u.first_name = ? AND c.posted_timestamp > ?;

-- name: Upload :exec
-- @rate 1k/day
INSERT INTO videos (video_id, user_id, title, description, tags, uploaded_timestamp) VALUES (?, ?, ?, ?, ?, ?);

-- name: Comment :exec
-- @rate 1k/day
INSERT INTO comments (user_id, video_id, posted_timestamp, comment) VALUES (?, ?, ?, ?);

-- name: ChangeName :exec
-- @rate 1k/day
UPDATE users SET first_name = ?, last_name = ? WHERE user_id = ?;
