-- Cadence (Uber): the visibility of workflows: the open and the closed executions of a domain.
-- @keyspace cadence

-- @rows 500
CREATE TABLE domains (
  domain_id uuid PRIMARY KEY,
  name      text NOT NULL UNIQUE
);

-- @grows 5M/day @retain 7d
CREATE TABLE closed_executions (
  run_id             uuid PRIMARY KEY,
  domain_id          uuid NOT NULL REFERENCES domains,  -- @each 10k/day p99 30k/day max 40k/day
  workflow_id        text NOT NULL,                     -- @distinct 20M
  start_time         timestamp NOT NULL,
  close_time         timestamp NOT NULL,
  status             int NOT NULL,                      -- @distinct 6
  workflow_type_name text NOT NULL,                     -- @distinct 5k
  history_length     bigint NOT NULL,
  memo               bytea                              -- @bytes 200
);

-- @rows 1M
CREATE TABLE open_executions (
  run_id             uuid PRIMARY KEY,
  domain_id          uuid NOT NULL REFERENCES domains,  -- @each 2k p99 20k max 50k
  workflow_id        text NOT NULL,                     -- @distinct 1M
  start_time         timestamp NOT NULL,
  workflow_type_name text NOT NULL,                     -- @distinct 5k
  memo               bytea                              -- @bytes 200
);

-- name: DomainByName :one
-- @rate 1k/s
SELECT domain_id FROM domains WHERE name = ?;

-- name: OpenExecutions :many
-- @rate 20/s @span 1d
SELECT workflow_id, run_id, start_time, workflow_type_name, memo FROM open_executions
WHERE domain_id = ? AND start_time >= ? AND start_time <= ? ORDER BY start_time DESC LIMIT 100;

-- name: ClosedExecutions :many
-- @rate 20/s @span 1d
SELECT workflow_id, run_id, start_time, close_time, status, workflow_type_name, history_length, memo FROM closed_executions
WHERE domain_id = ? AND close_time >= ? AND close_time <= ? ORDER BY close_time DESC LIMIT 100;

-- name: Open :exec
-- @rate 5M/day
INSERT INTO open_executions (run_id, domain_id, workflow_id, start_time, workflow_type_name, memo) VALUES (?, ?, ?, ?, ?, ?);

-- name: Close :exec
-- @rate 5M/day
INSERT INTO closed_executions (run_id, domain_id, workflow_id, start_time, close_time, status, workflow_type_name, history_length, memo)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?);

-- name: RemoveOpen :exec
-- @rate 5M/day
DELETE FROM open_executions WHERE run_id = ?;
