-- A reference to a unique column that may be null: such a row is referred to by none.
-- @rows 200
CREATE TABLE assets (
  id   bigint PRIMARY KEY,
  code text UNIQUE
);
-- @rows 1000
CREATE TABLE burns (
  id     uuid PRIMARY KEY,
  code   text NOT NULL REFERENCES assets (code),
  amount bigint NOT NULL
);

-- name: Asset :one
SELECT * FROM assets WHERE id = $1;

-- name: BurnsOfAsset :many
SELECT id, amount FROM burns WHERE code = $1;

-- name: AddAsset :exec
INSERT INTO assets (id, code) VALUES ($1, $2);

-- name: AddBurn :exec
INSERT INTO burns (id, code, amount) VALUES ($1, $2, $3);

-- name: DeleteBurn :exec
DELETE FROM burns WHERE id = $1;
