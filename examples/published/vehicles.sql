-- Vehicle tracking (Patrick Callaghan, DataStax): the current reading of a vehicle, its readings and states of a day.
-- @keyspace vehicles

-- @rows 100k
CREATE TABLE vehicles (
  vehicle_id  text PRIMARY KEY,
  tile        text NOT NULL,                            -- @distinct 1k
  lat_long    text,
  date        timestamp,
  speed       double precision,
  temperature double precision
);

CREATE TABLE readings (
  vehicle_id  text NOT NULL REFERENCES vehicles,        -- @each 1440/day p99 17280/day
  day         date NOT NULL,
  date        timestamp NOT NULL,
  lat_long    text,
  speed       double precision,
  temperature double precision,
  PRIMARY KEY (vehicle_id, date)
);

CREATE TABLE states (
  vehicle_id        text NOT NULL REFERENCES vehicles,  -- @each 20/day p99 200/day
  day               date NOT NULL,
  state_change_time timestamp NOT NULL,
  vehicle_state     text NOT NULL,
  PRIMARY KEY (vehicle_id, state_change_time)
);

-- name: CurrentReading :one
-- @rate 100/s
SELECT vehicle_id, lat_long, date, speed, temperature FROM vehicles WHERE vehicle_id = ?;

-- name: MovementsOfDay :many
-- @rate 20/s
SELECT vehicle_id, day, date, lat_long, speed, temperature FROM readings
WHERE vehicle_id = ? AND day = ? ORDER BY date DESC;

-- name: StatesOfDay :many
-- @rate 20/s
SELECT vehicle_id, day, state_change_time, vehicle_state FROM states
WHERE vehicle_id = ? AND day = ? ORDER BY state_change_time DESC;

-- name: Read :exec
-- @rate 1.7k/s
INSERT INTO readings (vehicle_id, day, date, lat_long, speed, temperature) VALUES (?, ?, ?, ?, ?, ?);

-- name: SetCurrent :exec
-- @rate 1.7k/s
UPDATE vehicles SET tile = ?, lat_long = ?, date = ?, speed = ?, temperature = ? WHERE vehicle_id = ?;

-- name: ChangeState :exec
-- @rate 23/s
INSERT INTO states (vehicle_id, day, state_change_time, vehicle_state) VALUES (?, ?, ?, ?);
