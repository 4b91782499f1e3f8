-- @rows 1000
CREATE TABLE accounts (
  id      uuid PRIMARY KEY,
  email   text NOT NULL,
  name    text,
  city    text NOT NULL,
  age     int
);

-- name: Account :one
SELECT id, email, name, city, age FROM accounts WHERE id = $1;

-- name: AccountsByCity :many
SELECT id, name FROM accounts WHERE city = $1 ORDER BY age DESC;

-- name: AddAccount :exec
INSERT INTO accounts (id, email, name, city, age) VALUES ($1, $2, $3, $4, $5);

-- The city is part of a key: the row moves, or stays.
-- name: ChangeAccount :exec
UPDATE accounts
SET email = COALESCE(sqlc.narg('email'), email),
    name = coalesce(@name, name),
    city = COALESCE(sqlc.narg(city), city)
WHERE id = sqlc.arg('id');

-- name: Rename :execrows
UPDATE accounts SET name = COALESCE($2, name), age = $3 WHERE id = $1;
