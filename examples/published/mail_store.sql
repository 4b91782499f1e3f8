-- A mail store (devthedevil/cassandra-mail-store): folders by month, a message by id, counters for the badges.
-- @keyspace mail_store

-- @rows 10M
CREATE TABLE users (
  user_id text PRIMARY KEY
);

CREATE TABLE folders (
  user_id text NOT NULL REFERENCES users,               -- @each 8 p99 50 max 500
  folder  text NOT NULL,
  PRIMARY KEY (user_id, folder)
);

CREATE TABLE messages (
  user_id    text NOT NULL,
  folder     text NOT NULL,
  message_id uuid NOT NULL,                             -- @time
  sender     text,
  recipients text[],                                    -- @items 3
  subject    text,
  preview    text,                                      -- @bytes 200
  body       text,                                      -- @bytes 8KB
  size_bytes int,
  is_read    boolean NOT NULL,
  PRIMARY KEY (user_id, message_id),
  FOREIGN KEY (user_id, folder) REFERENCES folders      -- @each 5/day p99 1k/day max 10k/day
);

-- name: Mailbox :many
-- @rate 5k/s
SELECT user_id, folder, message_id, sender, subject, preview, size_bytes, is_read FROM messages
WHERE user_id = ? AND folder = ? ORDER BY message_id DESC LIMIT 50;

-- name: Message :one
-- @rate 2k/s  @after Mailbox
SELECT user_id, message_id, folder, sender, recipients, subject, body, size_bytes, is_read FROM messages
WHERE user_id = ? AND message_id = ?;

-- name: Badges :many
-- @rate 2k/s
SELECT folder, COUNT(*) AS total_messages FROM messages WHERE user_id = ? GROUP BY folder;

-- name: Receive :exec
-- @rate 4.6k/s
INSERT INTO messages (user_id, folder, message_id, sender, recipients, subject, preview, body, size_bytes, is_read)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?);

-- name: MarkRead :exec
-- @rate 2k/s  @after Message
UPDATE messages SET is_read = true WHERE user_id = ? AND message_id = ?;
