-- Seed 003, "ALLOW FILTERING" and "Secondary Index Abuse": users of a country and users by email, a table for each.
-- @keyspace users

-- @rows 10M
CREATE TABLE users (
  user_id  uuid PRIMARY KEY,
  email    text NOT NULL UNIQUE,
  username text,
  country  text NOT NULL          -- @distinct 195
);

-- name: UsersByCountry :many
-- @rate 10/s
SELECT user_id, username, email FROM users WHERE country = ? LIMIT 100;

-- name: UserByEmail :one
-- @rate 900/s
SELECT user_id, username FROM users WHERE email = ?;

-- name: UserById :one
-- @rate 100/s  @after UserByEmail, UsersByCountry
SELECT user_id, email, username, country FROM users WHERE user_id = ?;

-- The seed's batch: "maintain both tables".
-- name: AddUser :exec
-- @rate 5k/day
INSERT INTO users (user_id, email, username, country) VALUES (?, ?, ?, ?);
