-- Apache James: mailboxes over IMAP: messages by uid, the mailboxes of a message, the unseen messages, subscriptions.
-- @keyspace james

-- @rows 1M
CREATE TABLE users (
  usr text PRIMARY KEY                                  -- @bytes 24
);

CREATE TABLE mailboxes (
  mailbox_id   uuid PRIMARY KEY,
  usr          text NOT NULL REFERENCES users,          -- @each 10 p99 100 max 1k
  mailbox_name text NOT NULL,
  uid_validity bigint NOT NULL,
  UNIQUE (usr, mailbox_name)
);

CREATE TABLE mailbox_messages (
  mailbox_id uuid NOT NULL REFERENCES mailboxes,        -- @each 500 p99 10k max 100k
  uid        bigint NOT NULL,
  message_id uuid NOT NULL,                             -- @distinct 5B
  mod_seq    bigint NOT NULL,
  flag_seen  boolean NOT NULL,
  PRIMARY KEY (mailbox_id, uid)
);

CREATE TABLE subscriptions (
  usr     text NOT NULL REFERENCES users,               -- @each 5 p99 50 max 500
  mailbox text NOT NULL,
  PRIMARY KEY (usr, mailbox)
);

-- name: Mailbox :one
-- @rate 2k/s
SELECT usr, mailbox_name, uid_validity FROM mailboxes WHERE mailbox_id = ?;

-- name: MailboxByName :one
-- @rate 1k/s
SELECT mailbox_id, uid_validity FROM mailboxes WHERE usr = ? AND mailbox_name = ?;

-- name: MailboxesOfUser :many
-- @rate 500/s
SELECT mailbox_id, mailbox_name, uid_validity FROM mailboxes WHERE usr = ?;

-- name: MessagesInRange :many
-- @rate 1k/s @span uid 50
SELECT uid, message_id, mod_seq, flag_seen FROM mailbox_messages WHERE mailbox_id = ? AND uid >= ? AND uid <= ? ORDER BY uid;

-- name: MessageByUid :one
-- @rate 1k/s
SELECT message_id, mod_seq, flag_seen FROM mailbox_messages WHERE mailbox_id = ? AND uid = ?;

-- name: MailboxesOfMessage :many
-- @rate 200/s
SELECT mailbox_id, uid, mod_seq, flag_seen FROM mailbox_messages WHERE message_id = ?;

-- name: FirstUnseen :one
-- @rate 500/s
SELECT uid FROM mailbox_messages WHERE mailbox_id = ? AND flag_seen = false ORDER BY uid LIMIT 1;

-- name: Subscriptions :many
-- @rate 100/s
SELECT mailbox FROM subscriptions WHERE usr = ?;

-- name: Append :exec
-- @rate 300/s
INSERT INTO mailbox_messages (mailbox_id, uid, message_id, mod_seq, flag_seen) VALUES (?, ?, ?, ?, ?);

-- name: SetSeen :exec
-- @rate 300/s
UPDATE mailbox_messages SET flag_seen = ?, mod_seq = ? WHERE mailbox_id = ? AND uid = ?;

-- name: Expunge :exec
-- @rate 100/s
DELETE FROM mailbox_messages WHERE mailbox_id = ? AND uid = ?;

-- name: Subscribe :exec
-- @rate 1/s
INSERT INTO subscriptions (usr, mailbox) VALUES (?, ?);
