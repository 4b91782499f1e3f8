-- Seed 004, example 1: users by username and by email, all details either way, one partition each.
-- @keyspace users

-- @rows 1M
CREATE TABLE users (
  username text PRIMARY KEY,
  email    text NOT NULL UNIQUE,
  age      int
);

-- name: UserByUsername :one
-- @rate 100/s
SELECT username, email, age FROM users WHERE username = ?;

-- name: UserByEmail :one
-- @rate 100/s
SELECT email, username, age FROM users WHERE email = ?;

-- name: AddUser :exec
-- @rate 1k/day
INSERT INTO users (username, email, age) VALUES (?, ?, ?);
