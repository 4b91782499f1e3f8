-- Wasabi (Intuit): experiments of an application, their buckets, the assignments of users, the audit log.
-- @keyspace wasabi

-- @rows 100
CREATE TABLE applications (
  app_name text PRIMARY KEY                             -- @bytes 12
);

CREATE TABLE experiments (
  id         uuid PRIMARY KEY,
  app_name   text NOT NULL REFERENCES applications,     -- @each 100 p99 1k max 1k
  label      text NOT NULL,
  state      text NOT NULL,                             -- @distinct 5 @bytes 10
  start_time timestamp,
  end_time   timestamp,
  UNIQUE (app_name, label)
);

CREATE TABLE buckets (
  experiment_id uuid NOT NULL REFERENCES experiments,   -- @each 3 p99 10 max 20
  label         text NOT NULL,
  allocation    double precision,
  is_control    boolean,
  PRIMARY KEY (experiment_id, label)
);

-- @rows 10M
CREATE TABLE users (
  user_id text PRIMARY KEY
);

CREATE TABLE assignments (
  experiment_id uuid NOT NULL REFERENCES experiments,   -- @each 10k p99 1M max 5M
  user_id       text NOT NULL REFERENCES users,         -- @each 10 p99 50 max 200
  context       text NOT NULL,                          -- @distinct 2 @bytes 8
  bucket_label  text,
  created       timestamp NOT NULL,
  PRIMARY KEY (experiment_id, user_id, context)
);

CREATE TABLE audit_events (
  event_id         uuid PRIMARY KEY,
  application_name text NOT NULL REFERENCES applications,  -- @each 1k p99 20k max 20k
  time             timestamp NOT NULL,
  action           text,
  user_userid      text
);

-- name: ExperimentByLabel :one
-- @rate 10k/s
SELECT app_name, label, id, start_time, end_time, state FROM experiments WHERE app_name = ? AND label = ?;

-- name: Buckets :many
-- @rate 1k/s  @after ExperimentByLabel
SELECT experiment_id, label, allocation, is_control FROM buckets WHERE experiment_id = ?;

-- name: Assignment :one
-- @rate 10k/s  @after ExperimentByLabel
SELECT experiment_id, user_id, context, bucket_label, created FROM assignments
WHERE experiment_id = ? AND user_id = ? AND context = ?;

-- name: ExperimentsOfUser :many
-- @rate 100/s
SELECT a.user_id, a.context, e.app_name, a.experiment_id, a.bucket_label
FROM assignments a JOIN experiments e ON e.id = a.experiment_id
WHERE a.user_id = ? AND a.context = ? AND e.app_name = ?;

-- name: AuditLog :many
SELECT application_name, time, event_id, action, user_userid FROM audit_events
WHERE application_name = ? ORDER BY time DESC;

-- name: Assign :exec
-- @rate 500/s
INSERT INTO assignments (experiment_id, user_id, context, bucket_label, created) VALUES (?, ?, ?, ?, ?);
