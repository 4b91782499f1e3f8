-- Seed 000, "Time Series Data Patterns": metrics in buckets of an hour, kept for 30 days.
-- @keyspace metrics

-- @rows 2k
CREATE TABLE metric_names (
  metric_name text PRIMARY KEY                         -- @bytes 20
);

-- @retain 30d
CREATE TABLE metrics (
  metric_name text NOT NULL REFERENCES metric_names,   -- @each 10/s p99 40/s max 60/s
  recorded_at timestamp NOT NULL,
  value       double precision NOT NULL,
  tags        hstore,                                  -- @items 3 @bytes 16
  PRIMARY KEY (metric_name, recorded_at)
);

-- name: RecentMetrics :many
-- @rate 50/s
SELECT recorded_at, value, tags FROM metrics
WHERE metric_name = ? AND recorded_at >= ? ORDER BY recorded_at DESC;

-- name: RecordMetric :exec
-- @rate 20k/s
INSERT INTO metrics (metric_name, recorded_at, value, tags) VALUES (?, ?, ?, ?);
