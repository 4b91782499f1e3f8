-- Discord (How Discord Stores Billions of Messages, 2017): 120 million messages a day; a bucket of ten days in the
-- partition key.
-- @keyspace discord

-- @rows 20M
CREATE TABLE channels (
  channel_id bigint PRIMARY KEY
);

CREATE TABLE messages (
  message_id uuid PRIMARY KEY,                          -- @time
  channel_id bigint NOT NULL REFERENCES channels,       -- @each 6/day p99 200/day max 30k/day
  author_id  bigint NOT NULL,
  content    text                                       -- @bytes 100
);

-- name: NewestMessages :many
-- @rate 2k/s
SELECT channel_id, message_id, author_id, content FROM messages
WHERE channel_id = ? ORDER BY message_id DESC LIMIT 50;

-- name: MessagesBefore :many
-- @rate 500/s  @after NewestMessages
SELECT channel_id, message_id, author_id, content FROM messages
WHERE channel_id = ? AND message_id < ? ORDER BY message_id DESC LIMIT 50;

-- name: Send :exec
-- @rate 120M/day
INSERT INTO messages (message_id, channel_id, author_id, content) VALUES (?, ?, ?, ?);
