-- INSERTs that change an existing row only if it is older.
-- @rows 5M
CREATE TABLE positions (
  vehicle text PRIMARY KEY,
  area    text NOT NULL,                           -- @distinct 10k
  version bigint NOT NULL,
  speed   integer NOT NULL
);

-- name: Position :one
-- @rate 500/s
SELECT area, version, speed FROM positions WHERE vehicle = ?;

-- name: InArea :many
-- @rate 500/s
SELECT vehicle, speed FROM positions WHERE area = ?;

-- name: Report :exec
-- @rate 50/s
INSERT INTO positions (vehicle, area, version, speed) VALUES (?, ?, ?, ?)
ON CONFLICT (vehicle) DO UPDATE SET area = EXCLUDED.area, version = EXCLUDED.version, speed = EXCLUDED.speed
WHERE positions.version < EXCLUDED.version;
