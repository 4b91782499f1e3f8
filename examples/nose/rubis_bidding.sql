-- RUBiS, an auction site, as the experiments of NoSE count it: the bidding mix.
-- Weights are rates; every whole number has ten different values, as its program took them to have; next to nothing grows.
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

-- @rows 2000  @grows 1/day
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

-- @rows 20000  @grows 1/day
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

-- @rows 200000  @grows 1/day
CREATE TABLE bids (
  id            uuid PRIMARY KEY,
  bidder        uuid NOT NULL REFERENCES users,
  item          uuid NOT NULL REFERENCES items,
  qty           int NOT NULL,                      -- @distinct 10
  bid           double precision NOT NULL,
  date          timestamp NOT NULL
);

-- @rows 100000  @grows 1/day
CREATE TABLE comments (
  id            uuid PRIMARY KEY,
  from_user     uuid NOT NULL REFERENCES users,
  to_user       uuid NOT NULL REFERENCES users,
  item          uuid NOT NULL REFERENCES items,
  rating        int NOT NULL,                      -- @distinct 10
  date          timestamp NOT NULL,
  comment       text NOT NULL                      -- @bytes 130
);

-- @rows 40000  @grows 1/day
CREATE TABLE buynow (
  id            uuid PRIMARY KEY,
  buyer         uuid NOT NULL REFERENCES users,
  item          uuid NOT NULL REFERENCES items,
  qty           int NOT NULL,                      -- @distinct 10
  date          timestamp NOT NULL
);

-- BrowseCategories

-- name: BrowseCategories_user :one
-- @rate 7.65/s
SELECT nickname, password FROM users WHERE id = ?;

-- name: BrowseCategories_categories :many
-- @rate 7.65/s
SELECT id, name FROM categories WHERE dummy = ?;

-- ViewBidHistory

-- name: ViewBidHistory_item :one
-- @rate 1.54/s
SELECT name FROM items WHERE id = ?;

-- name: ViewBidHistory_bids :many
-- @rate 1.54/s
SELECT b.id, b.qty, b.bid, b.date, u.id AS bidder, u.nickname
FROM bids b JOIN users u ON u.id = b.bidder WHERE b.item = ? ORDER BY b.date;

-- ViewItem

-- name: ViewItem_item :one
-- @rate 14.17/s
SELECT id, name, description, initial_price, quantity, reserve_price, buy_now, nb_of_bids, max_bid, start_date, end_date
FROM items WHERE id = ?;

-- name: ViewItem_bids :many
-- @rate 14.17/s
SELECT id, qty, bid, date FROM bids WHERE item = ?;

-- SearchItemsByCategory

-- name: SearchItemsByCategory_items :many
-- @rate 15.94/s
SELECT id, name, initial_price, max_bid, nb_of_bids, end_date
FROM items WHERE category = ? AND end_date >= ? LIMIT 25;

-- ViewUserInfo

-- name: ViewUserInfo_user :one
-- @rate 2.48/s
SELECT id, firstname, lastname, nickname, password, email, rating, balance, creation_date FROM users WHERE id = ?;

-- name: ViewUserInfo_comments :many
-- @rate 2.48/s
SELECT id, rating, date, comment FROM comments WHERE to_user = ?;

-- RegisterItem

-- name: RegisterItem_insert :exec
-- @rate 0.53/s
INSERT INTO items (id, seller, category, name, description, initial_price, quantity, reserve_price, buy_now, nb_of_bids, max_bid,
  start_date, end_date)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?);

-- RegisterUser

-- name: RegisterUser_insert :exec
-- @rate 1.07/s
INSERT INTO users (id, region, firstname, lastname, nickname, password, email, rating, balance, creation_date)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?);

-- BuyNow

-- name: BuyNow_user :one
-- @rate 1.16/s
SELECT nickname FROM users WHERE id = ?;

-- name: BuyNow_item :one
-- @rate 1.16/s
SELECT id, name, description, initial_price, quantity, reserve_price, buy_now, nb_of_bids, max_bid, start_date, end_date
FROM items WHERE id = ?;

-- StoreBuyNow

-- name: StoreBuyNow_item :one
-- @rate 1.1/s
SELECT quantity, nb_of_bids, end_date FROM items WHERE id = ?;

-- name: StoreBuyNow_update :exec
-- @rate 1.1/s
UPDATE items SET quantity = ?, nb_of_bids = ?, end_date = ? WHERE id = ?;

-- name: StoreBuyNow_insert :exec
-- @rate 1.1/s
INSERT INTO buynow (id, buyer, item, qty, date) VALUES (?, ?, ?, ?, ?);

-- PutBid

-- name: PutBid_user :one
-- @rate 5.4/s
SELECT nickname, password FROM users WHERE id = ?;

-- name: PutBid_item :one
-- @rate 5.4/s
SELECT id, name, description, initial_price, quantity, reserve_price, buy_now, nb_of_bids, max_bid, start_date, end_date
FROM items WHERE id = ?;

-- name: PutBid_bids :many
-- @rate 5.4/s
SELECT qty, date FROM bids WHERE item = ? ORDER BY bid DESC LIMIT 2;

-- StoreBid

-- name: StoreBid_insert :exec
-- @rate 3.74/s
INSERT INTO bids (id, bidder, item, qty, bid, date) VALUES (?, ?, ?, ?, ?, ?);

-- name: StoreBid_item :one
-- @rate 3.74/s
SELECT nb_of_bids, max_bid FROM items WHERE id = ?;

-- name: StoreBid_update :exec
-- @rate 3.74/s
UPDATE items SET nb_of_bids = ?, max_bid = ? WHERE id = ?;

-- PutComment

-- name: PutComment_writer :one
-- @rate 0.46/s
SELECT nickname, password FROM users WHERE id = ?;

-- name: PutComment_item :one
-- @rate 0.46/s
SELECT id, name, description, initial_price, quantity, reserve_price, buy_now, nb_of_bids, max_bid, start_date, end_date
FROM items WHERE id = ?;

-- name: PutComment_user :one
-- @rate 0.46/s
SELECT id, firstname, lastname, nickname, password, email, rating, balance, creation_date FROM users WHERE id = ?;

-- StoreComment

-- name: StoreComment_user :one
-- @rate 0.45/s
SELECT rating FROM users WHERE id = ?;

-- name: StoreComment_update :exec
-- @rate 0.45/s
UPDATE users SET rating = ? WHERE id = ?;

-- name: StoreComment_insert :exec
-- @rate 0.45/s
INSERT INTO comments (id, from_user, to_user, item, rating, date, comment) VALUES (?, ?, ?, ?, ?, ?, ?);

-- AboutMe

-- name: AboutMe_user :one
-- @rate 1.71/s
SELECT id, firstname, lastname, nickname, password, email, rating, balance, creation_date FROM users WHERE id = ?;

-- name: AboutMe_comments :many
-- @rate 1.71/s
SELECT id, rating, date, comment FROM comments WHERE to_user = ?;

-- name: AboutMe_commenter :one
-- @rate 1.71/s
SELECT u.nickname FROM comments c JOIN users u ON u.id = c.from_user WHERE c.id = ?;

-- name: AboutMe_bought :many
-- @rate 1.71/s
SELECT b.id AS buynow, b.qty, b.date, i.id, i.name, i.description, i.initial_price, i.quantity, i.reserve_price, i.buy_now,
  i.nb_of_bids, i.max_bid, i.start_date, i.end_date
FROM buynow b JOIN items i ON i.id = b.item WHERE b.buyer = ? AND b.date >= ?;

-- name: AboutMe_sold :many
-- @rate 1.71/s
SELECT id, name, description, initial_price, quantity, reserve_price, buy_now, nb_of_bids, max_bid, start_date, end_date
FROM items WHERE seller = ? AND end_date >= ?;

-- name: AboutMe_bid_on :many
-- @rate 1.71/s
SELECT i.id, i.name, i.description, i.initial_price, i.quantity, i.reserve_price, i.buy_now, i.nb_of_bids, i.max_bid,
  i.start_date, i.end_date
FROM bids b JOIN items i ON i.id = b.item WHERE b.bidder = ? AND i.end_date >= ?;

-- SearchItemsByRegion

-- name: SearchItemsByRegion_items :many
-- @rate 6.34/s
SELECT i.id, i.name, i.initial_price, i.max_bid, i.nb_of_bids, i.end_date
FROM items i JOIN users u ON u.id = i.seller
WHERE u.region = ? AND i.category = ? AND i.end_date >= ? LIMIT 25;

-- BrowseRegions

-- name: BrowseRegions_regions :many
-- @rate 5.39/s
SELECT id, name FROM regions WHERE dummy = ?;
