-- A constant for each row: what ActiveRecord sends to ask whether a row exists.
-- @rows 1000
CREATE TABLE members (
  id    uuid PRIMARY KEY,
  email text NOT NULL,
  team  text
);

-- name: EmailTaken :one
SELECT 1 AS one FROM members WHERE email = $1 LIMIT 1;

-- name: MembersOfTeam :many
SELECT id, 'member' AS kind, 1.50 AS weight, true AS known FROM members WHERE team = $1;

-- name: AddMember :exec
INSERT INTO members (id, email, team) VALUES ($1, $2, $3);

-- name: DeleteMember :exec
DELETE FROM members WHERE id = $1;
