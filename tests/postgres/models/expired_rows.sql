-- A DELETE of what has expired, by the current time; and an array that is never null but may be empty.
CREATE TABLE sessions (
    id uuid PRIMARY KEY,
    username text NOT NULL,
    scopes text[] DEFAULT '{}' NOT NULL,
    expires_at timestamp NOT NULL
);

-- name: SessionById :one
SELECT * FROM sessions WHERE id = ?;

-- name: SessionsOfUser :many
SELECT id, expires_at FROM sessions WHERE username = ?;

-- name: AddSession :exec
INSERT INTO sessions (id, username, expires_at) VALUES (?, ?, ?);

-- name: ChangeScopes :exec
UPDATE sessions SET scopes = ? WHERE id = ?;

-- name: RemoveExpired :exec
DELETE FROM sessions WHERE expires_at < now();
