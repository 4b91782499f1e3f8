-- Writes that return several rows: by a column that is no key, by a list of keys, by a range; what is computed.
-- @rows 1M
CREATE TABLE tasks (
  id       bigint PRIMARY KEY,
  owner    text NOT NULL,                         -- @distinct 10k
  state    text NOT NULL,                         -- @distinct 5
  title    text,
  effort   integer,
  label    text GENERATED ALWAYS AS (coalesce(title, '?') || ' (' || state || ')') STORED,
  created  timestamptz NOT NULL
);

-- name: Task :one
SELECT id, owner, state, title, effort, label FROM tasks WHERE id = $1;

-- name: TasksOf :many
SELECT id, label, created FROM tasks WHERE owner = $1 ORDER BY created DESC, id;

-- name: OpenTasksOf :many
SELECT id, title FROM tasks WHERE owner = $1 AND state = 'open' ORDER BY created;

-- name: AddTasks :many
INSERT INTO tasks (id, owner, state, title, created) VALUES ($1, $2, 'open', $3, $4), ($5, $2, 'new', NULL, $4)
RETURNING id, label, effort, created;

-- name: Hand :many
UPDATE tasks SET owner = $2 WHERE owner = $1 RETURNING id, owner, title;

-- name: Close :many
UPDATE tasks SET state = 'done' WHERE id = ANY($1::bigint[]) RETURNING id, label, effort;

-- name: Start :one
UPDATE tasks SET state = 'running', effort = $2 WHERE id = $1 AND state = 'open' RETURNING *;

-- name: Rename :one
UPDATE tasks SET title = $2 WHERE id = $1
RETURNING id, label, COALESCE(effort, 0) AS effort, CASE WHEN state = 'done' THEN 'closed' ELSE owner END AS who, title IS NULL AS nameless;

-- name: Estimate :one
UPDATE tasks AS t SET effort = COALESCE($2, effort) WHERE t.id = $1 RETURNING t.*;

-- name: Drop :many
DELETE FROM tasks WHERE owner = $1 AND created < $2 RETURNING id, created;

-- name: Remove :one
DELETE FROM tasks WHERE id = $1 RETURNING *;

-- name: RemoveDone :one
DELETE FROM tasks WHERE id = $1 AND state = 'done' RETURNING id, title, label;

-- name: Forget :exec
DELETE FROM tasks WHERE id = $1 RETURNING id;
