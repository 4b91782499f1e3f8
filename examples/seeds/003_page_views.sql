-- Seed 003, "Counter Misuse": the counters of a page beside what is known of it, in two tables; and exact daily figures without
-- a counter.
-- @keyspace pages

-- @rows 100k
CREATE TABLE pages (
  page_id         uuid PRIMARY KEY,
  title           text,
  url             text,
  created_at      timestamp,
  view_count      bigint NOT NULL DEFAULT 0,
  unique_visitors bigint NOT NULL DEFAULT 0
);

CREATE TABLE daily_page_views (
  page_id uuid NOT NULL REFERENCES pages,  -- @each 1/day
  date    date NOT NULL,
  views   bigint NOT NULL,                 -- @exact
  PRIMARY KEY (page_id, date)
);

-- name: PageInfo :one
-- @rate 1k/s
SELECT page_id, title, url, created_at FROM pages WHERE page_id = ?;

-- name: PageViews :one
-- @rate 1k/s
SELECT view_count, unique_visitors FROM pages WHERE page_id = ?;

-- name: DailyViews :many
-- @rate 1/s
SELECT date, views FROM daily_page_views WHERE page_id = ? AND date >= ? AND date < ?;

-- name: AddPage :exec
-- @rate 100/day
INSERT INTO pages (page_id, title, url, created_at) VALUES (?, ?, ?, ?);

-- name: CountView :exec
-- @rate 5k/s
UPDATE pages SET view_count = view_count + 1 WHERE page_id = ?;

-- name: CountVisitor :exec
-- @rate 1k/s
UPDATE pages SET unique_visitors = unique_visitors + 1 WHERE page_id = ?;

-- name: CountDay :exec
-- @rate 100k/day
UPDATE daily_page_views SET views = views + ? WHERE page_id = ? AND date = ?;
