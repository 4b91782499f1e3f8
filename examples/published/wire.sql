-- Wire: the conversations of a messenger, their members, the teams, and the notifications of users.
-- @keyspace wire

-- @rows 10M
CREATE TABLE users (
  usr   uuid PRIMARY KEY,
  email text NOT NULL UNIQUE,
  name  text NOT NULL
);

-- @rows 50M
CREATE TABLE conversations (
  conv    uuid PRIMARY KEY,
  creator uuid NOT NULL REFERENCES users,
  name    text,
  type    int NOT NULL,
  deleted boolean
);

CREATE TABLE members (
  conv      uuid NOT NULL REFERENCES conversations,     -- @each 4 p99 50 max 500
  usr       uuid NOT NULL REFERENCES users,             -- @each 20 p99 300 max 3k
  otr_muted boolean,
  status    int,
  PRIMARY KEY (conv, usr)
);

CREATE TABLE clients (
  usr    uuid NOT NULL REFERENCES users,                -- @each 2 p99 8 max 8
  client text NOT NULL,
  label  text,
  PRIMARY KEY (usr, client)
);

CREATE TABLE prekeys (
  usr    uuid NOT NULL,
  client text NOT NULL,
  key    int NOT NULL,
  data   text NOT NULL,                                 -- @bytes 60
  PRIMARY KEY (usr, client, key),
  FOREIGN KEY (usr, client) REFERENCES clients          -- @each 100 p99 100 max 100
);

CREATE TABLE connections (
  from_user uuid NOT NULL REFERENCES users,             -- @each 30 p99 500 max 1k
  to_user   uuid NOT NULL REFERENCES users,
  status    int NOT NULL,
  message   text,
  PRIMARY KEY (from_user, to_user)
);

-- @retain 28d
CREATE TABLE notifications (
  usr     uuid NOT NULL REFERENCES users,               -- @each 50/day p99 1k/day max 10k/day
  id      uuid NOT NULL,                                -- @time
  payload bytea NOT NULL,                               -- @bytes 400
  PRIMARY KEY (usr, id)
);

-- name: UserByEmail :one
-- @rate 100/s
SELECT usr FROM users WHERE email = ?;

-- name: User :one
-- @rate 2k/s
SELECT name, email FROM users WHERE usr = ?;

-- name: Conversation :one
-- @rate 2k/s
SELECT creator, name, type, deleted FROM conversations WHERE conv = ?;

-- name: Members :many
-- @rate 3k/s
SELECT usr, otr_muted, status FROM members WHERE conv = ?;

-- name: ConversationsOfUser :many
-- @rate 500/s
SELECT conv FROM members WHERE usr = ?;

-- name: Clients :many
-- @rate 3k/s
SELECT client, label FROM clients WHERE usr = ?;

-- name: Prekeys :many
-- @rate 500/s
SELECT key, data FROM prekeys WHERE usr = ? AND client = ? LIMIT 1;

-- name: Connections :many
-- @rate 500/s
SELECT to_user, status, message FROM connections WHERE from_user = ?;

-- name: Connection :one
-- @rate 300/s
SELECT status FROM connections WHERE from_user = ? AND to_user = ?;

-- name: NotificationsSince :many
-- @rate 1k/s @span 1d
SELECT id, payload FROM notifications WHERE usr = ? AND id > ? ORDER BY id LIMIT 500;

-- name: LastNotification :one
-- @rate 500/s
SELECT id FROM notifications WHERE usr = ? ORDER BY id DESC LIMIT 1;

-- name: Join :exec
-- @rate 50/s
INSERT INTO members (conv, usr, otr_muted, status) VALUES (?, ?, ?, ?);

-- name: Leave :exec
-- @rate 10/s
DELETE FROM members WHERE conv = ? AND usr = ?;

-- name: Mute :exec
-- @rate 20/s
UPDATE members SET otr_muted = ? WHERE conv = ? AND usr = ?;

-- name: TakePrekey :exec
-- @rate 500/s
DELETE FROM prekeys WHERE usr = ? AND client = ? AND key = ?;

-- name: AddPrekey :exec
-- @rate 500/s
INSERT INTO prekeys (usr, client, key, data) VALUES (?, ?, ?, ?);

-- name: Notify :exec
-- @rate 5.8k/s
INSERT INTO notifications (usr, id, payload) VALUES (?, ?, ?);
