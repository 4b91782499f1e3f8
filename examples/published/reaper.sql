-- Reaper (The Last Pickle): repair runs of clusters, their segments, metrics of nodes.
-- @keyspace reaper

-- @rows 50
CREATE TABLE clusters (
  name        text PRIMARY KEY,
  partitioner text,
  seed_hosts  text[]                                    -- @set @items 5
);

CREATE TABLE repair_units (
  id            uuid PRIMARY KEY,                       -- @time
  cluster_name  text NOT NULL REFERENCES clusters,      -- @each 20
  keyspace_name text NOT NULL
);

CREATE TABLE repair_schedules (
  id             uuid PRIMARY KEY,                      -- @time
  repair_unit_id uuid NOT NULL REFERENCES repair_units, -- @each 1
  state          text,
  days_between   int
);

CREATE TABLE repair_runs (
  id             uuid PRIMARY KEY,                      -- @time
  cluster_name   text NOT NULL REFERENCES clusters,     -- @each 1k p99 5k max 5k
  repair_unit_id uuid NOT NULL REFERENCES repair_units, -- @each 50 p99 200 max 500
  state          text NOT NULL,
  owner          text,
  creation_time  timestamp
);

CREATE TABLE segments (
  run_id        uuid NOT NULL REFERENCES repair_runs,   -- @each 200 p99 2k max 10k
  segment_id    uuid NOT NULL,                          -- @time
  segment_state int NOT NULL,
  start_token   numeric,
  end_token     numeric,
  fail_count    int,
  PRIMARY KEY (run_id, segment_id)
);

-- @retain 1h
CREATE TABLE node_metrics (
  cluster          text NOT NULL REFERENCES clusters,   -- @each 100/s
  host             text NOT NULL,                       -- @distinct 50
  metric_domain    text NOT NULL,                       -- @distinct 2
  metric_type      text NOT NULL,                       -- @distinct 5
  metric_scope     text NOT NULL,
  metric_name      text NOT NULL,
  metric_attribute text NOT NULL,
  ts               timestamp NOT NULL,
  value            double precision,
  PRIMARY KEY (cluster, host, metric_domain, metric_type, ts, metric_scope, metric_name, metric_attribute)
);

-- name: ClusterByName :one
SELECT name, partitioner, seed_hosts FROM clusters WHERE name = ?;

-- name: RunsByCluster :many
SELECT cluster_name, id, state FROM repair_runs WHERE cluster_name = ?;

-- name: RunsByUnit :many
SELECT repair_unit_id, id FROM repair_runs WHERE repair_unit_id = ?;

-- name: RunWithSegments :many
-- @rate 10/s
SELECT r.id, s.segment_id, r.cluster_name, r.state, r.owner, r.creation_time, s.segment_state, s.start_token,
  s.end_token, s.fail_count
FROM segments s JOIN repair_runs r ON r.id = s.run_id WHERE s.run_id = ?;

-- name: SchedulesByClusterAndKeyspace :many
SELECT u.cluster_name, u.keyspace_name, s.id
FROM repair_schedules s JOIN repair_units u ON u.id = s.repair_unit_id
WHERE u.cluster_name = ? AND u.keyspace_name = ?;

-- name: NodeMetrics :many
-- @rate 10/s
SELECT ts, metric_scope, metric_name, metric_attribute, value FROM node_metrics
WHERE cluster = ? AND metric_domain = ? AND metric_type = ? AND host = ? AND ts >= ?;

-- name: SetSegment :exec
-- @rate 50/s
UPDATE segments SET segment_state = ?, fail_count = ? WHERE run_id = ? AND segment_id = ?;

-- name: StoreMetric :exec
-- @rate 5k/s
INSERT INTO node_metrics (cluster, host, metric_domain, metric_type, metric_scope, metric_name, metric_attribute, ts,
  value) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?);
