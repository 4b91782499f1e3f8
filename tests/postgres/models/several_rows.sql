-- Several rows in one INSERT.
-- @rows 5M
CREATE TABLE readings (
  sensor text NOT NULL,
  at     timestamp NOT NULL,
  value  double precision NOT NULL,
  grade  text NOT NULL DEFAULT 'ok',
  PRIMARY KEY (sensor, at)
);

-- name: Readings :many
-- @rate 500/s
SELECT at, value, grade FROM readings WHERE sensor = ? AND at >= ? ORDER BY at DESC LIMIT 50;

-- name: AddTwo :exec
-- @rate 50/s
INSERT INTO readings (sensor, at, value) VALUES (?, ?, ?), (?, ?, ?);

-- name: AddThree :exec
-- @rate 50/s
INSERT INTO readings (sensor, at, value, grade) VALUES ($1, $2, $3, 'low'), ($1, $4, $5, DEFAULT), ($1, $6, 0.5, $7)
ON CONFLICT (sensor, at) DO NOTHING;
