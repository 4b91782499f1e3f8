-- Counters at 0 are rows; groups without an aggregate.
CREATE TABLE pages (
  id uuid PRIMARY KEY,
  site text NOT NULL,
  title text NOT NULL,
  views bigint NOT NULL DEFAULT 0,
  likes int NOT NULL DEFAULT 0
);
-- name: Views :one
SELECT views, likes FROM pages WHERE id = ?;
-- name: PagesBySite :many
SELECT id, title, views FROM pages WHERE site = ? ORDER BY title;
-- name: Titles :many
SELECT DISTINCT site, title FROM pages WHERE site = ?;
-- name: Sites :many
SELECT site FROM pages GROUP BY site ORDER BY site;
-- name: CountBySite :many
SELECT title, COUNT(*) AS n FROM pages WHERE site = ? GROUP BY title;
-- name: AddPage :exec
INSERT INTO pages (id, site, title, views, likes) VALUES (?, ?, ?, 0, 0);
-- name: View :exec
UPDATE pages SET views = views + 1 WHERE id = ?;
-- name: Like :exec
UPDATE pages SET likes = likes + ?, views = views + 1 WHERE id = ?;
-- name: Move :exec
UPDATE pages SET site = ? WHERE id = ?;
-- name: Remove :exec
DELETE FROM pages WHERE id = ?;
