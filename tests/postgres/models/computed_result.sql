-- @rows 1000
CREATE TABLE authors (
  id    uuid PRIMARY KEY,
  first text NOT NULL,
  last  text
);

-- @rows 5000
CREATE TABLE posts (
  id         uuid PRIMARY KEY,
  author     uuid NOT NULL REFERENCES authors,
  title      text,
  score      int,
  price      numeric,
  state      text NOT NULL,
  created_at timestamptz NOT NULL
);

-- name: Author :one
SELECT id, COALESCE(last, first) AS name, first || ' ' || last AS full_name, last IS NULL AS is_short
FROM authors WHERE id = $1;

-- name: Posts :many
SELECT p.id, COALESCE(p.title, '') AS title, COALESCE(p.score, 0)::bigint AS score,
       CASE p.state WHEN 'open' THEN 1 WHEN 'done' THEN 2 ELSE 3 END AS rank,
       CASE WHEN p.score > 5 AND p.state <> 'open' THEN 'high' WHEN p.score IN (1, 2) THEN 'low' END AS level,
       p.created_at::date AS day, COALESCE(p.price, 0) AS price, a.first
FROM posts p JOIN authors a ON a.id = p.author
WHERE p.author = $1 ORDER BY p.created_at DESC LIMIT 20;

-- name: Totals :one
SELECT COUNT(*)::int AS posts, COALESCE(SUM(score), 0)::bigint AS score, COUNT(*) > 0 AS has_posts,
       COALESCE(MAX(created_at), '2000-01-01') AS latest
FROM posts WHERE author = $1;

-- name: Recent :many
SELECT id, created_at FROM posts WHERE author = $1 AND created_at > now() - interval '7 days';

-- name: AddPost :exec
INSERT INTO posts (id, author, title, score, price, state, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7);

-- name: ScorePost :exec
UPDATE posts SET score = $2 WHERE id = $1;

-- name: AddAuthor :exec
INSERT INTO authors (id, first, last) VALUES ($1, $2, $3);
