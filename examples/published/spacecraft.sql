-- Spacecraft (DataStax, getting started with Astra): journeys and the readings of their instruments.
-- @keyspace spacecraft

-- @rows 200
CREATE TABLE spacecraft (
  spacecraft_name text PRIMARY KEY
);

CREATE TABLE journeys (
  spacecraft_name text NOT NULL REFERENCES spacecraft,  -- @each 20 p99 100 max 200
  journey_id      uuid NOT NULL,                        -- @time
  start_time      timestamp,
  end_time        timestamp,
  active          boolean NOT NULL,
  summary         text,
  PRIMARY KEY (spacecraft_name, journey_id)
);

CREATE TABLE speeds (
  spacecraft_name text NOT NULL,
  journey_id      uuid NOT NULL,
  reading_time    timestamp NOT NULL,
  speed           double precision NOT NULL,
  speed_unit      text,
  PRIMARY KEY (spacecraft_name, journey_id, reading_time),
  FOREIGN KEY (spacecraft_name, journey_id) REFERENCES journeys  -- @each 50k p99 200k max 200k
);

CREATE TABLE locations (
  spacecraft_name text NOT NULL,
  journey_id      uuid NOT NULL,
  reading_time    timestamp NOT NULL,
  x               double precision NOT NULL,
  y               double precision NOT NULL,
  z               double precision NOT NULL,
  PRIMARY KEY (spacecraft_name, journey_id, reading_time),
  FOREIGN KEY (spacecraft_name, journey_id) REFERENCES journeys  -- @each 50k p99 200k max 200k
);

-- name: Journeys :many
-- @rate 10/s
SELECT journey_id, start_time, end_time, active, summary FROM journeys WHERE spacecraft_name = ? ORDER BY journey_id DESC;

-- name: Journey :one
-- @rate 50/s @after Journeys
SELECT start_time, end_time, active, summary FROM journeys WHERE spacecraft_name = ? AND journey_id = ?;

-- name: Speeds :many
-- @rate 50/s @after Journey
SELECT reading_time, speed, speed_unit FROM speeds WHERE spacecraft_name = ? AND journey_id = ? ORDER BY reading_time DESC LIMIT 100;

-- name: Locations :many
-- @rate 50/s @after Journey
SELECT reading_time, x, y, z FROM locations WHERE spacecraft_name = ? AND journey_id = ? ORDER BY reading_time DESC LIMIT 100;

-- name: RecordSpeed :exec
-- @rate 500/s
INSERT INTO speeds (spacecraft_name, journey_id, reading_time, speed, speed_unit) VALUES (?, ?, ?, ?, ?);

-- name: RecordLocation :exec
-- @rate 500/s
INSERT INTO locations (spacecraft_name, journey_id, reading_time, x, y, z) VALUES (?, ?, ?, ?, ?, ?);

-- name: Land :exec
-- @rate 10/day
UPDATE journeys SET active = false, end_time = ? WHERE spacecraft_name = ? AND journey_id = ?;
