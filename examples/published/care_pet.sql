-- Care Pet (ScyllaDB): the sensors of pets, their measurements and averages by the hour.
-- @keyspace care_pet

-- @rows 1M
CREATE TABLE owners (
  owner_id uuid PRIMARY KEY,
  address  text,
  name     text
);

CREATE TABLE pets (
  pet_id   uuid PRIMARY KEY,
  owner_id uuid NOT NULL REFERENCES owners,             -- @each 1.5 p99 5 max 50
  chip_id  text,
  species  text,
  breed    text,
  color    text,
  gender   text,
  age      int,
  weight   real,
  address  text,
  name     text
);

CREATE TABLE sensors (
  sensor_id uuid PRIMARY KEY,
  pet_id    uuid NOT NULL REFERENCES pets,              -- @each 4 p99 4 max 4
  type      text
);

CREATE TABLE measurements (
  sensor_id uuid NOT NULL REFERENCES sensors,           -- @each 24/day p99 1440/day
  ts        timestamp NOT NULL,
  value     real NOT NULL,
  PRIMARY KEY (sensor_id, ts)
);

CREATE TABLE averages (
  sensor_id uuid NOT NULL REFERENCES sensors,           -- @each 24/day
  date      date NOT NULL,                              -- @distinct 1825
  hour      int NOT NULL,                               -- @distinct 24
  value     real NOT NULL,
  PRIMARY KEY (sensor_id, date, hour)
);

-- name: Owner :one
-- @rate 100/s
SELECT owner_id, address, name FROM owners WHERE owner_id = ?;

-- name: PetsByOwner :many
-- @rate 100/s  @after Owner
SELECT owner_id, pet_id, chip_id, species, breed, color, gender, age, weight, address, name
FROM pets WHERE owner_id = ?;

-- name: SensorsByPet :many
-- @rate 100/s  @after PetsByOwner
SELECT pet_id, sensor_id, type FROM sensors WHERE pet_id = ?;

-- name: Measurements :many
-- @rate 50/s  @after SensorsByPet
SELECT sensor_id, ts, value FROM measurements WHERE sensor_id = ? AND ts >= ? AND ts <= ?;

-- name: DailyAverages :many
-- @rate 100/s  @after SensorsByPet
SELECT sensor_id, date, hour, value FROM averages WHERE sensor_id = ? AND date = ? ORDER BY hour;

-- name: Measure :exec
-- @rate 1.67k/s
INSERT INTO measurements (sensor_id, ts, value) VALUES (?, ?, ?);

-- name: SetAverage :exec
-- @rate 1.7k/s
INSERT INTO averages (sensor_id, date, hour, value) VALUES (?, ?, ?, ?);
