-- The condition is on a row that the changed row refers to, and other rows refer to the changed row.
-- @rows 300
CREATE TABLE txns (
  id    int PRIMARY KEY,
  block text
);
-- @rows 600
CREATE TABLE commits (
  id   int PRIMARY KEY,
  txn  int NOT NULL REFERENCES txns,
  root text NOT NULL
);
-- @rows 1000
CREATE TABLE machines (
  grp    text PRIMARY KEY,
  latest int REFERENCES commits
);

-- name: MinedCommit :one
SELECT m.grp, c.id, c.root FROM machines m JOIN commits c ON c.id = m.latest JOIN txns t ON t.id = c.txn
WHERE m.grp = $1 AND t.block IS NOT NULL;

-- name: Commit :one
SELECT * FROM commits WHERE id = $1;

-- name: Txn :one
SELECT * FROM txns WHERE id = $1;

-- name: AddTxn :exec
INSERT INTO txns (id, block) VALUES ($1, $2);

-- name: AddCommit :exec
INSERT INTO commits (id, txn, root) VALUES ($1, $2, $3);

-- name: AddMachine :exec
INSERT INTO machines (grp, latest) VALUES ($1, $2);

-- name: MoveCommit :exec
UPDATE commits SET txn = $2 WHERE id = $1;

-- name: Mine :exec
UPDATE txns SET block = $2 WHERE id = $1;
