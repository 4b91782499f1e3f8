-- INSERTs that leave an existing row as it is.
-- @rows 5M
CREATE TABLE follows (
  follower uuid NOT NULL,
  followed uuid NOT NULL,
  since    timestamp NOT NULL,
  muted    boolean NOT NULL DEFAULT false,
  PRIMARY KEY (follower, followed)
);

-- name: FollowedBy :many
-- @rate 500/s
SELECT followed, since, muted FROM follows WHERE follower = ?;

-- name: FollowersOf :many
-- @rate 500/s
SELECT follower, since FROM follows WHERE followed = ? ORDER BY since DESC, follower LIMIT 20;

-- name: Follow :exec
-- @rate 50/s
INSERT INTO follows (follower, followed, since) VALUES (?, ?, ?) ON CONFLICT DO NOTHING;

-- name: FollowMuted :exec
-- @rate 5/s
INSERT INTO follows (follower, followed, since, muted) VALUES (?, ?, ?, true) ON CONFLICT (follower, followed) DO NOTHING;

-- name: Unfollow :exec
-- @rate 5/s
DELETE FROM follows WHERE follower = ? AND followed = ?;
