-- Hawkular Metrics (Red Hat): metrics of tenants, their tags and their data points.
-- @keyspace hawkular

-- @rows 1k
CREATE TABLE tenants (
  tenant_id text PRIMARY KEY
);

CREATE TABLE metrics (
  tenant_id      text NOT NULL REFERENCES tenants,      -- @each 5k p99 50k max 200k
  type           smallint NOT NULL,                     -- @distinct 5
  metric         text NOT NULL,                         -- @bytes 60
  data_retention int,
  PRIMARY KEY (tenant_id, type, metric)
);

CREATE TABLE metric_tags (
  tenant_id text NOT NULL,
  type      smallint NOT NULL,
  metric    text NOT NULL,
  tname     text NOT NULL,                              -- @distinct 50 @bytes 12
  tvalue    text NOT NULL,                              -- @distinct 100k @bytes 20
  PRIMARY KEY (tenant_id, type, metric, tname),
  FOREIGN KEY (tenant_id, type, metric) REFERENCES metrics  -- @each 5 p99 10 max 20
);

-- @retain 7d
CREATE TABLE data (
  tenant_id text NOT NULL,
  type      smallint NOT NULL,
  metric    text NOT NULL,
  time      uuid NOT NULL,                              -- @time
  n_value   double precision,
  PRIMARY KEY (tenant_id, type, metric, time),
  FOREIGN KEY (tenant_id, type, metric) REFERENCES metrics  -- @each 2880/day p99 8640/day
);

-- name: MetricsOfType :many
-- @rate 10/s
SELECT metric, data_retention FROM metrics WHERE tenant_id = ? AND type = ?;

-- name: Metric :one
-- @rate 500/s
SELECT data_retention FROM metrics WHERE tenant_id = ? AND type = ? AND metric = ?;

-- name: MetricsByTag :many
-- @rate 50/s
SELECT type, metric FROM metric_tags WHERE tenant_id = ? AND tname = ? AND tvalue = ?;

-- name: TagValues :many
-- @rate 5/s
SELECT tvalue, type, metric FROM metric_tags WHERE tenant_id = ? AND tname = ?;

-- name: DataPoints :many
-- @rate 500/s @span 8h
SELECT time, n_value FROM data WHERE tenant_id = ? AND type = ? AND metric = ? AND time >= ? AND time < ? ORDER BY time DESC;

-- name: AddMetric :exec
-- @rate 1/s
INSERT INTO metrics (tenant_id, type, metric, data_retention) VALUES (?, ?, ?, ?);

-- name: AddTag :exec
-- @rate 5/s
INSERT INTO metric_tags (tenant_id, type, metric, tname, tvalue) VALUES (?, ?, ?, ?, ?);

-- name: AddData :exec
-- @rate 167k/s
INSERT INTO data (tenant_id, type, metric, time, n_value) VALUES (?, ?, ?, ?, ?);
