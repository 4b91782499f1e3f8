-- References that may be null, joined so that the row stays.
-- @rows 100k
CREATE TABLE depots (
  id   uuid PRIMARY KEY,
  name text NOT NULL,
  city text
);
-- @rows 2M
CREATE TABLE parcels (
  id     uuid PRIMARY KEY,
  sender text NOT NULL,                            -- @distinct 200k
  depot  uuid REFERENCES depots,                   -- @each 20 p99 100 max 500
  weight integer NOT NULL
);

-- name: Parcel :one
-- @rate 100/s
SELECT p.sender, p.weight, d.name, d.city FROM parcels p LEFT JOIN depots d ON d.id = p.depot WHERE p.id = ?;

-- name: OfSender :many
-- @rate 100/s
SELECT p.id, p.weight, d.name AS depot_name FROM parcels p LEFT OUTER JOIN depots d ON p.depot = d.id
WHERE p.sender = ? ORDER BY p.weight, p.id;

-- name: InDepot :many
-- @rate 100/s
SELECT p.id, p.sender, d.name FROM parcels p JOIN depots d ON d.id = p.depot WHERE p.depot = ?;

-- name: AddDepot :exec
INSERT INTO depots (id, name, city) VALUES (?, ?, ?);

-- name: RenameDepot :exec
-- @rate 1/h
UPDATE depots SET name = ? WHERE id = ?;

-- name: AddParcel :exec
-- @rate 10/s
INSERT INTO parcels (id, sender, depot, weight) VALUES (?, ?, ?, ?);

-- name: Move :exec
-- @rate 10/s
UPDATE parcels SET depot = ? WHERE id = ?;

-- name: Unload :exec
-- @rate 10/s
UPDATE parcels SET depot = NULL WHERE id = ?;
