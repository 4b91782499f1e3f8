-- ThingsBoard: telemetry of devices, a series for each key, partitioned by month; the latest value of each key.
-- @keyspace thingsboard

-- @rows 1M
CREATE TABLE entities (
  entity_type text NOT NULL,                            -- @distinct 3 @bytes 8
  entity_id   uuid NOT NULL,
  PRIMARY KEY (entity_type, entity_id)
);

CREATE TABLE keys (
  entity_type text NOT NULL,
  entity_id   uuid NOT NULL,
  key         text NOT NULL,                            -- @distinct 200 @bytes 12
  PRIMARY KEY (entity_type, entity_id, key),
  FOREIGN KEY (entity_type, entity_id) REFERENCES entities  -- @each 10 p99 50 max 200
);

CREATE TABLE points (
  entity_type text NOT NULL,
  entity_id   uuid NOT NULL,
  key         text NOT NULL,
  ts          timestamp NOT NULL,
  dbl_v       double precision,
  PRIMARY KEY (entity_type, entity_id, key, ts),
  FOREIGN KEY (entity_type, entity_id, key) REFERENCES keys  -- @each 1440/day p99 8640/day
);

CREATE TABLE latest (
  entity_type text NOT NULL,
  entity_id   uuid NOT NULL,
  key         text NOT NULL,
  ts          timestamp NOT NULL,
  dbl_v       double precision,
  PRIMARY KEY (entity_type, entity_id, key),
  FOREIGN KEY (entity_type, entity_id) REFERENCES entities  -- @each 10 p99 50 max 200
);

-- name: Points :many
-- @rate 100/s
SELECT ts, dbl_v FROM points WHERE entity_type = ? AND entity_id = ? AND key = ? AND ts >= ? AND ts < ? ORDER BY ts;

-- name: Latest :many
-- @rate 1k/s
SELECT key, ts, dbl_v FROM latest WHERE entity_type = ? AND entity_id = ?;

-- name: LatestOfKey :one
-- @rate 100/s
SELECT ts, dbl_v FROM latest WHERE entity_type = ? AND entity_id = ? AND key = ?;

-- name: Save :exec
-- @rate 167k/s
INSERT INTO points (entity_type, entity_id, key, ts, dbl_v) VALUES (?, ?, ?, ?, ?);

-- name: SaveLatest :exec
-- @rate 167k/s
INSERT INTO latest (entity_type, entity_id, key, ts, dbl_v) VALUES (?, ?, ?, ?, ?)
ON CONFLICT (entity_type, entity_id, key) DO UPDATE SET ts = EXCLUDED.ts, dbl_v = EXCLUDED.dbl_v;
