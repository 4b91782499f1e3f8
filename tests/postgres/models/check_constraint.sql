-- Conditions that every row must meet.
CREATE TYPE mood AS ENUM ('calm', 'glad', 'sad');

-- @rows 1M
CREATE TABLE accounts (
  id      uuid PRIMARY KEY,
  owner   text NOT NULL CHECK (length(owner) > 0),            -- @distinct 200k
  kind    text NOT NULL CHECK (kind IN ('cash', 'card', 'loan')),
  amount  integer NOT NULL CHECK (amount >= 0),
  least   integer NOT NULL DEFAULT 0,
  most    integer NOT NULL DEFAULT 100000,
  state   mood NOT NULL DEFAULT 'calm',
  CONSTRAINT in_bounds CHECK (least <= most AND amount BETWEEN least AND most)
);

-- name: Account :one
-- @rate 100/s
SELECT owner, kind, amount, least, most, state FROM accounts WHERE id = ?;

-- name: OfOwner :many
-- @rate 100/s
SELECT id, kind, amount FROM accounts WHERE owner = ? AND kind = ?;

-- name: Open :exec
-- @rate 10/s
INSERT INTO accounts (id, owner, kind, amount) VALUES (?, ?, ?, ?);

-- name: SetAmount :exec
-- @rate 10/s
UPDATE accounts SET amount = ? WHERE id = ?;

-- name: SetKind :exec
-- @rate 10/s
UPDATE accounts SET kind = ?, state = ? WHERE id = ?;
