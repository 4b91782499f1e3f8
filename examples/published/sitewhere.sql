-- SiteWhere: events of devices, by the id, by assignment, by area and by customer.
-- @keyspace sitewhere

-- @rows 1k
CREATE TABLE customers (
  customer_id uuid PRIMARY KEY
);

CREATE TABLE areas (
  area_id     uuid PRIMARY KEY,
  customer_id uuid NOT NULL REFERENCES customers        -- @each 10 p99 50 max 100
);

CREATE TABLE assignments (
  assignment_id uuid PRIMARY KEY,
  device_id     uuid NOT NULL,
  area_id       uuid NOT NULL REFERENCES areas          -- @each 50 p99 500 max 2k
);

-- @grows 144M/day @retain 90d
CREATE TABLE events (
  event_id      uuid PRIMARY KEY,
  assignment_id uuid NOT NULL REFERENCES assignments,   -- @each 288/day p99 1440/day
  event_type    smallint NOT NULL,                      -- @distinct 6
  event_date    timestamp NOT NULL,
  received_date timestamp NOT NULL,
  payload       text                                    -- @bytes 120
);

-- name: Event :one
-- @rate 100/s
SELECT assignment_id, event_type, event_date, received_date, payload FROM events WHERE event_id = ?;

-- name: EventsOfAssignment :many
-- @rate 300/s @span 1d
SELECT event_id, event_date, received_date, payload FROM events
WHERE assignment_id = ? AND event_type = ? AND event_date >= ? AND event_date <= ? ORDER BY event_date DESC LIMIT 100;

-- name: EventsOfArea :many
-- @rate 10/s @span 1h
SELECT e.event_id, e.assignment_id, e.event_date, e.received_date, e.payload
FROM events e JOIN assignments a ON a.assignment_id = e.assignment_id
WHERE a.area_id = ? AND e.event_type = ? AND e.event_date >= ? AND e.event_date <= ? ORDER BY e.event_date DESC LIMIT 100;

-- name: Record :exec
-- @rate 1.67k/s
INSERT INTO events (event_id, assignment_id, event_type, event_date, received_date, payload) VALUES (?, ?, ?, ?, ?, ?);
