-- Seed 003, "Unbounded Partitions": 40,000 activities of a user each month, some 500,000 a year and 15 million in its fifth year's
-- table, of 100 bytes; bucketed by month.
-- @keyspace activity

-- @rows 1M
CREATE TABLE users (
  user_id uuid PRIMARY KEY
);

CREATE TABLE user_activity (
  user_id       uuid NOT NULL REFERENCES users,  -- @each 40k/month
  activity_time timestamp NOT NULL,
  activity_type text,                            -- @bytes 10
  details       text,                            -- @bytes 65
  PRIMARY KEY (user_id, activity_time)
);

-- name: LatestActivity :many
-- @rate 500/s
SELECT activity_time, activity_type, details FROM user_activity
WHERE user_id = ? ORDER BY activity_time DESC LIMIT 50;

-- name: RecordActivity :exec
-- @rate 15k/s
INSERT INTO user_activity (user_id, activity_time, activity_type, details) VALUES (?, ?, ?, ?);
