-- What the application of parcels.sql sends, with the rates of its monitoring.
--
-- Each of the 50 depots scans 48,000 parcels a day, and goes on. A measurement knows only how many there are today:
--
-- @column scans.depot_id @each 48k/day p99 150k/day

-- name: ParcelByCode :one
-- @rate 2k/s
SELECT id, recipient, service, created_at FROM parcels WHERE tracking_code = $1;

-- name: HistoryOfParcel :many
-- @rate 2k/s  @after ParcelByCode
SELECT s.scanned_at, s.status, d.city
FROM scans s JOIN depots d ON d.id = s.depot_id
WHERE s.parcel_id = $1 ORDER BY s.scanned_at DESC;

-- name: ParcelsOfSender :many
-- @rate 100/s
SELECT id, tracking_code, recipient, created_at
FROM parcels WHERE sender_id = $1 ORDER BY created_at DESC LIMIT 50;

-- name: ScansAtDepot :many
-- @rate 5/s  @span 1h
SELECT parcel_id, scanned_at, status
FROM scans WHERE depot_id = $1 AND scanned_at >= $2 AND scanned_at < $3 ORDER BY scanned_at;

-- name: ComplaintsOfCustomer :many
-- @rate 1/s
SELECT id, parcel_id, text, opened_at, closed_at FROM complaints WHERE customer_id = $1;

-- name: AddParcel :exec
-- @rate 400k/day
INSERT INTO parcels (id, tracking_code, sender_id, recipient, destination_id, service, weight, labels)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8);

-- name: AddScan :exec
-- @rate 2.4M/day
INSERT INTO scans (parcel_id, scanned_at, depot_id, status) VALUES ($1, $2, $3, $4);

-- name: Redirect :exec
-- @rate 1k/day
UPDATE parcels SET destination_id = $2 WHERE id = $1;

-- name: OpenComplaint :exec
-- @rate 4k/day
INSERT INTO complaints (parcel_id, customer_id, text) VALUES ($1, $2, $3);

-- name: CloseComplaint :exec
-- @rate 4k/day
UPDATE complaints SET closed_at = now() WHERE id = $1;
