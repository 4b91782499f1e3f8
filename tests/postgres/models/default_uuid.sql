-- Ids that the database would make.
-- @rows 3M
CREATE TABLE sessions (
  id     uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  token  uuid NOT NULL DEFAULT gen_random_uuid() UNIQUE,
  usr    text NOT NULL,                            -- @distinct 1M
  agent  text,
  trace  uuid DEFAULT gen_random_uuid()
);

-- name: ByToken :one
-- @rate 2k/s
SELECT id, usr, agent FROM sessions WHERE token = ?;

-- name: OfUser :many
-- @rate 100/s
SELECT id, token, agent, trace FROM sessions WHERE usr = ?;

-- name: Start :exec
-- @rate 100/s
INSERT INTO sessions (usr, agent) VALUES (?, ?);

-- name: StartWithId :exec
-- @rate 10/s
INSERT INTO sessions (id, usr) VALUES (?, ?);

-- name: Renew :exec
-- @rate 10/s
UPDATE sessions SET token = gen_random_uuid() WHERE id = ?;

-- name: End :exec
-- @rate 100/s
DELETE FROM sessions WHERE id = ?;
