-- Seed 001, step 4: "if we were to have a query that finds all videos based on a tag and location, we would need to use a
-- composite partition key consisting of both the tag and location".
-- @keyspace killrvideo

-- @rows 50M
CREATE TABLE videos (
  videoid    uuid PRIMARY KEY,
  name       text,
  location   text NOT NULL,      -- @distinct 50k
  tags       text[],             -- @items 5 @distinct 200k @set
  added_date timestamp NOT NULL
);

-- name: VideosByTagAndLocation :many
-- @rate 100/s
SELECT videoid, name, added_date FROM videos WHERE ? = ANY(tags) AND location = ?;

-- name: AddVideo :exec
-- @rate 100k/day
INSERT INTO videos (videoid, name, location, tags, added_date) VALUES (?, ?, ?, ?, ?);
