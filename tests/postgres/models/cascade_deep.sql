-- A row that two cascades reach, one of them through another table that no query reads.
CREATE TABLE months (id uuid PRIMARY KEY, year int NOT NULL);
CREATE TABLE days (id uuid PRIMARY KEY, month_id uuid NOT NULL REFERENCES months ON DELETE CASCADE);
CREATE TABLE labels (id uuid PRIMARY KEY, name text NOT NULL, month_id uuid REFERENCES months ON DELETE CASCADE);
CREATE TABLE tasks (
    id uuid PRIMARY KEY,
    name text NOT NULL,
    day_id uuid NOT NULL REFERENCES days ON DELETE CASCADE,
    label_id uuid REFERENCES labels ON DELETE SET NULL
);

-- name: TasksOfDay :many
SELECT * FROM tasks WHERE day_id = ? ORDER BY name, id;

-- name: AddMonth :exec
INSERT INTO months (id, year) VALUES (?, ?);

-- name: AddDay :exec
INSERT INTO days (id, month_id) VALUES (?, ?);

-- name: AddLabel :exec
INSERT INTO labels (id, name, month_id) VALUES (?, ?, ?);

-- name: AddTask :exec
INSERT INTO tasks (id, name, day_id, label_id) VALUES (?, ?, ?, ?);

-- name: RemoveLabel :exec
DELETE FROM labels WHERE id = ?;

-- name: RemoveMonth :exec
DELETE FROM months WHERE id = ?;
