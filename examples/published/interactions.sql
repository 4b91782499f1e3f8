-- User interactions (Patrick Callaghan, DataStax): what users do in which application, counted by action.
-- @keyspace interactions

-- @rows 1M
CREATE TABLE users (
  user_id text PRIMARY KEY
);

CREATE TABLE interactions (
  user_id text NOT NULL REFERENCES users,               -- @each 20/day p99 200/day max 1k/day
  app     text NOT NULL,                                -- @distinct 10 @bytes 8
  time    timestamp NOT NULL,
  action  text NOT NULL,                                -- @distinct 20 @bytes 10
  visit   uuid NOT NULL,
  PRIMARY KEY (user_id, app, time)
);

-- name: InteractionsInApp :many
-- @rate 50/s
SELECT user_id, app, time, action FROM interactions WHERE user_id = ? AND app = ? ORDER BY time DESC LIMIT 100;

-- name: CountsInApp :many
-- @rate 50/s
SELECT action, COUNT(*) AS count FROM interactions WHERE user_id = ? AND app = ? GROUP BY action;

-- name: Visit :many
-- @rate 10/s
SELECT visit, time, action, app FROM interactions WHERE visit = ? ORDER BY time;

-- name: Interact :exec
-- @rate 20M/day
INSERT INTO interactions (user_id, app, time, action, visit) VALUES (?, ?, ?, ?, ?);
