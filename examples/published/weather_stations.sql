-- Weather stations (Patrick McFadin, Getting Started with Time Series Data Modeling): a temperature each minute; by
-- station, by station and day, and the latest ones for a day.
-- @keyspace weather_stations

-- @rows 10k
CREATE TABLE stations (
  weatherstation_id text PRIMARY KEY
);

CREATE TABLE temperatures (
  weatherstation_id text NOT NULL REFERENCES stations,  -- @each 1440/day
  date              date NOT NULL,
  event_time        timestamp NOT NULL,
  temperature       text NOT NULL,                      -- @bytes 4
  PRIMARY KEY (weatherstation_id, event_time)
);

-- @retain 1d
CREATE TABLE latest (
  weatherstation_id text NOT NULL REFERENCES stations,  -- @each 1440/day
  event_time        timestamp NOT NULL,
  temperature       text NOT NULL,                      -- @bytes 4
  PRIMARY KEY (weatherstation_id, event_time)
);

-- name: TemperaturesInRange :many
-- @rate 10/s
SELECT weatherstation_id, event_time, temperature FROM temperatures
WHERE weatherstation_id = ? AND event_time > ? AND event_time < ? ORDER BY event_time;

-- name: TemperaturesOfDay :many
-- @rate 10/s
SELECT weatherstation_id, date, event_time, temperature FROM temperatures
WHERE weatherstation_id = ? AND date = ? ORDER BY event_time;

-- name: LatestTemperatures :many
-- @rate 100/s
SELECT weatherstation_id, event_time, temperature FROM latest
WHERE weatherstation_id = ? ORDER BY event_time DESC LIMIT 10;

-- name: Record :exec
-- @rate 167/s
INSERT INTO temperatures (weatherstation_id, date, event_time, temperature) VALUES (?, ?, ?, ?);

-- name: RecordLatest :exec
-- @rate 167/s
INSERT INTO latest (weatherstation_id, event_time, temperature) VALUES (?, ?, ?);
