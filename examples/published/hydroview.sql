-- Hydroview (master thesis: A Framework for Managing Big Environmental Science Data): measurements of water by
-- station, sensor, parameter and quality level, in tables for each frequency.
-- @keyspace hydroview

-- @rows 50
CREATE TABLE stations (
  station_id   uuid PRIMARY KEY,
  station_name text NOT NULL
);

-- @rows 30
CREATE TABLE parameters (
  parameter_id   uuid NOT NULL,
  parameter_type text NOT NULL,                         -- @distinct 2
  parameter_name text NOT NULL,
  PRIMARY KEY (parameter_id, parameter_type)
);

CREATE TABLE sensors (
  sensor_id   uuid PRIMARY KEY,
  station_id  uuid NOT NULL REFERENCES stations,        -- @each 10 p99 50 max 50
  sensor_name text NOT NULL
);

CREATE TABLE station_parameters (
  station_id     uuid NOT NULL REFERENCES stations,     -- @each 20
  parameter_id   uuid NOT NULL,
  parameter_type text NOT NULL,
  PRIMARY KEY (station_id, parameter_id, parameter_type),
  FOREIGN KEY (parameter_id, parameter_type) REFERENCES parameters
);

-- what a sensor measures, and how often
CREATE TABLE frequencies (
  sensor_id      uuid NOT NULL REFERENCES sensors,      -- @each 3
  parameter_id   uuid NOT NULL,
  parameter_type text NOT NULL,
  frequencies    text[],                                -- @items 4
  PRIMARY KEY (sensor_id, parameter_id, parameter_type),
  FOREIGN KEY (parameter_id, parameter_type) REFERENCES parameters
);

-- a series: a parameter of a sensor at a quality level
CREATE TABLE series (
  sensor_id    uuid NOT NULL REFERENCES sensors,        -- @each 9
  parameter_id uuid NOT NULL,
  qc_level     int NOT NULL,                            -- @distinct 3
  unit         text,
  PRIMARY KEY (sensor_id, parameter_id, qc_level)
);

CREATE TABLE seconds (
  sensor_id    uuid NOT NULL,
  parameter_id uuid NOT NULL,
  qc_level     int NOT NULL,
  timestamp    timestamp NOT NULL,
  value        real,
  PRIMARY KEY (sensor_id, parameter_id, qc_level, timestamp),
  FOREIGN KEY (sensor_id, parameter_id, qc_level) REFERENCES series  -- @each 1/s
);

CREATE TABLE minutes (
  sensor_id    uuid NOT NULL,
  parameter_id uuid NOT NULL,
  qc_level     int NOT NULL,
  timestamp    timestamp NOT NULL,
  avg_value    real,
  PRIMARY KEY (sensor_id, parameter_id, qc_level, timestamp),
  FOREIGN KEY (sensor_id, parameter_id, qc_level) REFERENCES series  -- @each 1440/day
);

-- a profile: the values at 20 depths
CREATE TABLE hourly_profiles (
  sensor_id         uuid NOT NULL,
  parameter_id      uuid NOT NULL,
  qc_level          int NOT NULL,
  date_hour         timestamp NOT NULL,
  vertical_position real NOT NULL,                      -- @distinct 20
  avg_value         real,
  PRIMARY KEY (sensor_id, parameter_id, qc_level, date_hour, vertical_position),
  FOREIGN KEY (sensor_id, parameter_id, qc_level) REFERENCES series  -- @each 480/day
);

-- name: Stations :many
SELECT station_id, station_name FROM stations ORDER BY station_name;

-- name: SensorsByStation :many
-- @after Stations
SELECT station_id, sensor_name, sensor_id FROM sensors WHERE station_id = ? ORDER BY sensor_name;

-- name: ParametersByStation :many
-- @after Stations
SELECT s.station_id, p.parameter_name, p.parameter_type, p.parameter_id
FROM station_parameters s JOIN parameters p ON p.parameter_id = s.parameter_id AND p.parameter_type = s.parameter_type
WHERE s.station_id = ? ORDER BY p.parameter_name, p.parameter_type;

-- name: StationsByParameter :many
SELECT s.parameter_id, s.parameter_type, t.station_name, t.station_id
FROM station_parameters s JOIN stations t ON t.station_id = s.station_id
WHERE s.parameter_id = ? AND s.parameter_type = ? ORDER BY t.station_name;

-- name: FrequenciesBySensor :one
-- @after SensorsByStation
SELECT sensor_id, parameter_id, parameter_type, frequencies FROM frequencies
WHERE sensor_id = ? AND parameter_id = ? AND parameter_type = ?;

-- name: Seconds :many
-- @rate 10/s  @after FrequenciesBySensor
SELECT m.timestamp, m.value, s.unit
FROM seconds m JOIN series s
  ON s.sensor_id = m.sensor_id AND s.parameter_id = m.parameter_id AND s.qc_level = m.qc_level
WHERE m.sensor_id = ? AND m.parameter_id = ? AND m.qc_level = ? AND m.timestamp >= ? AND m.timestamp <= ?
ORDER BY m.timestamp DESC;

-- name: Minutes :many
-- @rate 10/s  @after FrequenciesBySensor
SELECT m.timestamp, m.avg_value, s.unit
FROM minutes m JOIN series s
  ON s.sensor_id = m.sensor_id AND s.parameter_id = m.parameter_id AND s.qc_level = m.qc_level
WHERE m.sensor_id = ? AND m.parameter_id = ? AND m.qc_level = ? AND m.timestamp >= ? AND m.timestamp <= ?
ORDER BY m.timestamp DESC;

-- name: HourlyProfiles :many
-- @rate 10/s  @after FrequenciesBySensor
SELECT m.date_hour, m.vertical_position, m.avg_value, s.unit
FROM hourly_profiles m JOIN series s
  ON s.sensor_id = m.sensor_id AND s.parameter_id = m.parameter_id AND s.qc_level = m.qc_level
WHERE m.sensor_id = ? AND m.parameter_id = ? AND m.qc_level = ? AND m.date_hour >= ? AND m.date_hour <= ?
ORDER BY m.date_hour DESC, m.vertical_position DESC;

-- name: RecordSecond :exec
-- @rate 4.5k/s
INSERT INTO seconds (sensor_id, parameter_id, qc_level, timestamp, value) VALUES (?, ?, ?, ?, ?);

-- name: RecordMinute :exec
-- @rate 75/s
INSERT INTO minutes (sensor_id, parameter_id, qc_level, timestamp, avg_value) VALUES (?, ?, ?, ?, ?);

-- name: RecordProfile :exec
-- @rate 25/s
INSERT INTO hourly_profiles (sensor_id, parameter_id, qc_level, date_hour, vertical_position, avg_value)
VALUES (?, ?, ?, ?, ?, ?);
