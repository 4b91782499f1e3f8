-- Defaults that are constants of every type; INSERTs give all columns, some or only the key.
-- @rows 2M
CREATE TABLE articles (
  id         uuid PRIMARY KEY,
  author     text NOT NULL,                                     -- @distinct 50k
  title      text NOT NULL DEFAULT 'untitled',
  lang       varchar(5) NOT NULL DEFAULT 'en'::character varying,
  stars      integer NOT NULL DEFAULT 7,
  depth      smallint DEFAULT -1,
  bytes      bigint NOT NULL DEFAULT 0,
  price      numeric NOT NULL DEFAULT 9.50,
  ratio      double precision DEFAULT 0.5,
  draft      boolean NOT NULL DEFAULT true,
  listed     date NOT NULL DEFAULT '2020-02-29',
  opened     timestamp NOT NULL DEFAULT '2020-01-01 00:00:00',
  tags       text[] NOT NULL DEFAULT '{}',
  note       text DEFAULT NULL,
  owner      uuid DEFAULT '00000000-0000-4000-8000-000000000001'
);

-- name: Article :one
-- @rate 500/s
SELECT author, title, lang, stars, depth, bytes, price, ratio, draft, listed, opened, note, owner FROM articles WHERE id = ?;

-- name: DraftsOfAuthor :many
-- @rate 100/s
SELECT id, title, stars FROM articles WHERE author = ? AND draft = true;

-- name: ByLanguage :many
-- @rate 50/s
SELECT id, author, listed FROM articles WHERE lang = ? AND listed >= ? ORDER BY listed DESC, id LIMIT 20;

-- name: AddDefault :exec
-- @rate 10/s
INSERT INTO articles (id, author) VALUES (?, ?);

-- name: AddSome :exec
-- @rate 10/s
INSERT INTO articles (id, author, title, stars, depth, ratio, owner) VALUES (?, ?, ?, ?, ?, ?, ?);

-- name: AddWord :exec
-- @rate 10/s
INSERT INTO articles (id, author, title, draft, lang) VALUES (?, ?, DEFAULT, DEFAULT, ?);

-- name: Publish :exec
-- @rate 10/s
UPDATE articles SET draft = false, listed = ? WHERE id = ?;

-- name: Reset :exec
-- @rate 1/s
UPDATE articles SET lang = DEFAULT, stars = DEFAULT, owner = DEFAULT WHERE id = ?;

-- name: Remove :exec
-- @rate 1/s
DELETE FROM articles WHERE id = ?;
