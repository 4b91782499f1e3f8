-- Jaeger (issue 1773 of jaegertracing/jaeger): the indexes by operation and by tag grow without bound for values such as
-- error=true; the proposal adds a time bucket. Their siblings have one: service_name_index (a number from 0 to 9) and
-- duration_index (the hour).
-- @keyspace jaeger

-- @rows 200
CREATE TABLE services (
  service text PRIMARY KEY                             -- @bytes 16
);

CREATE TABLE operations (
  service   text NOT NULL REFERENCES services,         -- @each 50
  operation text NOT NULL,                             -- @bytes 20
  PRIMARY KEY (service, operation)
);

CREATE TABLE spans (
  trace_id   text NOT NULL,                            -- @bytes 32
  span_id    bigint NOT NULL,
  service    text NOT NULL,
  operation  text NOT NULL,
  start_time timestamp NOT NULL,
  hour       timestamp NOT NULL,                       -- @distinct 43800
  duration   bigint NOT NULL,
  PRIMARY KEY (trace_id, span_id),
  FOREIGN KEY (service, operation) REFERENCES operations  -- @each 5/s p99 20/s max 40/s
);

CREATE TABLE tags (
  trace_id   text NOT NULL,                            -- @bytes 32
  span_id    bigint NOT NULL,
  service    text NOT NULL REFERENCES services,        -- @each 500/s p99 1k/s max 2k/s
  tag_key    text NOT NULL,                            -- @distinct 50 @bytes 12
  tag_value  text NOT NULL,                            -- @distinct 4 @bytes 12
  start_time timestamp NOT NULL,
  PRIMARY KEY (trace_id, span_id, tag_key)
);

-- name: ByOperation :many
-- @rate 10/s
SELECT start_time, trace_id, span_id FROM spans
WHERE service = ? AND operation = ? AND start_time >= ? AND start_time <= ? ORDER BY start_time DESC LIMIT 100;

-- name: ByTag :many
-- @rate 10/s
SELECT start_time, trace_id, span_id FROM tags
WHERE service = ? AND tag_key = ? AND tag_value = ? AND start_time >= ? AND start_time <= ?
ORDER BY start_time DESC LIMIT 100;

-- name: ByService :many
-- @rate 10/s
SELECT start_time, trace_id, span_id FROM spans
WHERE service = ? AND start_time >= ? AND start_time <= ? ORDER BY start_time DESC LIMIT 100;

-- name: ByDuration :many
-- @rate 10/s
SELECT duration, start_time, trace_id, span_id FROM spans
WHERE service = ? AND operation = ? AND hour = ? AND duration >= ? AND duration <= ?
ORDER BY duration DESC, start_time DESC LIMIT 100;

-- name: WriteSpan :exec
-- @rate 50k/s
INSERT INTO spans (trace_id, span_id, service, operation, start_time, hour, duration) VALUES (?, ?, ?, ?, ?, ?, ?);

-- name: WriteTag :exec
-- @rate 100k/s
INSERT INTO tags (trace_id, span_id, service, tag_key, tag_value, start_time) VALUES (?, ?, ?, ?, ?, ?);
