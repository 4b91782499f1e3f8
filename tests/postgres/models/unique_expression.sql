-- A unique index over an expression is a key of the value, and null where the column is.
-- @rows 1000
CREATE TABLE teams (
  id   uuid PRIMARY KEY,
  league  uuid NOT NULL, -- @distinct 1000
  name text NOT NULL,
  slug varchar(20),
  gone boolean NOT NULL DEFAULT false
);
CREATE UNIQUE INDEX teams_name ON teams USING btree (league, lower(name)) WHERE (gone = false);
CREATE UNIQUE INDEX teams_slug ON teams USING btree (lower((slug)::text));

-- name: Team :one
SELECT * FROM teams WHERE id = $1;

-- name: TeamsOfLeague :many
SELECT id, name, slug FROM teams WHERE league = $1 ORDER BY name;

-- name: AddTeam :one
INSERT INTO teams (id, league, name, slug) VALUES ($1, $2, $3, $4) RETURNING *;

-- name: RenameTeam :exec
UPDATE teams SET name = $2, slug = $3 WHERE id = $1;

-- name: CloseTeam :exec
UPDATE teams SET gone = true WHERE id = $1;

-- name: DeleteTeam :exec
DELETE FROM teams WHERE id = $1;
