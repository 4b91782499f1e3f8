-- Sensor networks for several tenants (DataStax Academy): the tenant's id comes before every partition key.
-- @keyspace sensors  @tenant tenant_id

-- @rows 20
CREATE TABLE tenants (
  tenant_id uuid PRIMARY KEY
);

CREATE TABLE networks (
  tenant_id   uuid NOT NULL REFERENCES tenants,  -- @each 5
  network     text NOT NULL,
  description text,
  region      text,
  num_sensors int,
  PRIMARY KEY (tenant_id, network)
);

CREATE TABLE sensors (
  tenant_id       uuid NOT NULL,
  sensor          text NOT NULL,
  network         text NOT NULL,
  latitude        numeric,
  longitude       numeric,
  characteristics hstore,                                      -- @items 5
  PRIMARY KEY (tenant_id, sensor),
  FOREIGN KEY (tenant_id, network) REFERENCES networks         -- @each 1000
);

CREATE TABLE hourly_temperatures (
  tenant_id       uuid NOT NULL,
  sensor          text NOT NULL,
  date_hour       timestamp NOT NULL,
  avg_temperature real NOT NULL,
  PRIMARY KEY (tenant_id, sensor, date_hour),
  FOREIGN KEY (tenant_id, sensor) REFERENCES sensors           -- @each 24/day
);

CREATE TABLE temperatures (
  tenant_id uuid NOT NULL,
  sensor    text NOT NULL,
  timestamp timestamp NOT NULL,
  date      date NOT NULL,                                     -- @distinct 1825
  value     real NOT NULL,
  PRIMARY KEY (tenant_id, sensor, timestamp),
  FOREIGN KEY (tenant_id, sensor) REFERENCES sensors           -- @each 1440/day
);

-- name: Networks :many
SELECT network, description, region, num_sensors FROM networks WHERE tenant_id = ? ORDER BY network;

-- name: TemperaturesByNetwork :many
-- @after Networks
SELECT t.date_hour, t.sensor, t.avg_temperature, s.latitude, s.longitude
FROM hourly_temperatures t JOIN sensors s ON s.tenant_id = t.tenant_id AND s.sensor = t.sensor
WHERE t.tenant_id = ? AND s.network = ? AND t.date_hour >= ? AND t.date_hour <= ? ORDER BY t.date_hour DESC;

-- name: SensorsByNetwork :many
-- @after Networks
SELECT sensor, latitude, longitude, characteristics FROM sensors WHERE tenant_id = ? AND network = ?;

-- name: TemperaturesBySensor :many
-- @after SensorsByNetwork
SELECT timestamp, value FROM temperatures WHERE tenant_id = ? AND sensor = ? AND date = ? ORDER BY timestamp DESC;

-- name: RecordHour :exec
-- @rate 28/s
INSERT INTO hourly_temperatures (tenant_id, sensor, date_hour, avg_temperature) VALUES (?, ?, ?, ?);
