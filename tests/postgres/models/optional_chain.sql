-- Optional references, one after the other, and rows that leave a table.
CREATE TABLE teams (id uuid PRIMARY KEY, name text NOT NULL, lead_id uuid);
CREATE TABLE employees (
  id uuid PRIMARY KEY,
  name text NOT NULL,
  team_id uuid REFERENCES teams,
  manager_id uuid REFERENCES employees,
  left_on date,
  grade int
);
-- name: Employee :one
SELECT e.id, e.name, m.name AS manager, t.name AS team FROM employees e LEFT JOIN employees m ON m.id = e.manager_id LEFT JOIN teams t ON t.id = e.team_id WHERE e.id = ?;
-- name: Chain :one
SELECT e.name, m.name AS manager, mm.name AS director FROM employees e LEFT JOIN employees m ON m.id = e.manager_id LEFT JOIN employees mm ON mm.id = m.manager_id WHERE e.id = ?;
-- name: Reports :many
SELECT e.id, e.name, t.name AS team FROM employees e LEFT JOIN teams t ON t.id = e.team_id WHERE e.manager_id = ? AND e.left_on IS NULL ORDER BY COALESCE(t.name, ''), e.name;
-- name: Unassigned :many
SELECT id, name FROM employees WHERE team_id IS NULL AND left_on IS NULL ORDER BY name;
-- name: Active :one
SELECT COUNT(*) AS n FROM employees WHERE team_id = ? AND left_on IS NULL;
-- name: Hire :exec
INSERT INTO employees (id, name, team_id, manager_id, grade) VALUES (?, ?, ?, ?, ?);
-- name: AddTeam :exec
INSERT INTO teams (id, name) VALUES (?, ?);
-- name: RenameTeam :exec
UPDATE teams SET name = ? WHERE id = ?;
-- name: Rename :exec
UPDATE employees SET name = ? WHERE id = ?;
-- name: Assign :exec
UPDATE employees SET team_id = ? WHERE id = ?;
-- name: Report :exec
UPDATE employees SET manager_id = ? WHERE id = ?;
-- name: Leave :exec
UPDATE employees SET left_on = ?, team_id = NULL WHERE id = ?;
-- name: Promote :exec
UPDATE employees SET grade = grade + 1 WHERE id = ? AND left_on IS NULL;
