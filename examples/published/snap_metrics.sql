-- Snap (Intel), the Cassandra publisher: metrics of hosts by namespace, and by tag.
-- @keyspace snap_metrics

-- @rows 5k
CREATE TABLE hosts (
  host text PRIMARY KEY                                 -- @bytes 20
);

CREATE TABLE metrics (
  ns        text NOT NULL,                              -- @distinct 500 @bytes 40
  ver       int NOT NULL,                               -- @distinct 3
  host      text NOT NULL REFERENCES hosts,             -- @each 720k/day p99 1.4M/day
  time      timestamp NOT NULL,
  doubleval double precision,
  PRIMARY KEY (ns, ver, host, time)
);

-- @retain 30d
CREATE TABLE tags (
  key       text NOT NULL,                              -- @distinct 20 @bytes 12
  val       text NOT NULL,                              -- @distinct 1000 @bytes 12
  time      timestamp NOT NULL,
  ns        text NOT NULL,
  ver       int NOT NULL,
  host      text NOT NULL REFERENCES hosts,             -- @each 10k/day
  doubleval double precision,
  PRIMARY KEY (key, val, time, ns, ver, host)
);

-- name: Metrics :many
-- @rate 50/s @span 1h
SELECT time, doubleval FROM metrics WHERE ns = ? AND ver = ? AND host = ? AND time > ? AND time < ? ORDER BY time DESC;

-- name: MetricsByTag :many
-- @rate 20/s @span 1h
SELECT time, ns, ver, host, doubleval FROM tags WHERE key = ? AND val = ? AND time > ? ORDER BY time DESC;

-- name: Publish :exec
-- @rate 42k/s
INSERT INTO metrics (ns, ver, host, time, doubleval) VALUES (?, ?, ?, ?, ?);

-- name: PublishTag :exec
-- @rate 580/s
INSERT INTO tags (key, val, time, ns, ver, host, doubleval) VALUES (?, ?, ?, ?, ?, ?, ?);
