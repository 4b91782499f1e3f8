-- Seed 003, "Tombstone Accumulation", solution 2: messages of a queue in windows of an hour that expire after a day, read from
-- where the reader left off and never deleted.
-- @keyspace messages

-- @rows 50
CREATE TABLE queues (
  queue_id text PRIMARY KEY
);

-- @retain 1d
CREATE TABLE message_queue (
  queue_id   text NOT NULL REFERENCES queues,  -- @each 50/s
  message_id uuid NOT NULL,                    -- @time
  payload    text,                             -- @bytes 200
  PRIMARY KEY (queue_id, message_id)
);

-- name: MessagesSince :many
-- @rate 50/s
SELECT message_id, payload FROM message_queue WHERE queue_id = ? AND message_id > ? ORDER BY message_id LIMIT 100;

-- name: Publish :exec
-- @rate 2.5k/s
INSERT INTO message_queue (queue_id, message_id, payload) VALUES (?, ?, ?);
