-- The mapping exercises of DS220: videos with their tags, actors and channels.
-- @keyspace ds220

CREATE TABLE users (
  user_id           uuid PRIMARY KEY,
  first_name        text,
  last_name         text,
  email             text,
  registration_date timestamp
);

CREATE TABLE videos (
  video_id           uuid PRIMARY KEY,
  user_id            uuid NOT NULL REFERENCES users,
  uploaded_timestamp timestamp NOT NULL,
  title              text NOT NULL,
  description        text,
  type               text,
  release_year       int NOT NULL,  -- @distinct 100
  added_year         int NOT NULL,  -- @distinct 20
  added_date         timestamp NOT NULL,
  genres             text[],        -- @items 2 @distinct 40 @set
  tags               text[]         -- @items 5 @distinct 20k @set
);

CREATE TABLE actors (
  actor_name text PRIMARY KEY
);

CREATE TABLE features (
  video_id       uuid NOT NULL REFERENCES videos,
  actor_name     text NOT NULL REFERENCES actors,
  character_name text NOT NULL,
  PRIMARY KEY (video_id, actor_name, character_name)
);

CREATE TABLE playlists (
  owner_id           uuid NOT NULL REFERENCES users,
  name               text NOT NULL,
  modified_timestamp timestamp NOT NULL,
  PRIMARY KEY (owner_id, name)
);

CREATE TABLE channels (
  owner_id     uuid PRIMARY KEY REFERENCES users,
  channel_name text NOT NULL
);

CREATE TABLE subscriptions (
  subscriber_id uuid NOT NULL REFERENCES users,
  owner_id      uuid NOT NULL REFERENCES channels,
  PRIMARY KEY (subscriber_id, owner_id)
);

CREATE TABLE channel_videos (
  owner_id uuid NOT NULL REFERENCES channels,
  video_id uuid NOT NULL REFERENCES videos,
  PRIMARY KEY (owner_id, video_id)
);

-- name: VideosByTag :many
SELECT video_id, user_id, uploaded_timestamp, title, description, type, release_year, genres, tags
FROM videos WHERE ? = ANY(tags) ORDER BY uploaded_timestamp DESC;

-- name: VideosByActor :many
SELECT v.video_id, v.title, v.release_year, f.character_name, v.type, v.tags
FROM features f JOIN videos v ON v.video_id = f.video_id
WHERE f.actor_name = ? AND v.release_year >= ? AND v.release_year <= ?
ORDER BY v.release_year DESC, v.title;

-- name: VideosByGenreAndActor :many
SELECT v.video_id, v.title, v.release_year, f.character_name, v.type, v.tags
FROM features f JOIN videos v ON v.video_id = f.video_id
WHERE ? = ANY(v.genres) AND f.actor_name = ? AND v.release_year >= ? AND v.release_year <= ?
ORDER BY v.release_year DESC, v.title;

-- name: PlaylistsByOwner :many
SELECT name, modified_timestamp FROM playlists
WHERE owner_id = ? AND modified_timestamp >= ? AND modified_timestamp <= ? ORDER BY modified_timestamp DESC;

-- name: ChannelsBySubscriber :many
SELECT c.channel_name, c.owner_id, u.first_name, u.last_name, u.email, u.registration_date
FROM subscriptions s JOIN channels c ON c.owner_id = s.owner_id JOIN users u ON u.user_id = s.subscriber_id
WHERE s.subscriber_id = ? ORDER BY c.channel_name;

-- name: VideosByChannel :many
SELECT c.channel_name, v.video_id, v.title, v.description
FROM channel_videos cv JOIN channels c ON c.owner_id = cv.owner_id JOIN videos v ON v.video_id = cv.video_id
WHERE cv.owner_id = ?;

-- name: VideosByTitleAndYear :many
SELECT video_id, title, added_year, description FROM videos WHERE title = ? AND added_year = ?;

-- name: VideosByTagAndYear :many
SELECT video_id, title, added_year, description FROM videos
WHERE ? = ANY(tags) AND added_year >= ? AND added_year <= ? ORDER BY added_year DESC;

-- name: VideoCountsByTag :many
SELECT added_year, COUNT(*) AS video_count FROM videos WHERE ? = ANY(tags) GROUP BY added_year;

-- name: LatestVideosByActor :many
SELECT v.video_id, v.title, v.added_date, f.character_name
FROM features f JOIN videos v ON v.video_id = f.video_id
WHERE f.actor_name = ? ORDER BY v.added_date DESC;

-- name: LatestVideosByGenre :many
SELECT video_id, title, added_date FROM videos WHERE ? = ANY(genres) ORDER BY added_date DESC;

-- name: Upload :exec
-- @rate 1k/day
INSERT INTO videos (video_id, user_id, uploaded_timestamp, title, description, type, release_year, added_year, added_date, genres, tags)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?);

-- name: CastActor :exec
-- @rate 1k/day
INSERT INTO features (video_id, actor_name, character_name) VALUES (?, ?, ?);

-- name: Subscribe :exec
-- @rate 1k/day
INSERT INTO subscriptions (subscriber_id, owner_id) VALUES (?, ?);
