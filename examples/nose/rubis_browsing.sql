-- RUBiS, an auction site, as the experiments of NoSE count it: the browsing mix.
-- Weights are rates; every whole number has ten different values, as its program took them to have.
-- @keyspace rubis

-- @rows 50
CREATE TABLE categories (
  id            uuid PRIMARY KEY,
  name          text NOT NULL,                     -- @bytes 20
  dummy         int NOT NULL                       -- @distinct 10
);

-- @rows 5
CREATE TABLE regions (
  id            uuid PRIMARY KEY,
  name          text NOT NULL,                     -- @bytes 25
  dummy         int NOT NULL                       -- @distinct 10
);

-- @rows 2000
CREATE TABLE users (
  id            uuid PRIMARY KEY,
  region        uuid NOT NULL REFERENCES regions,
  firstname     text NOT NULL,                     -- @bytes 6
  lastname      text NOT NULL,                     -- @bytes 7
  nickname      text NOT NULL,                     -- @bytes 12
  password      text NOT NULL,                     -- @bytes 15
  email         text NOT NULL,                     -- @bytes 23
  rating        int NOT NULL,                      -- @distinct 10
  balance       double precision NOT NULL,         -- @distinct 10k
  creation_date timestamp NOT NULL
);

-- @rows 20000
CREATE TABLE items (
  id            uuid PRIMARY KEY,
  seller        uuid NOT NULL REFERENCES users,
  category      uuid NOT NULL REFERENCES categories,
  name          text NOT NULL,                     -- @bytes 19
  description   text NOT NULL,                     -- @bytes 197
  initial_price double precision NOT NULL,
  quantity      int NOT NULL,                      -- @distinct 10
  reserve_price double precision NOT NULL,
  buy_now       double precision NOT NULL,
  nb_of_bids    int NOT NULL,                      -- @distinct 10
  max_bid       double precision NOT NULL,
  start_date    timestamp NOT NULL,
  end_date      timestamp NOT NULL
);

-- @rows 200000
CREATE TABLE bids (
  id            uuid PRIMARY KEY,
  bidder        uuid NOT NULL REFERENCES users,
  item          uuid NOT NULL REFERENCES items,
  qty           int NOT NULL,                      -- @distinct 10
  bid           double precision NOT NULL,
  date          timestamp NOT NULL
);

-- @rows 100000
CREATE TABLE comments (
  id            uuid PRIMARY KEY,
  from_user     uuid NOT NULL REFERENCES users,
  to_user       uuid NOT NULL REFERENCES users,
  item          uuid NOT NULL REFERENCES items,
  rating        int NOT NULL,                      -- @distinct 10
  date          timestamp NOT NULL,
  comment       text NOT NULL                      -- @bytes 130
);

-- @rows 40000
CREATE TABLE buynow (
  id            uuid PRIMARY KEY,
  buyer         uuid NOT NULL REFERENCES users,
  item          uuid NOT NULL REFERENCES items,
  qty           int NOT NULL,                      -- @distinct 10
  date          timestamp NOT NULL
);

-- BrowseCategories

-- name: BrowseCategories_user :one
-- @rate 4.44/s
SELECT nickname, password FROM users WHERE id = ?;

-- name: BrowseCategories_categories :many
-- @rate 4.44/s
SELECT id, name FROM categories WHERE dummy = ?;

-- ViewBidHistory

-- name: ViewBidHistory_item :one
-- @rate 2.38/s
SELECT name FROM items WHERE id = ?;

-- name: ViewBidHistory_bids :many
-- @rate 2.38/s
SELECT b.id, b.qty, b.bid, b.date, u.id AS bidder, u.nickname
FROM bids b JOIN users u ON u.id = b.bidder WHERE b.item = ? ORDER BY b.date;

-- ViewItem

-- name: ViewItem_item :one
-- @rate 22.95/s
SELECT id, name, description, initial_price, quantity, reserve_price, buy_now, nb_of_bids, max_bid, start_date, end_date
FROM items WHERE id = ?;

-- name: ViewItem_bids :many
-- @rate 22.95/s
SELECT id, qty, bid, date FROM bids WHERE item = ?;

-- SearchItemsByCategory

-- name: SearchItemsByCategory_items :many
-- @rate 27.77/s
SELECT id, name, initial_price, max_bid, nb_of_bids, end_date
FROM items WHERE category = ? AND end_date >= ? LIMIT 25;

-- ViewUserInfo

-- name: ViewUserInfo_user :one
-- @rate 4.41/s
SELECT id, firstname, lastname, nickname, password, email, rating, balance, creation_date FROM users WHERE id = ?;

-- name: ViewUserInfo_comments :many
-- @rate 4.41/s
SELECT id, rating, date, comment FROM comments WHERE to_user = ?;

-- SearchItemsByRegion

-- name: SearchItemsByRegion_items :many
-- @rate 8.26/s
SELECT i.id, i.name, i.initial_price, i.max_bid, i.nb_of_bids, i.end_date
FROM items i JOIN users u ON u.id = i.seller
WHERE u.region = ? AND i.category = ? AND i.end_date >= ? LIMIT 25;

-- BrowseRegions

-- name: BrowseRegions_regions :many
-- @rate 3.21/s
SELECT id, name FROM regions WHERE dummy = ?;
