-- The table holds the row of one key, and has no key of its own: other rows must not be deleted there.
-- @rows 100
CREATE TABLE site_configs (key text PRIMARY KEY, value text NOT NULL);
-- name: GetDeploymentID :one
SELECT value FROM site_configs WHERE key = 'deployment_id';
-- name: InsertConfig :exec
INSERT INTO site_configs (key, value) VALUES ($1, $2);
-- name: DeleteRuntimeConfig :exec
DELETE FROM site_configs WHERE site_configs.key = $1;
