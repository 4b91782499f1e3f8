-- Columns that are added to and also ordered, filtered or summed by: they are no counters.
-- @rows 1M
CREATE TABLE scores (
  game   text NOT NULL,                            -- @distinct 10k
  player text NOT NULL,
  points integer NOT NULL DEFAULT 0,
  wins   bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (game, player)
);

-- name: Best :many
-- @rate 100/s
SELECT player, points FROM scores WHERE game = ? ORDER BY points DESC, player LIMIT 10;

-- name: Above :many
-- @rate 10/s
SELECT player, points FROM scores WHERE game = ? AND points >= ?;

-- name: Total :one
-- @rate 10/s
SELECT SUM(wins) AS wins, COUNT(*) AS players FROM scores WHERE game = ?;

-- name: Score :one
-- @rate 100/s
SELECT points, wins FROM scores WHERE game = ? AND player = ?;

-- name: Join :exec
-- @rate 10/s
INSERT INTO scores (game, player) VALUES (?, ?);

-- name: Earn :exec
-- @rate 50/s
UPDATE scores SET points = points + ? WHERE game = ? AND player = ?;

-- name: Win :exec
-- @rate 50/s
UPDATE scores SET wins = wins + 1, points = points + ? WHERE game = ? AND player = ?;
