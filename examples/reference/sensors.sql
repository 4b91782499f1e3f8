-- Sensor networks (DataStax Academy): 1,000 sensors in a network, an average each hour, a measurement each second at most.
-- @keyspace sensors

-- @rows 100
CREATE TABLE networks (
  network     text PRIMARY KEY,
  description text,
  region      text,
  num_sensors int
);

CREATE TABLE sensors (
  sensor          text PRIMARY KEY,
  network         text NOT NULL REFERENCES networks,  -- @each 1000
  latitude        numeric,
  longitude       numeric,
  characteristics hstore                              -- @items 5
);

CREATE TABLE hourly_temperatures (
  sensor          text NOT NULL REFERENCES sensors,  -- @each 24/day
  date_hour       timestamp NOT NULL,
  avg_temperature real NOT NULL,
  PRIMARY KEY (sensor, date_hour)
);

CREATE TABLE temperatures (
  sensor    text NOT NULL REFERENCES sensors,  -- @each 1440/day
  timestamp timestamp NOT NULL,
  date      date NOT NULL,                     -- @distinct 1825
  value     real NOT NULL,
  PRIMARY KEY (sensor, timestamp)
);

CREATE TABLE measurements (
  sensor    text NOT NULL REFERENCES sensors,  -- @each 1/s
  parameter text NOT NULL,                     -- @distinct 1
  second    timestamp NOT NULL,
  value     real NOT NULL,
  PRIMARY KEY (sensor, parameter, second)
);

-- name: Networks :many
SELECT network, description, region, num_sensors FROM networks ORDER BY network;

-- name: TemperaturesByNetwork :many
-- @after Networks
SELECT t.date_hour, t.sensor, t.avg_temperature, s.latitude, s.longitude
FROM hourly_temperatures t JOIN sensors s ON s.sensor = t.sensor
WHERE s.network = ? AND t.date_hour >= ? AND t.date_hour <= ? ORDER BY t.date_hour DESC;

-- name: SensorsByNetwork :many
-- @after Networks
SELECT sensor, latitude, longitude, characteristics FROM sensors WHERE network = ?;

-- name: TemperaturesBySensor :many
-- @after SensorsByNetwork
SELECT timestamp, value FROM temperatures WHERE sensor = ? AND date = ? ORDER BY timestamp DESC;

-- name: Measurements :many
-- @after SensorsByNetwork
SELECT second, value FROM measurements
WHERE sensor = ? AND parameter = ? AND second >= ? AND second < ? ORDER BY second DESC;

-- name: RecordHour :exec
-- @rate 28/s
INSERT INTO hourly_temperatures (sensor, date_hour, avg_temperature) VALUES (?, ?, ?);

-- name: Record :exec
-- @rate 1.6k/s
INSERT INTO temperatures (sensor, timestamp, date, value) VALUES (?, ?, ?, ?);
