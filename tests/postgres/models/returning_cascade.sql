-- Deletes and changes of rows that others refer to, which return what they deleted or changed.
-- @rows 10k
CREATE TABLE teams (
  code   text PRIMARY KEY,
  name   text NOT NULL,
  city   text
);

-- @rows 100k
CREATE TABLE players (
  id     uuid PRIMARY KEY,
  team   text REFERENCES teams (code) ON DELETE CASCADE ON UPDATE CASCADE,
  name   text NOT NULL,
  captain uuid REFERENCES players (id) ON DELETE SET NULL
);

-- name: Team :one
SELECT code, name, city FROM teams WHERE code = $1;

-- name: Players :many
SELECT id, name, captain FROM players WHERE team = $1 ORDER BY name, id;

-- name: Player :one
SELECT p.name, p.captain, t.name AS team FROM players p JOIN teams t ON t.code = p.team WHERE p.id = $1;

-- name: AddTeam :one
INSERT INTO teams (code, name, city) VALUES ($1, $2, $3) RETURNING *;

-- name: AddPlayer :one
INSERT INTO players (id, team, name, captain) VALUES ($1, $2, $3, $4) RETURNING id, team, captain;

-- name: RenameTeam :one
UPDATE teams SET code = $2, name = $3 WHERE code = $1 RETURNING code, name, city;

-- name: RemoveTeam :one
DELETE FROM teams WHERE code = $1 RETURNING name, city;

-- name: RemovePlayer :one
DELETE FROM players WHERE id = $1 RETURNING *;
