-- Time series (DataStax Academy): metrics of the appliances of a house, every 60 seconds for ten days and every 60
-- minutes for ten years, by source and by metric; statistics of each day.
-- @keyspace time_series

-- @rows 100k
CREATE TABLE groups (
  "group"     text PRIMARY KEY,
  description text
);

CREATE TABLE sources (
  source          text PRIMARY KEY,
  "group"         text NOT NULL REFERENCES groups,      -- @each 20 p99 100 max 100
  characteristics hstore                                -- @items 5
);

-- @rows 10
CREATE TABLE metrics (
  metric text PRIMARY KEY,                              -- @bytes 12
  unit   text
);

-- @retain 10d
CREATE TABLE minutes (
  source    text NOT NULL REFERENCES sources,           -- @each 4320/day p99 14400/day
  metric    text NOT NULL REFERENCES metrics,
  timestamp timestamp NOT NULL,
  value     numeric NOT NULL,
  PRIMARY KEY (source, metric, timestamp)
);

-- @retain 10 years
CREATE TABLE hours (
  source    text NOT NULL REFERENCES sources,           -- @each 72/day p99 240/day
  metric    text NOT NULL REFERENCES metrics,
  timestamp timestamp NOT NULL,
  value     numeric NOT NULL,
  PRIMARY KEY (source, metric, timestamp)
);

CREATE TABLE days (
  source text NOT NULL REFERENCES sources,              -- @each 3/day p99 10/day
  metric text NOT NULL REFERENCES metrics,
  date   date NOT NULL,
  min    numeric,
  max    numeric,
  median numeric,
  mean   numeric,
  stdev  numeric,
  PRIMARY KEY (source, metric, date)
);

-- name: SourcesByGroup :many
SELECT g."group", s.source, g.description, s.characteristics
FROM sources s JOIN groups g ON g."group" = s."group" WHERE s."group" = ?;

-- name: Metrics :many
SELECT metric, unit FROM metrics ORDER BY metric;

-- name: MinutesBySource :many
-- @rate 100/s  @after SourcesByGroup
SELECT s."group", m.source, m.timestamp, m.metric, m.value
FROM minutes m JOIN sources s ON s.source = m.source
WHERE s."group" = ? AND m.source IN (?, ?) AND m.timestamp >= ? AND m.timestamp <= ?
ORDER BY m.timestamp DESC, m.metric;

-- name: HoursBySource :many
-- @rate 10/s  @after SourcesByGroup
SELECT s."group", h.source, h.timestamp, h.metric, h.value
FROM hours h JOIN sources s ON s.source = h.source
WHERE s."group" = ? AND h.source IN (?, ?) AND h.timestamp >= ? AND h.timestamp <= ?
ORDER BY h.source, h.timestamp DESC, h.metric;

-- name: MinutesByMetric :many
-- @rate 100/s  @after Metrics
SELECT s."group", m.source, m.timestamp, m.metric, m.value
FROM minutes m JOIN sources s ON s.source = m.source
WHERE s."group" = ? AND m.metric = ? AND m.timestamp >= ? AND m.timestamp <= ?
ORDER BY m.timestamp DESC, m.source;

-- name: HoursByMetric :many
-- @rate 10/s  @after Metrics
SELECT s."group", h.source, h.timestamp, h.metric, h.value
FROM hours h JOIN sources s ON s.source = h.source
WHERE s."group" = ? AND h.metric = ? AND h.timestamp >= ? AND h.timestamp <= ?
ORDER BY h.timestamp DESC, h.source;

-- name: Statistics :many
-- @rate 10/s
SELECT source, metric, date, min, max, median, mean, stdev FROM days
WHERE source = ? AND metric = ? AND date >= ? AND date <= ? ORDER BY date DESC;

-- name: RecordMinute :exec
-- @rate 100k/s
INSERT INTO minutes (source, metric, timestamp, value) VALUES (?, ?, ?, ?);

-- name: RecordHour :exec
-- @rate 1.7k/s
INSERT INTO hours (source, metric, timestamp, value) VALUES (?, ?, ?, ?);

-- name: RecordDay :exec
-- @rate 70/s
INSERT INTO days (source, metric, date, min, max, median, mean, stdev) VALUES (?, ?, ?, ?, ?, ?, ?, ?);
