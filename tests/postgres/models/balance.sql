-- A balance that must not fall below zero: a conditional write, not a counter.
-- @rows 1M
CREATE TABLE wallets (
  id       uuid PRIMARY KEY,
  owner    text NOT NULL,                          -- @distinct 500k
  balance  integer NOT NULL,
  version  integer NOT NULL DEFAULT 0
);

-- name: Wallet :one
-- @rate 500/s
SELECT owner, balance, version FROM wallets WHERE id = ?;

-- name: WalletsOf :many
-- @rate 500/s
SELECT id, balance FROM wallets WHERE owner = ?;

-- name: Open :exec
-- @rate 10/s
INSERT INTO wallets (id, owner, balance) VALUES (?, ?, 0);

-- name: Pay :exec
-- @rate 50/s
UPDATE wallets SET balance = balance - $1 WHERE id = $2 AND balance >= $1;

-- name: Charge :exec
-- @rate 50/s
UPDATE wallets SET balance = balance + ?, version = version + 1 WHERE id = ?;
