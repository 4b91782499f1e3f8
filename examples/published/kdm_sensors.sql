-- Sensors (Kashlev and Chebotko, World's Best Data Modeling Tool for Apache Cassandra, 2015): the example of the
-- mapping rules.
-- @keyspace kdm_sensors

-- @rows 1k
CREATE TABLE sensors (
  id       uuid PRIMARY KEY,
  location text NOT NULL                                -- @distinct 100
);

CREATE TABLE measurements (
  id        uuid NOT NULL REFERENCES sensors,           -- @each 24/day
  parameter text NOT NULL,                              -- @distinct 5
  timestamp timestamp NOT NULL,
  value     real NOT NULL,
  PRIMARY KEY (id, parameter, timestamp)
);

-- name: MeasurementsAtLocation :many
-- @rate 10/s
SELECT m.timestamp, m.value
FROM measurements m JOIN sensors s ON s.id = m.id
WHERE s.location = ? AND m.parameter = ? AND m.timestamp > ? ORDER BY m.timestamp DESC;

-- name: Measure :exec
-- @rate 24k/day
INSERT INTO measurements (id, parameter, timestamp, value) VALUES (?, ?, ?, ?);
