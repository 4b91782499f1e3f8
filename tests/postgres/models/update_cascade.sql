-- Changing a key changes the references to it.
-- @rows 10k
CREATE TABLE teams (
  code text PRIMARY KEY,
  name text NOT NULL
);
-- @rows 200k
CREATE TABLE players (
  id    uuid PRIMARY KEY,
  team  text REFERENCES teams (code) ON UPDATE CASCADE ON DELETE SET NULL,   -- @each 20 p99 30 max 60
  name  text NOT NULL
);

-- name: Team :one
-- @rate 100/s
SELECT name FROM teams WHERE code = ?;

-- name: Players :many
-- @rate 100/s
SELECT id, name FROM players WHERE team = ? ORDER BY name, id;

-- name: Player :one
-- @rate 100/s
SELECT p.name, p.team FROM players p WHERE p.id = ?;

-- name: AddTeam :exec
INSERT INTO teams (code, name) VALUES (?, ?);

-- name: AddPlayer :exec
INSERT INTO players (id, team, name) VALUES (?, ?, ?);

-- name: Recode :exec
-- @rate 1/min
UPDATE teams SET code = ? WHERE code = ?;

-- name: DropTeam :exec
-- @rate 1/min
DELETE FROM teams WHERE code = ?;
