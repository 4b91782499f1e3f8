-- ON CONFLICT DO NOTHING where the queries ask for some of the rows only: a key exists also if its row is not among them.
-- @rows 2M
CREATE TABLE notes (
  slug     text PRIMARY KEY,
  body     text NOT NULL,
  deleted  timestamp
);

-- name: LiveNote :one
-- @rate 500/s
SELECT slug, body FROM notes WHERE slug = ? AND deleted IS NULL;

-- name: Add :exec
-- @rate 10/s
INSERT INTO notes (slug, body, deleted) VALUES (?, ?, ?) ON CONFLICT (slug) DO NOTHING;

-- name: Delete :exec
-- @rate 10/s
UPDATE notes SET deleted = ? WHERE slug = ?;
