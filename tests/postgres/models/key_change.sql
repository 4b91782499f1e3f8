-- The key of a row changes under a further condition, and where its row must exist.
-- @rows 2M
CREATE TABLE pages (
  slug    text PRIMARY KEY,
  state   text NOT NULL,                           -- @distinct 5
  title   text NOT NULL
);

-- name: Page :one
-- @rate 500/s
SELECT slug, state, title FROM pages WHERE slug = ?;

-- name: InState :many
-- @rate 10/s
SELECT slug, title FROM pages WHERE state = ?;

-- name: Add :exec
-- @rate 10/s
INSERT INTO pages (slug, state, title) VALUES (?, ?, ?);

-- name: MoveDraft :exec
-- @rate 5/s
UPDATE pages SET slug = ?, title = ? WHERE slug = ? AND state = ?;

-- name: Move :exec
-- @rate 5/s  @strict
UPDATE pages SET slug = ?, state = ? WHERE slug = ?;
