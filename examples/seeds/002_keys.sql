-- Seed 002, the keys it gives as examples: a tenant before the entity, an entity and a month ('2024-01'), and readings of a
-- device at a location with the newest first.
-- @keyspace devices  @tenant tenant_id

-- @rows 200
CREATE TABLE tenants (
  tenant_id uuid PRIMARY KEY,
  name      text
);

CREATE TABLE devices (
  tenant_id uuid NOT NULL REFERENCES tenants,  -- @each 5k
  device_id uuid NOT NULL,
  model     text,
  PRIMARY KEY (tenant_id, device_id)
);

CREATE TABLE readings (
  tenant_id   uuid NOT NULL,
  device_id   uuid NOT NULL,
  location    text NOT NULL,                   -- @distinct 4
  recorded_at timestamp NOT NULL,
  value       double precision NOT NULL,
  PRIMARY KEY (tenant_id, device_id, location, recorded_at),
  FOREIGN KEY (tenant_id, device_id) REFERENCES devices  -- @each 4/min
);

-- name: Device :one
-- @rate 50/s
SELECT device_id, model FROM devices WHERE tenant_id = ? AND device_id = ?;

-- name: ReadingsOfDevice :many
-- @rate 100/s
SELECT location, recorded_at, value FROM readings
WHERE tenant_id = ? AND device_id = ? ORDER BY recorded_at DESC LIMIT 100;

-- name: ReadingsAtLocation :many
-- @rate 100/s
SELECT recorded_at, value FROM readings
WHERE tenant_id = ? AND device_id = ? AND location = ? ORDER BY recorded_at DESC LIMIT 100;

-- name: Record :exec
-- @rate 66k/s
INSERT INTO readings (tenant_id, device_id, location, recorded_at, value) VALUES (?, ?, ?, ?, ?);
