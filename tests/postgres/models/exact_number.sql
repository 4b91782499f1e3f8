-- Numbers that are added to and also ordered by, summed, compared and set.
CREATE TABLE customers (id uuid PRIMARY KEY, name text NOT NULL);
CREATE TABLE accounts (
  id uuid PRIMARY KEY,
  customer_id uuid NOT NULL REFERENCES customers, -- @each 3
  kind text NOT NULL,
  balance numeric NOT NULL,
  points int NOT NULL,
  overdraft bigint
);
-- name: Account :one
SELECT id, kind, balance, points, overdraft FROM accounts WHERE id = ?;
-- name: Richest :many
SELECT id, kind, balance FROM accounts WHERE customer_id = ? ORDER BY balance DESC LIMIT 3;
-- name: Points :one
SELECT SUM(points) AS points FROM accounts WHERE customer_id = ?;
-- name: PointsByKind :many
SELECT kind, SUM(points) AS points, SUM(overdraft) AS overdraft FROM accounts WHERE customer_id = ? GROUP BY kind;
-- name: Kinds :many
SELECT DISTINCT kind FROM accounts WHERE customer_id = ? ORDER BY kind;
-- name: AddCustomer :exec
INSERT INTO customers (id, name) VALUES (?, ?);
-- name: Open :exec
INSERT INTO accounts (id, customer_id, kind, balance, points, overdraft) VALUES (?, ?, ?, ?, ?, ?);
-- name: Deposit :exec
UPDATE accounts SET balance = balance + ? WHERE id = ?;
-- name: Withdraw :exec
UPDATE accounts SET balance = balance - :amount, points = points + 1 WHERE id = :id AND balance >= :amount;
-- name: Award :exec
UPDATE accounts SET points = points + ? WHERE id = ? AND kind = 'gold';
-- name: Overdraw :exec
UPDATE accounts SET overdraft = overdraft - 5 WHERE id = ?;
-- name: Close :exec
DELETE FROM accounts WHERE id = ? AND balance = 0;
