-- A column of the whole partition, and rows that are in no partition because a part of its key is null.
-- @rows 300k
CREATE TABLE txns (
  id   int PRIMARY KEY,
  txid text NOT NULL UNIQUE,
  idx  int
);
-- @rows 1B
CREATE TABLE commits (
  id   int PRIMARY KEY,
  grp  text NOT NULL,
  txn  int NOT NULL REFERENCES txns, -- @each 3000 p99 100k max 5M
  out  int,
  root text
);

-- name: CommitByOutpoint :many
-- @rate 5k/s
SELECT c.*, t.idx FROM commits c JOIN txns t ON t.id = c.txn
WHERE c.grp = $1 AND c.out = $2 AND t.txid = $3;

-- name: Txn :one
SELECT * FROM txns WHERE id = $1;

-- name: AddTxn :exec
-- @rate 1/h
INSERT INTO txns (id, txid, idx) VALUES ($1, $2, $3);

-- name: AddCommit :exec
-- @rate 1/h
INSERT INTO commits (id, grp, txn, out, root) VALUES ($1, $2, $3, $4, $5);

-- name: Confirm :exec
-- @rate 1/h
UPDATE txns SET idx = $2 WHERE id = $1;
