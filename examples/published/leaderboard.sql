-- Leaderboards of a rhythm game (ScyllaDB, How to Model Leaderboards for 1M Player Game): submissions of a player,
-- best of a song.
-- @keyspace leaderboard

-- @rows 1M
CREATE TABLE players (
  player_id text PRIMARY KEY,
  name      text
);

-- @rows 10k
CREATE TABLE tracks (
  track_id text PRIMARY KEY,
  title    text,
  artist   text,
  album    text
);

CREATE TABLE submissions (
  submission_id uuid PRIMARY KEY,
  track_id      text NOT NULL REFERENCES tracks,
  player_id     text NOT NULL REFERENCES players,       -- @each 100 p99 2k max 20k
  modifiers     text NOT NULL,                          -- @distinct 5 @bytes 8
  difficulty    text NOT NULL,                          -- @distinct 4 @bytes 8
  instrument    text NOT NULL,                          -- @distinct 5 @bytes 8
  score         int NOT NULL,
  stars         int,
  played_at     timestamp NOT NULL
);

-- name: Player :one
-- @rate 100/s
SELECT player_id, name FROM players WHERE player_id = ?;

-- name: Submission :one
-- @rate 100/s
SELECT submission_id, track_id, player_id, modifiers, difficulty, instrument, score, stars, played_at
FROM submissions WHERE submission_id = ?;

-- name: SubmissionsByPlayer :many
-- @rate 100/s  @after Player
SELECT player_id, played_at, submission_id, track_id, modifiers, difficulty, instrument, score, stars
FROM submissions WHERE player_id = ? ORDER BY played_at DESC LIMIT 20;

-- name: Leaderboard :many
-- @rate 1k/s
SELECT track_id, modifiers, difficulty, instrument, score, submission_id, player_id, stars, played_at
FROM submissions WHERE track_id = ? AND modifiers = ? AND difficulty = ? AND instrument = ?
ORDER BY score DESC LIMIT 100;

-- name: Submit :exec
-- @rate 50/s
INSERT INTO submissions (submission_id, track_id, player_id, modifiers, difficulty, instrument, score, stars, played_at)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?);
