-- Newts (OpenNMS): samples of the metrics of network resources.
-- @keyspace newts

-- @rows 3
CREATE TABLE contexts (
  context text PRIMARY KEY                              -- @bytes 1
);

CREATE TABLE resources (
  context  text NOT NULL REFERENCES contexts,           -- @each 200k
  resource text NOT NULL,                               -- @bytes 60
  PRIMARY KEY (context, resource)
);

-- @retain 1 year
CREATE TABLE samples (
  context      text NOT NULL,
  resource     text NOT NULL,
  collected_at timestamp NOT NULL,
  metric_name  text NOT NULL,                           -- @distinct 500 @bytes 20
  value        bytea NOT NULL,                          -- @bytes 9
  PRIMARY KEY (context, resource, collected_at, metric_name),
  FOREIGN KEY (context, resource) REFERENCES resources  -- @each 2880/day p99 14400/day
);

CREATE TABLE metrics (
  context     text NOT NULL,
  resource    text NOT NULL,
  metric_name text NOT NULL,
  PRIMARY KEY (context, resource, metric_name),
  FOREIGN KEY (context, resource) REFERENCES resources  -- @each 10 p99 50 max 100
);

-- name: Samples :many
-- @rate 100/s @span 1d
SELECT collected_at, metric_name, value FROM samples
WHERE context = ? AND resource = ? AND collected_at >= ? AND collected_at <= ? ORDER BY collected_at, metric_name;

-- name: Metrics :many
-- @rate 100/s
SELECT metric_name FROM metrics WHERE context = ? AND resource = ?;

-- name: Insert :exec
-- @rate 20k/s
INSERT INTO samples (context, resource, collected_at, metric_name, value) VALUES (?, ?, ?, ?, ?);

-- name: AddMetric :exec
-- @rate 10/s
INSERT INTO metrics (context, resource, metric_name) VALUES (?, ?, ?);
