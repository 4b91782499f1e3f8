-- Seed 003, "Collection Abuse": a log that grows by 500,000 entries a year is rows that expire after 30 days, not a list.
-- @keyspace activity

-- @rows 1M
CREATE TABLE users (
  user_id uuid PRIMARY KEY,
  name    text
);

-- @retain 30d
CREATE TABLE user_activity (
  user_id       uuid NOT NULL REFERENCES users,  -- @each 500k/year
  activity_time timestamp NOT NULL,
  activity      text NOT NULL,                   -- @bytes 80
  PRIMARY KEY (user_id, activity_time)
);

-- name: RecentActivity :many
-- @rate 100/s
SELECT activity_time, activity FROM user_activity WHERE user_id = ? ORDER BY activity_time DESC LIMIT 100;

-- name: LogActivity :exec
-- @rate 15k/s
INSERT INTO user_activity (user_id, activity_time, activity) VALUES (?, ?, ?);
