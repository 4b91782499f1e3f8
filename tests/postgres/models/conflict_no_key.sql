-- A table without a key: nothing conflicts, and every row is inserted.
-- @rows 1000
CREATE TABLE users (
  id int PRIMARY KEY
);
CREATE TABLE disabled_users (
  user_id     int NOT NULL REFERENCES users ON DELETE CASCADE,
  disabled_at timestamp DEFAULT CURRENT_TIMESTAMP
);

-- name: DisabledUser :many
SELECT user_id, disabled_at FROM disabled_users WHERE user_id = $1;

-- name: AddUser :exec
INSERT INTO users (id) VALUES ($1);

-- name: DisableUser :exec
INSERT INTO disabled_users (user_id) VALUES ($1) ON CONFLICT DO NOTHING;

-- name: TouchDisabled :exec
UPDATE disabled_users SET disabled_at = now() WHERE user_id = $1;

-- name: EnableUser :exec
DELETE FROM disabled_users WHERE user_id = $1;
