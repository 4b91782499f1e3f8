-- INSERTs that add to an existing row.
-- @rows 5M
CREATE TABLE stock (
  shop  text NOT NULL,
  item  text NOT NULL,
  n     integer NOT NULL,
  sold  bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (shop, item)
);
-- @rows 5M
CREATE TABLE visits (
  page text NOT NULL,
  day  date NOT NULL,
  n    bigint NOT NULL,
  PRIMARY KEY (page, day)
);

-- name: Item :one
-- @rate 500/s
SELECT n, sold FROM stock WHERE shop = ? AND item = ?;

-- name: OfShop :many
-- @rate 100/s
SELECT item, n FROM stock WHERE shop = ?;

-- name: Visits :many
-- @rate 100/s
SELECT day, n FROM visits WHERE page = ? ORDER BY day DESC LIMIT 30;

-- name: Deliver :exec
-- @rate 50/s
INSERT INTO stock (shop, item, n) VALUES (?, ?, ?)
ON CONFLICT (shop, item) DO UPDATE SET n = stock.n + EXCLUDED.n;

-- name: Visit :exec
-- @rate 50/s
INSERT INTO visits (page, day, n) VALUES (?, ?, 1)
ON CONFLICT (page, day) DO UPDATE SET n = visits.n + 1;
