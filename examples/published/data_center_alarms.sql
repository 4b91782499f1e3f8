-- Alarms of a data centre (wangdy123/myDCIM): the history of the alarms and of the values of signals.
-- @keyspace data_center_alarms

-- @rows 10k
CREATE TABLE objects (
  object_id   int PRIMARY KEY,
  object_name text NOT NULL
);

CREATE TABLE signals (
  object_id   int NOT NULL REFERENCES objects,          -- @each 30 p99 200 max 500
  signal_id   int NOT NULL,
  signal_name text NOT NULL,
  PRIMARY KEY (object_id, signal_id)
);

CREATE TABLE alarms (
  object_id   int NOT NULL,
  signal_id   int NOT NULL,
  alarm_begin timestamp NOT NULL,
  alarm_level int NOT NULL,                             -- @distinct 5
  end_time    timestamp,
  alarm_desc  text,                                     -- @bytes 80
  ack_user    text,
  PRIMARY KEY (object_id, signal_id, alarm_begin),
  FOREIGN KEY (object_id, signal_id) REFERENCES signals -- @each 0.1/day p99 20/day
);

CREATE TABLE records (
  object_id int NOT NULL,
  signal_id int NOT NULL,
  at        timestamp NOT NULL,
  value     double precision NOT NULL,
  PRIMARY KEY (object_id, signal_id, at),
  FOREIGN KEY (object_id, signal_id) REFERENCES signals -- @each 1440/day
);

-- name: AlarmsOfSignal :many
-- @rate 20/s
SELECT alarm_begin, alarm_level, end_time, alarm_desc, ack_user FROM alarms
WHERE object_id = ? AND signal_id = ? ORDER BY alarm_begin DESC LIMIT 50;

-- name: AlarmsOfObject :many
-- @rate 5/s
SELECT signal_id, alarm_begin, alarm_level, end_time, alarm_desc FROM alarms WHERE object_id = ? ORDER BY signal_id, alarm_begin DESC;

-- name: Records :many
-- @rate 50/s @span 1d
SELECT at, value FROM records WHERE object_id = ? AND signal_id = ? AND at >= ? AND at < ? ORDER BY at DESC;

-- name: Raise :exec
-- @rate 1/s
INSERT INTO alarms (object_id, signal_id, alarm_begin, alarm_level, alarm_desc) VALUES (?, ?, ?, ?, ?);

-- name: End :exec
-- @rate 1/s
UPDATE alarms SET end_time = ? WHERE object_id = ? AND signal_id = ? AND alarm_begin = ?;

-- name: Acknowledge :exec
-- @rate 0.5/s
UPDATE alarms SET ack_user = ? WHERE object_id = ? AND signal_id = ? AND alarm_begin = ?;

-- name: Write :exec
-- @rate 5k/s
INSERT INTO records (object_id, signal_id, at, value) VALUES (?, ?, ?, ?);
