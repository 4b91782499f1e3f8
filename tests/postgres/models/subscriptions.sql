-- Open-ended periods, seats that run out, and totals that may be of nothing.
-- @rows 100k
CREATE TABLE plans (
  id    integer PRIMARY KEY,
  name  text NOT NULL,
  price numeric
);
-- @rows 2M
CREATE TABLE subscriptions (
  id         bigint PRIMARY KEY,
  account    text NOT NULL,                        -- @distinct 500k
  plan_id    integer REFERENCES plans,             -- @each 20 p99 100 max 500
  seats      integer NOT NULL DEFAULT 1,
  used       integer NOT NULL DEFAULT 0,
  credit     numeric,
  started    timestamp NOT NULL,
  ended      timestamp
);

-- name: Current :many
-- @rate 500/s
SELECT s.id, s.seats, s.used, s.started, p.name, p.price FROM subscriptions s LEFT JOIN plans p ON p.id = s.plan_id
WHERE s.account = ? AND s.ended IS NULL ORDER BY s.started DESC, s.id;

-- name: Past :many
-- @rate 10/s
SELECT id, started, ended FROM subscriptions WHERE account = ? AND ended IS NOT NULL ORDER BY ended DESC, id LIMIT 10;

-- name: Credit :one
-- @rate 10/s
SELECT SUM(credit) AS credit, COUNT(*) AS n FROM subscriptions WHERE account = ? AND ended IS NULL;

-- name: Usage :many
-- @rate 10/s
SELECT plan_id, SUM(used) AS used FROM subscriptions WHERE account = ? AND plan_id IS NOT NULL GROUP BY plan_id;

-- name: PlansOf :many
-- @rate 10/s
SELECT DISTINCT p.id, p.name FROM subscriptions s JOIN plans p ON p.id = s.plan_id WHERE s.account = ?;

-- name: HasOpen :one
-- @rate 10/s
SELECT EXISTS(SELECT 1 FROM subscriptions WHERE account = ? AND ended IS NULL);

-- name: Fullest :many
-- @rate 10/s
SELECT id, used FROM subscriptions WHERE account = ? ORDER BY used DESC, id LIMIT 5;

-- name: AddPlan :exec
INSERT INTO plans (id, name, price) VALUES (?, ?, ?);

-- name: Reprice :exec
-- @rate 1/h
UPDATE plans SET price = ? WHERE id = ?;

-- name: Subscribe :exec
-- @rate 10/s
INSERT INTO subscriptions (id, account, plan_id, seats, started) VALUES (?, ?, ?, ?, ?);

-- name: TakeSeat :exec
-- @rate 10/s
UPDATE subscriptions SET used = used + 1 WHERE id = ? AND ended IS NULL AND used < ?;

-- name: FreeSeats :exec
-- @rate 10/s
UPDATE subscriptions SET used = used - :n WHERE id = :id AND used >= :n;

-- name: Grant :exec
-- @rate 1/s
UPDATE subscriptions SET credit = credit + 2.50 WHERE id = ?;

-- name: SetCredit :exec
-- @rate 1/s
UPDATE subscriptions SET credit = ? WHERE id = ? AND credit IS NULL;

-- name: End :exec
-- @rate 1/s
UPDATE subscriptions SET ended = ?, used = 0 WHERE id = ? AND ended IS NULL;

-- name: Reopen :exec
-- @rate 1/s
UPDATE subscriptions SET ended = NULL WHERE id = ?;

-- name: Change :exec
-- @rate 1/s
UPDATE subscriptions SET plan_id = ? WHERE id = ?;

-- name: Erase :exec
-- @rate 1/s
DELETE FROM subscriptions WHERE id = ?;
