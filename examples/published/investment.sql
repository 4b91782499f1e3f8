-- Investment portfolios (DataStax Academy): accounts of a user, positions of an account, trades by date, type and
-- symbol.
-- @keyspace investment

-- @rows 1M
CREATE TABLE users (
  username text PRIMARY KEY,
  name     text NOT NULL
);

CREATE TABLE accounts (
  account_number text PRIMARY KEY,
  username       text NOT NULL REFERENCES users,        -- @each 2 p99 10 max 50
  cash_balance   numeric NOT NULL
);

-- @rows 10k
CREATE TABLE instruments (
  symbol text PRIMARY KEY,                              -- @bytes 5
  quote  numeric NOT NULL
);

CREATE TABLE positions (
  account  text NOT NULL REFERENCES accounts,           -- @each 20 p99 100 max 1k
  symbol   text NOT NULL REFERENCES instruments,
  quantity numeric NOT NULL,
  PRIMARY KEY (account, symbol)
);

CREATE TABLE trades (
  trade_id uuid PRIMARY KEY,                            -- @time
  account  text NOT NULL REFERENCES accounts,           -- @each 1/day p99 20/day max 100/day
  symbol   text NOT NULL REFERENCES instruments,
  type     text NOT NULL,                               -- @distinct 2 @bytes 4
  shares   numeric NOT NULL,
  price    numeric NOT NULL,
  amount   numeric NOT NULL
);

-- name: AccountsByUser :many
-- @rate 100/s
SELECT u.username, u.name, a.account_number, a.cash_balance
FROM accounts a JOIN users u ON u.username = a.username WHERE a.username = ?;

-- name: PositionsByAccount :many
-- @rate 100/s  @after AccountsByUser
SELECT account, symbol, quantity FROM positions WHERE account = ? ORDER BY symbol;

-- name: TradesByAccount :many
-- @rate 50/s  @after AccountsByUser
SELECT account, trade_id, type, symbol, shares, price, amount FROM trades
WHERE account = ? ORDER BY trade_id DESC LIMIT 100;

-- name: TradesByDate :many
-- @rate 50/s  @after AccountsByUser
SELECT account, trade_id, type, symbol, shares, price, amount FROM trades
WHERE account = ? AND trade_id > ? AND trade_id < ? ORDER BY trade_id DESC;

-- name: TradesByType :many
-- @rate 10/s  @after AccountsByUser
SELECT account, trade_id, type, symbol, shares, price, amount FROM trades
WHERE account = ? AND type = ? AND trade_id > ? AND trade_id < ? ORDER BY trade_id DESC;

-- name: TradesBySymbolAndType :many
-- @rate 10/s  @after PositionsByAccount
SELECT account, trade_id, type, symbol, shares, price, amount FROM trades
WHERE account = ? AND symbol = ? AND type = ? AND trade_id > ? AND trade_id < ? ORDER BY trade_id DESC;

-- name: TradesBySymbol :many
-- @rate 10/s  @after PositionsByAccount
SELECT account, trade_id, type, symbol, shares, price, amount FROM trades
WHERE account = ? AND symbol = ? AND trade_id > ? AND trade_id < ? ORDER BY trade_id DESC;

-- name: Trade :exec
-- @rate 2M/day
INSERT INTO trades (trade_id, account, symbol, type, shares, price, amount) VALUES (?, ?, ?, ?, ?, ?, ?);

-- name: SetPosition :exec
-- @rate 2M/day
UPDATE positions SET quantity = ? WHERE account = ? AND symbol = ?;
