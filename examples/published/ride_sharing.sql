-- Ride sharing (University of South Florida, ISM6562: Cassandra query first design): profiles, trips, earnings of a
-- driver.
-- @keyspace ride_sharing

-- @rows 10M
CREATE TABLE passengers (
  user_id        uuid PRIMARY KEY,
  first_name     text,
  last_name      text,
  email          text,
  mobile_number  text,
  overall_rating real
);

CREATE TABLE accounts (
  user_id      uuid NOT NULL REFERENCES passengers,     -- @each 1.2 p99 2 max 2
  account_type text NOT NULL,                           -- @distinct 2
  profile_type text,
  PRIMARY KEY (user_id, account_type)
);

-- @rows 500k
CREATE TABLE drivers (
  driver_id      uuid PRIMARY KEY,
  first_name     text,
  last_name      text,
  dl_number      text,
  overall_rating real,
  miles_driven   real
);

-- @rows 10
CREATE TABLE car_types (
  car_type         uuid PRIMARY KEY,
  base_fare        real,
  wait_time_fees   real,
  pricing_per_mile real
);

CREATE TABLE surges (
  car_type         uuid NOT NULL REFERENCES car_types,  -- @each 96
  request_time     time NOT NULL,
  demand_level     text,
  surge_multiplier real,
  PRIMARY KEY (car_type, request_time)
);

CREATE TABLE trips (
  trip_id         uuid PRIMARY KEY,
  user_id         uuid NOT NULL REFERENCES passengers,  -- @each 0.1/day p99 3/day max 10/day
  driver_id       uuid NOT NULL REFERENCES drivers,     -- @each 2/day p99 30/day max 50/day
  car_type        uuid NOT NULL REFERENCES car_types,
  start_date      date NOT NULL,
  start_date_time timestamp NOT NULL,
  fare            real,
  tips            real
);

-- name: Profiles :many
-- @rate 500/s
SELECT a.user_id, a.account_type, a.profile_type, p.first_name, p.last_name, p.email, p.mobile_number
FROM accounts a JOIN passengers p ON p.user_id = a.user_id WHERE a.user_id = ?;

-- name: Fare :one
-- @rate 500/s
SELECT car_type, base_fare, wait_time_fees, pricing_per_mile FROM car_types WHERE car_type = ?;

-- name: Surge :one
-- @rate 500/s  @after Fare
SELECT car_type, request_time, demand_level, surge_multiplier FROM surges WHERE car_type = ? AND request_time = ?;

-- name: Trip :one
-- @rate 500/s
SELECT trip_id, car_type, user_id, driver_id, start_date_time, fare FROM trips WHERE trip_id = ?;

-- name: Driver :one
-- @rate 200/s  @after Trip
SELECT driver_id, overall_rating, first_name, last_name, dl_number, miles_driven FROM drivers WHERE driver_id = ?;

-- name: Passenger :one
-- @rate 200/s  @after Trip
SELECT user_id, overall_rating, first_name, last_name, mobile_number, email FROM passengers WHERE user_id = ?;

-- name: EarningsOfDay :many
-- @rate 50/s
SELECT driver_id, start_date, trip_id, tips, fare FROM trips WHERE driver_id = ? AND start_date = ?;

-- name: Book :exec
-- @rate 1M/day
INSERT INTO trips (trip_id, user_id, driver_id, car_type, start_date, start_date_time, fare, tips)
VALUES (?, ?, ?, ?, ?, ?, ?, ?);
