-- Zipkin (issues 623 and 626 of openzipkin/zipkin): the index of spans by service had the service as its whole partition key, so
-- that every span of a busy service went to one partition. The mended index spread it over ten; today's has a day as well.
-- @keyspace zipkin

-- @rows 500
CREATE TABLE services (
  service_name text PRIMARY KEY                           -- @bytes 16
);

-- @retain 7d
CREATE TABLE spans (
  ts           uuid PRIMARY KEY,                          -- @time
  service_name text NOT NULL REFERENCES services,         -- @each 20/s p99 200/s max 600/s
  span         text NOT NULL,                             -- @bytes 20 @distinct 200
  trace_id     text NOT NULL,                             -- @bytes 32
  duration     bigint
);

-- name: TracesByService :many
-- @rate 20/s
SELECT ts, trace_id FROM spans WHERE service_name = ? AND ts <= ? ORDER BY ts DESC LIMIT 100;

-- name: TracesByServiceAndSpan :many
-- @rate 20/s
SELECT ts, trace_id, duration FROM spans
WHERE service_name = ? AND span = ? AND ts >= ? AND ts <= ? ORDER BY ts DESC LIMIT 100;

-- name: Report :exec
-- @rate 10k/s
INSERT INTO spans (ts, service_name, span, trace_id, duration) VALUES (?, ?, ?, ?, ?);
