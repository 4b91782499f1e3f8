-- Open banking (Patrick Callaghan, DataStax): banks, branches, accounts, transactions, permissions.
-- @keyspace open_banking

-- @rows 100
CREATE TABLE banks (
  bank_id text PRIMARY KEY,
  json    text                                          -- @bytes 500
);

CREATE TABLE branches (
  bank_id   text NOT NULL REFERENCES banks,             -- @each 500 p99 5k max 5k
  branch_id text NOT NULL,
  json      text,                                       -- @bytes 500
  PRIMARY KEY (bank_id, branch_id)
);

CREATE TABLE accounts (
  bank_id    text NOT NULL REFERENCES banks,            -- @each 20k p99 200k max 200k
  account_id text NOT NULL,
  iban       text,
  number     text,
  PRIMARY KEY (bank_id, account_id)
);

-- @column accounts.account_id @distinct 2M

CREATE TABLE permissions (
  bank_id     text NOT NULL,
  account_id  text NOT NULL,
  user_id     text NOT NULL,
  provider_id text NOT NULL,
  view_id     text NOT NULL,
  view_json   text,
  PRIMARY KEY (bank_id, account_id, user_id, provider_id, view_id),
  FOREIGN KEY (bank_id, account_id) REFERENCES accounts -- @each 2 p99 10 max 20
);

CREATE TABLE transactions (
  transaction_id text PRIMARY KEY,
  bank_id        text NOT NULL,
  account_id     text NOT NULL,
  completed      timestamp NOT NULL,
  value          double precision NOT NULL,
  counterparty   text,
  FOREIGN KEY (bank_id, account_id) REFERENCES accounts -- @each 1/day p99 10/day max 50/day
);

-- @rows 1M
CREATE TABLE users (
  user_name    text PRIMARY KEY,
  email        text,
  display_name text
);

-- name: Banks :many
SELECT bank_id, json FROM banks;

-- name: BranchesOfBank :many
-- @rate 10/s  @after Banks
SELECT bank_id, branch_id, json FROM branches WHERE bank_id = ?;

-- name: AccountsOfBank :many
SELECT bank_id, account_id, iban, number FROM accounts WHERE bank_id = ?;

-- name: TransactionsOfAccount :many
-- @rate 200/s
SELECT account_id, completed, transaction_id, value, counterparty FROM transactions
WHERE account_id = ? ORDER BY completed DESC LIMIT 100;

-- name: Permissions :many
-- @rate 200/s
SELECT bank_id, account_id, user_id, provider_id, view_id, view_json FROM permissions
WHERE bank_id = ? AND account_id = ?;

-- name: User :one
-- @rate 200/s
SELECT user_name, email, display_name FROM users WHERE user_name = ?;

-- name: Complete :exec
-- @rate 2M/day
INSERT INTO transactions (transaction_id, bank_id, account_id, completed, value, counterparty)
VALUES (?, ?, ?, ?, ?, ?);
