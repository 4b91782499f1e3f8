-- Deleting a row deletes what refers to it, over two levels.
-- @rows 200k
CREATE TABLE projects (
  id    uuid PRIMARY KEY,
  owner text NOT NULL,                             -- @distinct 50k
  name  text NOT NULL
);
-- @rows 2M
CREATE TABLE tasks (
  id      uuid PRIMARY KEY,
  project uuid NOT NULL REFERENCES projects ON DELETE CASCADE,   -- @each 10 p99 50 max 200
  title   text NOT NULL,
  done    boolean NOT NULL DEFAULT false
);
-- @rows 6M
CREATE TABLE notes (
  task uuid NOT NULL REFERENCES tasks (id) ON DELETE CASCADE,    -- @each 3 p99 20 max 100
  seq  integer NOT NULL,
  body text NOT NULL,
  PRIMARY KEY (task, seq)
);

-- name: ProjectsOf :many
-- @rate 100/s
SELECT id, name FROM projects WHERE owner = ?;

-- name: OpenTasks :many
-- @rate 500/s
SELECT id, title FROM tasks WHERE project = ? AND done = false;

-- name: Task :one
-- @rate 500/s
SELECT t.title, t.done, p.name FROM tasks t JOIN projects p ON p.id = t.project WHERE t.id = ?;

-- name: Notes :many
-- @rate 500/s
SELECT seq, body FROM notes WHERE task = ? ORDER BY seq DESC LIMIT 10;

-- name: AddProject :exec
INSERT INTO projects (id, owner, name) VALUES (?, ?, ?);

-- name: AddTask :exec
-- @rate 10/s
INSERT INTO tasks (id, project, title) VALUES (?, ?, ?);

-- name: AddNote :exec
-- @rate 10/s
INSERT INTO notes (task, seq, body) VALUES (?, ?, ?);

-- name: DropProject :exec
-- @rate 1/min
DELETE FROM projects WHERE id = ?;

-- name: DropTask :exec
-- @rate 1/s
DELETE FROM tasks WHERE id = ?;
