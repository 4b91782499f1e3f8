-- KillrChat (DuyHai Doan): rooms, their participants and messages.
-- @keyspace killrchat

-- @rows 1M
CREATE TABLE users (
  login     text PRIMARY KEY,
  pass      text NOT NULL,
  firstname text,
  lastname  text,
  bio       text,
  email     text
);

-- @rows 100k
CREATE TABLE chat_rooms (
  room_name     text PRIMARY KEY,
  creation_date timestamp NOT NULL,
  banner        text,
  creator_login text NOT NULL REFERENCES users,
  participants  text[]                                  -- @set @items 50
);

CREATE TABLE messages (
  message_id     uuid PRIMARY KEY,                      -- @time
  room_name      text NOT NULL REFERENCES chat_rooms,   -- @each 20k p99 80k max 100k
  content        text NOT NULL,                         -- @bytes 100
  author         text NOT NULL REFERENCES users,
  system_message boolean NOT NULL
);

-- name: UserByLogin :one
-- @rate 200/s
SELECT login, pass, firstname, lastname, bio, email FROM users WHERE login = ?;

-- name: RoomByName :one
-- @rate 200/s
SELECT room_name, creation_date, banner, creator_login, participants FROM chat_rooms WHERE room_name = ?;

-- name: NewestMessages :many
-- @rate 1k/s  @after RoomByName
SELECT room_name, message_id, content, author, system_message FROM messages
WHERE room_name = ? ORDER BY message_id DESC LIMIT 20;

-- name: OlderMessages :many
-- @rate 200/s  @after NewestMessages
SELECT room_name, message_id, content, author, system_message FROM messages
WHERE room_name = ? AND message_id < ? ORDER BY message_id DESC LIMIT 20;

-- name: Post :exec
-- @rate 200/s
INSERT INTO messages (message_id, room_name, content, author, system_message) VALUES (?, ?, ?, ?, ?);
