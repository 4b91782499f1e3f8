-- Names that are words of a language, and names that are equal after the change of their case.
-- @keyspace words

CREATE TABLE class (
  id       uuid PRIMARY KEY,
  "type"   text NOT NULL,
  "Type"   text,
  "from"   text,
  from_    text,
  "return" text,
  self     text
);

-- name: Class :one
SELECT id, "type", "Type", "from", from_, "return", self FROM class WHERE id = ?;

-- name: class_ :many
SELECT id, "type" FROM class WHERE "type" = ?;

-- name: Close :exec
INSERT INTO class (id, "type", "Type", "from", from_) VALUES (?, ?, ?, ?, ?);
