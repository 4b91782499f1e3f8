-- A message box (mwojtaczka/msg-box): conversations of a user, their messages, those with unread messages.
-- @keyspace message_box

-- @rows 1M
CREATE TABLE users (
  user_id uuid PRIMARY KEY
);

-- @rows 10M
CREATE TABLE conversations (
  conversation_id uuid PRIMARY KEY,
  last_activity   timestamp NOT NULL
);

CREATE TABLE members (
  user_id         uuid NOT NULL REFERENCES users,          -- @each 30 p99 300 max 2k
  conversation_id uuid NOT NULL REFERENCES conversations,  -- @each 3 p99 20 max 200
  has_unread      boolean NOT NULL,
  PRIMARY KEY (user_id, conversation_id)
);

CREATE TABLE messages (
  conversation_id uuid NOT NULL REFERENCES conversations,  -- @each 100 p99 10k max 100k
  time            timestamp NOT NULL,
  author_id       uuid NOT NULL REFERENCES users,
  content         text NOT NULL,                           -- @bytes 100
  PRIMARY KEY (conversation_id, time, author_id)
);

-- name: Conversation :one
-- @rate 100/s
SELECT conversation_id, last_activity FROM conversations WHERE conversation_id = ?;

-- name: ConversationsByUser :many
-- @rate 300/s
SELECT m.user_id, m.conversation_id, c.last_activity
FROM members m JOIN conversations c ON c.conversation_id = m.conversation_id WHERE m.user_id = ?;

-- name: UnreadByUser :many
-- @rate 300/s
SELECT user_id, conversation_id FROM members WHERE user_id = ? AND has_unread = true;

-- name: Messages :many
-- @rate 500/s  @after ConversationsByUser
SELECT conversation_id, time, author_id, content FROM messages
WHERE conversation_id = ? AND time < ? ORDER BY time DESC LIMIT 50;

-- name: Post :exec
-- @rate 100/s
INSERT INTO messages (conversation_id, time, author_id, content) VALUES (?, ?, ?, ?);

-- name: SetUnread :exec
-- @rate 300/s
UPDATE members SET has_unread = ? WHERE user_id = ? AND conversation_id = ?;
