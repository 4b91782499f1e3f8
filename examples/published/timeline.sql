-- A timeline (gomesuit/timeline): posts, timelines that are written for each follower, and who follows whom.
-- @keyspace timeline

-- @rows 5M
CREATE TABLE users (
  userid text PRIMARY KEY                               -- @bytes 16
);

CREATE TABLE posts (
  messageid uuid PRIMARY KEY,                           -- @time
  userid    text NOT NULL REFERENCES users,             -- @each 2/day p99 50/day max 500/day
  content   text NOT NULL                               -- @bytes 200
);

CREATE TABLE follows (
  userid   text NOT NULL REFERENCES users,              -- @each 200 p99 2k max 5k
  followid text NOT NULL REFERENCES users,              -- @each 200 p99 5k max 1M
  PRIMARY KEY (userid, followid)
);

CREATE TABLE timelines (
  userid    text NOT NULL REFERENCES users,             -- @each 400/day p99 4k/day max 20k/day
  messageid uuid NOT NULL REFERENCES posts,
  ownerid   text NOT NULL REFERENCES users,
  PRIMARY KEY (userid, messageid)
);

-- name: Post :one
-- @rate 20k/s
SELECT content FROM posts WHERE messageid = ?;

-- name: PostsOfUser :many
-- @rate 500/s
SELECT messageid FROM posts WHERE userid = ? ORDER BY messageid DESC LIMIT 20;

-- name: Timeline :many
-- @rate 5k/s
SELECT messageid, ownerid FROM timelines WHERE userid = ? ORDER BY messageid DESC LIMIT 20;

-- name: Follows :many
-- @rate 200/s
SELECT followid FROM follows WHERE userid = ?;

-- name: Followers :many
-- @rate 120/s
SELECT userid FROM follows WHERE followid = ?;

-- name: Write :exec
-- @rate 115/s
INSERT INTO posts (messageid, userid, content) VALUES (?, ?, ?);

-- name: Deliver :exec
-- @rate 23k/s
INSERT INTO timelines (userid, messageid, ownerid) VALUES (?, ?, ?);

-- name: Follow :exec
-- @rate 50/s
INSERT INTO follows (userid, followid) VALUES (?, ?);

-- name: Unfollow :exec
-- @rate 10/s
DELETE FROM follows WHERE userid = ? AND followid = ?;
