-- Seed 000, "Designing a User Activity System": the activities of a user, newest first; of one type; of a time range.
-- The seed counts 1,000 activities of 500 bytes per user and month. A few users are machines; it is for them that a month
-- is the longest time that fits into a partition.
-- @keyspace activity

-- @rows 1M
CREATE TABLE users (
  user_id uuid PRIMARY KEY
);

CREATE TABLE activities (
  activity_id        uuid PRIMARY KEY,
  user_id            uuid NOT NULL REFERENCES users,  -- @each 1k/month p99 20k/month max 100k/month
  activity_timestamp timestamp NOT NULL,
  activity_type      text NOT NULL,                   -- @bytes 10 @distinct 20
  activity_data      text,                            -- @bytes 420
  device_info        text,                            -- @bytes 40
  ip_address         text                             -- @bytes 14
);

-- name: ActivitiesByUser :many
-- @rate 500/s
SELECT activity_timestamp, activity_type, activity_data, device_info, ip_address FROM activities
WHERE user_id = ? ORDER BY activity_timestamp DESC LIMIT 20;

-- name: ActivitiesByUserAndType :many
-- @rate 100/s
SELECT activity_timestamp, activity_data, device_info, ip_address FROM activities
WHERE user_id = ? AND activity_type = ? ORDER BY activity_timestamp DESC LIMIT 50;

-- name: ActivitiesInRange :many
-- @rate 20/s
SELECT activity_timestamp, activity_type, activity_data, device_info, ip_address FROM activities
WHERE user_id = ? AND activity_timestamp >= ? AND activity_timestamp < ? ORDER BY activity_timestamp DESC;

-- name: RecordActivity :exec
-- @rate 385/s
INSERT INTO activities (activity_id, user_id, activity_timestamp, activity_type, activity_data, device_info, ip_address)
VALUES (?, ?, ?, ?, ?, ?, ?);
