-- Mutant Monitoring System (ScyllaDB University): a catalog of mutants, and where they were seen.
-- @keyspace mutants

-- @rows 100k
CREATE TABLE catalog (
  first_name       text NOT NULL,                       -- @distinct 5k
  last_name        text NOT NULL,                       -- @distinct 50k
  address          text,
  picture_location text,
  PRIMARY KEY (first_name, last_name)
);

-- @grows 10M/day
CREATE TABLE tracking (
  first_name  text NOT NULL,
  last_name   text NOT NULL,
  timestamp   timestamp NOT NULL,
  location    text NOT NULL,                            -- @distinct 20k
  speed       double precision,
  heat        double precision,
  telepathy_powers int,
  PRIMARY KEY (first_name, last_name, timestamp),
  FOREIGN KEY (first_name, last_name) REFERENCES catalog  -- @each 100/day p99 300/day
);

-- name: Mutant :one
-- @rate 100/s
SELECT address, picture_location FROM catalog WHERE first_name = ? AND last_name = ?;

-- name: MutantsByFirstName :many
-- @rate 5/s
SELECT last_name, address FROM catalog WHERE first_name = ?;

-- name: Tracks :many
-- @rate 50/s
SELECT timestamp, location, speed, heat, telepathy_powers FROM tracking
WHERE first_name = ? AND last_name = ? ORDER BY timestamp DESC LIMIT 50;

-- name: TracksSince :many
-- @rate 50/s @span 1d
SELECT timestamp, location, speed FROM tracking
WHERE first_name = ? AND last_name = ? AND timestamp >= ? AND timestamp <= ? ORDER BY timestamp;

-- name: Track :exec
-- @rate 116/s
INSERT INTO tracking (first_name, last_name, timestamp, location, speed, heat, telepathy_powers) VALUES (?, ?, ?, ?, ?, ?, ?);

-- name: Move :exec
-- @rate 1/s
UPDATE catalog SET address = ? WHERE first_name = ? AND last_name = ?;
