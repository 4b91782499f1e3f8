-- KillrWeather (DataStax): hourly weather of the ISD-lite stations, and aggregates by day and year.
-- @keyspace killrweather

-- @rows 10k
CREATE TABLE weather_station (
  id           text PRIMARY KEY,                        -- @bytes 12
  name         text,
  country_code text,
  state_code   text,
  call_sign    text,
  lat          double precision,
  long         double precision,
  elevation    double precision
);

CREATE TABLE raw_weather_data (
  wsid           text NOT NULL REFERENCES weather_station,  -- @each 24/day
  year           int NOT NULL,                              -- @distinct 20
  month          int NOT NULL,                              -- @distinct 12
  day            int NOT NULL,                              -- @distinct 31
  hour           int NOT NULL,                              -- @distinct 24
  temperature    double precision,
  dewpoint       double precision,
  pressure       double precision,
  wind_direction int,
  wind_speed     double precision,
  one_hour_precip double precision,
  PRIMARY KEY (wsid, year, month, day, hour)
);

CREATE TABLE daily_aggregate_temperature (
  wsid  text NOT NULL REFERENCES weather_station,       -- @each 1/day
  year  int NOT NULL,                                   -- @distinct 20
  month int NOT NULL,                                   -- @distinct 12
  day   int NOT NULL,                                   -- @distinct 31
  high  double precision,
  low   double precision,
  mean  double precision,
  PRIMARY KEY (wsid, year, month, day)
);

-- name: Station :one
SELECT id, name, country_code, state_code, call_sign, lat, long, elevation FROM weather_station WHERE id = ?;

-- name: NewestReadings :many
-- @rate 10/s  @after Station
SELECT wsid, year, month, day, hour, temperature FROM raw_weather_data
WHERE wsid = ? ORDER BY year DESC, month DESC, day DESC, hour DESC LIMIT 24;

-- name: ReadingsOfDay :many
-- @rate 10/s  @after Station
SELECT wsid, year, month, day, hour, temperature, dewpoint, pressure, wind_direction, wind_speed, one_hour_precip
FROM raw_weather_data WHERE wsid = ? AND year = ? AND month = ? AND day = ? ORDER BY hour DESC;

-- name: TemperaturesOfMonth :many
-- @rate 10/s  @after Station
SELECT wsid, year, month, day, high, low, mean FROM daily_aggregate_temperature
WHERE wsid = ? AND year = ? AND month = ? ORDER BY day DESC;

-- name: PrecipitationOfYear :one
-- @rate 10/s  @after Station
SELECT SUM(one_hour_precip) AS precipitation FROM raw_weather_data WHERE wsid = ? AND year = ?;

-- name: Record :exec
-- @rate 2.8/s
INSERT INTO raw_weather_data (wsid, year, month, day, hour, temperature, dewpoint, pressure, wind_direction,
  wind_speed, one_hour_precip) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?);

-- name: RecordDay :exec
-- @rate 10k/day
INSERT INTO daily_aggregate_temperature (wsid, year, month, day, high, low, mean) VALUES (?, ?, ?, ?, ?, ?, ?);
