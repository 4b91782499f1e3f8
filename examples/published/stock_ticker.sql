-- Stock prices (C. Y. Kan, Cassandra Data Modeling and Analysis): the closing prices of an exchange on a day.
-- @keyspace stock_ticker

-- @rows 20k
CREATE TABLE stock_symbol (
  symbol      text PRIMARY KEY,                         -- @bytes 5
  description text,
  exchange    text NOT NULL                             -- @distinct 10 @bytes 6
);

CREATE TABLE stock_ticker (
  symbol    text NOT NULL REFERENCES stock_symbol,      -- @each 250/365d
  tick_date date NOT NULL,
  open      numeric,
  high      numeric,
  low       numeric,
  close     numeric,
  volume    bigint,
  PRIMARY KEY (symbol, tick_date)
);

-- name: ClosingPricesOfExchange :many
-- @rate 10/s
SELECT s.exchange, t.tick_date, s.symbol, s.description, t.close
FROM stock_ticker t JOIN stock_symbol s ON s.symbol = t.symbol WHERE s.exchange = ? AND t.tick_date = ?;

-- name: PricesOfSymbol :many
-- @rate 100/s
SELECT symbol, tick_date, open, high, low, close, volume FROM stock_ticker
WHERE symbol = ? AND tick_date >= ? AND tick_date <= ? ORDER BY tick_date;

-- name: Tick :exec
-- @rate 13.7k/day
INSERT INTO stock_ticker (symbol, tick_date, open, high, low, close, volume) VALUES (?, ?, ?, ?, ?, ?, ?);
