-- Notifications (AbdouShalby/Backend-Architecture-Case-Studies): 200 million a day for 90 days; the inbox of a user, a
-- notification, its deliveries by channel.
-- @keyspace notifications

-- @rows 50M
CREATE TABLE users (
  user_id uuid PRIMARY KEY
);

-- @retain 90d
-- @grows 200M/day
CREATE TABLE notifications (
  notification_id uuid PRIMARY KEY,
  type            text NOT NULL,                        -- @distinct 50
  priority        smallint,
  source_service  text,
  template_id     text,
  raw_data        text,                                 -- @bytes 500
  created_at      timestamp NOT NULL
);

-- @retain 90d
CREATE TABLE inbox (
  user_id         uuid NOT NULL REFERENCES users,          -- @each 4/day p99 50/day max 500/day
  created_at      uuid NOT NULL,                           -- @time
  notification_id uuid NOT NULL REFERENCES notifications,  -- @each 1
  title           text,
  body            text,                                    -- @bytes 200
  is_read         boolean NOT NULL,
  PRIMARY KEY (user_id, created_at, notification_id)
);

-- @retain 90d
CREATE TABLE deliveries (
  notification_id uuid NOT NULL REFERENCES notifications,  -- @each 2 p99 10 max 100
  user_id         uuid NOT NULL REFERENCES users,
  channel         text NOT NULL,                           -- @distinct 4 @bytes 6
  status          text NOT NULL,                           -- @distinct 5 @bytes 8
  attempt_count   int,
  sent_at         timestamp,
  PRIMARY KEY (notification_id, user_id, channel)
);

-- name: Inbox :many
-- @rate 5k/s
SELECT user_id, created_at, notification_id, title, body, is_read FROM inbox
WHERE user_id = ? ORDER BY created_at DESC LIMIT 20;

-- name: InboxBefore :many
-- @rate 1k/s  @after Inbox
SELECT user_id, created_at, notification_id, title, body, is_read FROM inbox
WHERE user_id = ? AND created_at < ? ORDER BY created_at DESC LIMIT 20;

-- name: Notification :one
-- @rate 100/s
SELECT notification_id, type, priority, source_service, template_id, raw_data, created_at FROM notifications
WHERE notification_id = ?;

-- name: Deliveries :many
-- @rate 100/s  @after Notification
SELECT notification_id, user_id, channel, status, attempt_count, sent_at FROM deliveries
WHERE notification_id = ? AND user_id = ?;

-- name: Notify :exec
-- @rate 200M/day
INSERT INTO inbox (user_id, created_at, notification_id, title, body, is_read) VALUES (?, ?, ?, ?, ?, ?);

-- name: LogDelivery :exec
-- @rate 400M/day
INSERT INTO deliveries (notification_id, user_id, channel, status, attempt_count, sent_at) VALUES (?, ?, ?, ?, ?, ?);

-- name: MarkRead :exec
-- @rate 100M/day
UPDATE inbox SET is_read = true WHERE user_id = ? AND created_at = ? AND notification_id = ?;
