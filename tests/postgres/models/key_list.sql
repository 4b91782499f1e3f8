-- Writes by a list of keys, of several rows.
-- @rows 1000
CREATE TABLE jobs (
  id      uuid PRIMARY KEY,
  owner   uuid NOT NULL, -- @distinct 500
  state   text NOT NULL, -- @distinct 1000
  tries   int NOT NULL DEFAULT 0,
  seen_at timestamp
);

-- name: Job :one
SELECT * FROM jobs WHERE id = $1;

-- name: JobsOfOwner :many
SELECT id, state, seen_at FROM jobs WHERE owner = $1;

-- name: JobsByState :many
SELECT id, tries FROM jobs WHERE state = $1;

-- name: AddJob :exec
INSERT INTO jobs (id, owner, state) VALUES ($1, $2, $3);

-- name: SeeJobs :exec
UPDATE jobs SET seen_at = now() WHERE id = ANY($1::uuid[]);

-- name: MoveJobs :exec
UPDATE jobs SET state = $2 WHERE id = ANY($1::uuid[]);

-- name: TryJobs :execrows
UPDATE jobs SET tries = tries + 1 WHERE id IN ($1, $2, $3);

-- name: DeleteJobs :exec
DELETE FROM jobs WHERE id = ANY($1::uuid[]);
