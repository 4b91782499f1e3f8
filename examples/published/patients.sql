-- Patient care (Patrick Callaghan, DataStax): medications, visits and allergies of a patient.
-- @keyspace patients

-- @rows 5M
CREATE TABLE users (
  user_id    text PRIMARY KEY,
  first_name text,
  last_name  text,
  dob        date,
  email      text
);

CREATE TABLE medications (
  user_id         text NOT NULL REFERENCES users,       -- @each 10 p99 100 max 500
  start_date      date NOT NULL,
  medication_name text NOT NULL,
  end_date        date,
  dose            text,
  notes           text,
  PRIMARY KEY (user_id, start_date, medication_name)
);

CREATE TABLE visits (
  user_id   text NOT NULL REFERENCES users,             -- @each 30 p99 200 max 1k
  date_time timestamp NOT NULL,
  gp_name   text,
  reason    text,
  gp_notes  text,                                       -- @bytes 200
  PRIMARY KEY (user_id, date_time)
);

CREATE TABLE allergies (
  user_id      text NOT NULL REFERENCES users,          -- @each 0.5 p99 5 max 20
  allergy_name text NOT NULL,
  allergy_type text,
  severity     text,
  PRIMARY KEY (user_id, allergy_name)
);

-- name: Patient :one
-- @rate 20/s
SELECT user_id, first_name, last_name, dob, email FROM users WHERE user_id = ?;

-- name: MedicationsOfPatient :many
-- @rate 20/s  @after Patient
SELECT user_id, start_date, medication_name, end_date, dose, notes FROM medications
WHERE user_id = ? ORDER BY start_date DESC;

-- name: VisitsOfPatient :many
-- @rate 20/s  @after Patient
SELECT user_id, date_time, gp_name, reason, gp_notes FROM visits WHERE user_id = ? ORDER BY date_time DESC;

-- name: AllergiesOfPatient :many
-- @rate 20/s  @after Patient
SELECT user_id, allergy_name, allergy_type, severity FROM allergies WHERE user_id = ?;

-- name: Visit :exec
-- @rate 50k/day
INSERT INTO visits (user_id, date_time, gp_name, reason, gp_notes) VALUES (?, ?, ?, ?, ?);

-- name: Prescribe :exec
-- @rate 20k/day
INSERT INTO medications (user_id, start_date, medication_name, end_date, dose, notes) VALUES (?, ?, ?, ?, ?, ?);
