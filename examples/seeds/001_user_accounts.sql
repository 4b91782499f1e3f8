-- Seed 001, "Secondary indexes" and "Materialized views": accounts by their unique username, in a country, in a city, by email.
-- 195 countries and 100,000,000 rows are the seed's figures. Country alone makes partitions of half a million rows, which the
-- seed warns of: it asks for country, state and city, or for an index.
-- @keyspace accounts

-- @rows 100M
CREATE TABLE user_accounts (
  username text PRIMARY KEY,  -- @bytes 12
  email    text NOT NULL,     -- @distinct 99M
  country  text NOT NULL,     -- @distinct 195 @bytes 2
  state    text NOT NULL,     -- @distinct 20 @bytes 10
  city     text NOT NULL      -- @distinct 100 @bytes 10
);

-- name: AccountByUsername :one
-- @rate 1k/s
SELECT username, email, country, state, city FROM user_accounts WHERE username = ?;

-- name: AccountsByCountry :many
-- @rate 1/min
SELECT username, email FROM user_accounts WHERE country = ?;

-- name: AccountsByCity :many
-- @rate 10/s
SELECT username, email FROM user_accounts WHERE country = ? AND state = ? AND city = ?;

-- name: AccountsByEmail :many
-- @rate 100/s
SELECT username, country FROM user_accounts WHERE email = ?;

-- name: OpenAccount :exec
-- @rate 20k/day  @strict
INSERT INTO user_accounts (username, email, country, state, city) VALUES (?, ?, ?, ?, ?);
