-- EXCLUDED.column may be null: then the column stays as it is.
-- @rows 1000
CREATE TABLE channels (
  scid    text NOT NULL,
  version int NOT NULL,
  first   text,
  second  text,
  PRIMARY KEY (scid, version)
);

-- name: Channel :one
SELECT * FROM channels WHERE scid = $1 AND version = $2;

-- name: ChannelsByFirst :many
SELECT scid, version, second FROM channels WHERE first = $1;

-- name: PutChannel :exec
INSERT INTO channels (scid, version, first, second) VALUES ($1, $2, $3, $4)
ON CONFLICT (scid, version) DO UPDATE SET
  first = COALESCE(EXCLUDED.first, channels.first),
  second = COALESCE(EXCLUDED.second, channels.second);

-- name: ForgetChannel :exec
DELETE FROM channels WHERE scid = $1 AND version = $2;
