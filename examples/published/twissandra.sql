-- Twissandra, the Twitter clone of the first Cassandra tutorials: friends, followers, the tweets of a user and of the
-- friends.
-- @keyspace twissandra

-- @rows 10M
CREATE TABLE users (
  username text PRIMARY KEY,
  password text NOT NULL
);

-- a follows b; each side is counted below
CREATE TABLE follows (
  follower text NOT NULL REFERENCES users,              -- @each 100 p99 1k max 5k
  friend   text NOT NULL REFERENCES users,              -- @each 100 p99 2k max 100k
  since    timestamp NOT NULL,
  PRIMARY KEY (follower, friend)
);

CREATE TABLE tweets (
  tweet_id uuid PRIMARY KEY,                            -- @time
  username text NOT NULL REFERENCES users,              -- @each 1/day p99 10/day max 20/day
  body     text NOT NULL                                -- @bytes 100
);

-- the copy of a tweet for each follower
CREATE TABLE deliveries (
  username text NOT NULL REFERENCES users,              -- @each 100/day p99 150/day max 160/day
  tweet_id uuid NOT NULL REFERENCES tweets,             -- @each 100 p99 2k max 100k
  PRIMARY KEY (username, tweet_id)
);

-- name: UserByName :one
-- @rate 1k/s
SELECT username, password FROM users WHERE username = ?;

-- name: FriendsOf :many
-- @rate 200/s
SELECT friend, since FROM follows WHERE follower = ?;

-- name: FollowersOf :many
-- @rate 200/s
SELECT follower, since FROM follows WHERE friend = ?;

-- name: TweetById :one
-- @rate 5k/s  @after Userline, Timeline
SELECT tweet_id, username, body FROM tweets WHERE tweet_id = ?;

-- name: Userline :many
-- @rate 500/s
SELECT tweet_id FROM tweets WHERE username = ? ORDER BY tweet_id DESC LIMIT 40;

-- name: Timeline :many
-- @rate 2k/s
SELECT tweet_id FROM deliveries WHERE username = ? ORDER BY tweet_id DESC LIMIT 40;

-- name: Follow :exec
-- @rate 10/s
INSERT INTO follows (follower, friend, since) VALUES (?, ?, ?);

-- name: Unfollow :exec
-- @rate 2/s
DELETE FROM follows WHERE follower = ? AND friend = ?;

-- name: Tweet :exec
-- @rate 115/s
INSERT INTO tweets (tweet_id, username, body) VALUES (?, ?, ?);

-- name: Deliver :exec
-- @rate 11k/s
INSERT INTO deliveries (username, tweet_id) VALUES (?, ?);
