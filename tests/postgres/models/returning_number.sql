-- Numbers that are added to and returned, and arrays.
-- @rows 1M
CREATE TABLE accounts (
  id       uuid PRIMARY KEY,
  holder   text NOT NULL,                         -- @distinct 100k
  balance  numeric NOT NULL DEFAULT 0,
  limits   integer,
  tags     text[],                                -- @items 3
  moves    bigint NOT NULL DEFAULT 0
);

-- name: Account :one
SELECT holder, balance, limits, tags FROM accounts WHERE id = $1;

-- name: AccountsOf :many
SELECT id, balance FROM accounts WHERE holder = $1;

-- name: Open :one
INSERT INTO accounts (id, holder, tags) VALUES ($1, $2, $3) RETURNING *;

-- name: Withdraw :one
UPDATE accounts SET balance = balance - $2 WHERE id = $1 AND balance >= $2 RETURNING balance, holder;

-- name: Pay :one
UPDATE accounts SET balance = balance + $2 WHERE id = $1 RETURNING id, balance;

-- name: Raise :one
UPDATE accounts SET limits = limits + $2 WHERE id = $1 RETURNING limits;

-- name: Count :one
UPDATE accounts SET moves = moves + 1 WHERE id = $1 RETURNING moves;

-- name: Tag :one
UPDATE accounts SET tags = array_append(tags, $2) WHERE id = $1 RETURNING tags;

-- name: Untag :one
UPDATE accounts SET tags = array_remove(tags, $2) WHERE id = $1 RETURNING id, tags;

-- name: Close :one
DELETE FROM accounts WHERE id = $1 RETURNING balance, tags, moves;
