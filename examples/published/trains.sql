-- Tranz Metro (Victoria University of Wellington, assignments in advanced databases): drivers, timetables, positions
-- of trains.
-- @keyspace trains

-- @rows 500
CREATE TABLE drivers (
  driver_name      text PRIMARY KEY,
  password         text NOT NULL,
  mobile           text,
  current_position text,
  skills           text[]                               -- @set @items 3 @distinct 10
);

-- @rows 200
CREATE TABLE vehicles (
  vehicle_id text PRIMARY KEY,
  status     text,
  type       text
);

-- @rows 400
CREATE TABLE services (
  line_name  text NOT NULL,                             -- @distinct 10
  service_no int NOT NULL,
  PRIMARY KEY (line_name, service_no)
);

CREATE TABLE stops (
  line_name  text NOT NULL,
  service_no int NOT NULL,
  time       int NOT NULL,
  stop       text NOT NULL,
  distance   double precision,
  latitude   double precision,
  longitude  double precision,
  PRIMARY KEY (line_name, service_no, time),
  FOREIGN KEY (line_name, service_no) REFERENCES services  -- @each 12 p99 25 max 25
);

CREATE TABLE data_points (
  line_name  text NOT NULL,
  service_no int NOT NULL,
  date       date NOT NULL,
  sequence   timestamp NOT NULL,
  latitude   double precision,
  longitude  double precision,
  speed      double precision,
  PRIMARY KEY (line_name, service_no, sequence),
  FOREIGN KEY (line_name, service_no) REFERENCES services  -- @each 360/day
);

-- name: Driver :one
-- @rate 10/s
SELECT driver_name, password, mobile, current_position, skills FROM drivers WHERE driver_name = ?;

-- name: Vehicle :one
-- @rate 10/s
SELECT vehicle_id, status, type FROM vehicles WHERE vehicle_id = ?;

-- name: TimeTable :many
-- @rate 100/s
SELECT line_name, service_no, time, stop, distance, latitude, longitude FROM stops
WHERE line_name = ? AND service_no = ? ORDER BY time DESC;

-- name: NewestPoint :one
-- @rate 50/s
SELECT line_name, service_no, date, sequence, latitude, longitude, speed FROM data_points
WHERE line_name = ? AND service_no = ? AND date = ? ORDER BY sequence DESC LIMIT 1;

-- name: PointsOfInterval :many
-- @rate 10/s
SELECT line_name, service_no, date, sequence, latitude, longitude, speed FROM data_points
WHERE line_name = ? AND service_no = ? AND date = ? AND sequence >= ? AND sequence <= ? ORDER BY sequence DESC;

-- name: Record :exec
-- @rate 2/s
INSERT INTO data_points (line_name, service_no, date, sequence, latitude, longitude, speed)
VALUES (?, ?, ?, ?, ?, ?, ?);
