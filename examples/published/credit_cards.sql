-- Credit cards (Patrick Callaghan, DataStax): transactions of a card, of a merchant on a day, those under review.
-- @keyspace credit_cards

-- @rows 1M
CREATE TABLE cards (
  cc_no text PRIMARY KEY                                -- @bytes 16
);

-- @rows 50k
CREATE TABLE merchants (
  id       text PRIMARY KEY,
  name     text,
  location text
);

-- @grows 1M/day
CREATE TABLE transactions (
  transaction_id   text PRIMARY KEY,
  cc_no            text NOT NULL REFERENCES cards,      -- @each 1/day p99 10/day max 20/day
  merchant         text NOT NULL REFERENCES merchants,  -- @each 20/day p99 1k/day max 20k/day
  date             date NOT NULL,
  transaction_time timestamp NOT NULL,
  amount           double precision NOT NULL,
  status           text NOT NULL,                       -- @distinct 4 @bytes 8
  notes            text
);

CREATE TABLE rules (
  user_id   text NOT NULL,
  rule_id   text NOT NULL,
  rule_name text,
  amount    double precision,
  PRIMARY KEY (user_id, rule_id)
);

CREATE TABLE blacklist (
  merchant text NOT NULL REFERENCES merchants,          -- @each 0.01
  city     text NOT NULL,
  amount   double precision,
  PRIMARY KEY (merchant, city)
);

-- @column rules.user_id @distinct 100k

-- name: Transaction :one
-- @rate 20/s
SELECT transaction_id, cc_no, merchant, transaction_time, amount, status, notes
FROM transactions WHERE transaction_id = ?;

-- name: TransactionsOfCard :many
-- @rate 100/s
SELECT cc_no, transaction_time, transaction_id, amount, merchant, status FROM transactions
WHERE cc_no = ? ORDER BY transaction_time DESC LIMIT 100;

-- name: TransactionsOfMerchant :many
-- @rate 10/s
SELECT merchant, date, transaction_time, transaction_id, cc_no, amount FROM transactions
WHERE merchant = ? AND date = ? ORDER BY transaction_time DESC;

-- name: RulesOfUser :many
-- @rate 100/s
SELECT user_id, rule_id, rule_name, amount FROM rules WHERE user_id = ?;

-- name: BlacklistOfMerchant :many
-- @rate 100/s
SELECT merchant, city, amount FROM blacklist WHERE merchant = ?;

-- name: Pay :exec
-- @rate 1M/day
INSERT INTO transactions (transaction_id, cc_no, merchant, date, transaction_time, amount, status, notes)
VALUES (?, ?, ?, ?, ?, ?, ?, ?);

-- name: Review :exec
-- @rate 10k/day
UPDATE transactions SET status = ?, notes = ? WHERE transaction_id = ?;
