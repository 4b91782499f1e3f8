-- Keys that hold only for some rows.
-- @rows 1M
CREATE TABLE mailboxes (
  id       uuid PRIMARY KEY,
  address  text NOT NULL,
  owner    text NOT NULL,                          -- @distinct 300k
  main     boolean NOT NULL DEFAULT false,
  deleted  timestamp
);
CREATE UNIQUE INDEX live_address ON mailboxes (address) WHERE deleted IS NULL;
CREATE UNIQUE INDEX one_main ON mailboxes (owner) WHERE main;

-- name: Mailbox :one
-- @rate 100/s
SELECT address, owner, main, deleted FROM mailboxes WHERE id = ?;

-- name: Live :one
-- @rate 100/s
SELECT id, owner FROM mailboxes WHERE address = ? AND deleted IS NULL;

-- name: MainOf :one
-- @rate 100/s
SELECT id, address FROM mailboxes WHERE owner = ? AND main = true;

-- name: Add :exec
-- @rate 10/s
INSERT INTO mailboxes (id, address, owner, main) VALUES (?, ?, ?, ?);

-- name: Delete :exec
-- @rate 10/s
UPDATE mailboxes SET deleted = ? WHERE id = ?;

-- name: MakeMain :exec
-- @rate 10/s
UPDATE mailboxes SET main = true WHERE id = ?;
