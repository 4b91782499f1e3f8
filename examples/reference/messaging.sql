-- Messaging (DataStax Academy): up to 1,000 folders of a user, up to 10,000 emails in a folder, attachments of up to 10 MB in pieces
-- of 256 KB.
-- @keyspace messaging

-- @rows 1M
CREATE TABLE users (
  username text PRIMARY KEY
);

CREATE TABLE folders (
  username text NOT NULL REFERENCES users,  -- @each 10 p99 100 max 1000
  label    text NOT NULL,
  color    text,
  PRIMARY KEY (username, label)
);

-- @rows 500M
CREATE TABLE emails (
  id          uuid PRIMARY KEY,  -- @time
  "to"        text[],            -- @items 3
  "from"      text,
  subject     text,
  body        text,              -- @bytes 8KB
  attachments hstore             -- @items 1
);

CREATE TABLE folder_emails (
  username text NOT NULL,
  label    text NOT NULL,
  id       uuid NOT NULL REFERENCES emails,  -- @each 2
  is_read  boolean NOT NULL,
  PRIMARY KEY (username, label, id),
  FOREIGN KEY (username, label) REFERENCES folders  -- @each 100 p99 2k max 10k
);

CREATE TABLE attachments (
  email_id uuid NOT NULL REFERENCES emails,  -- @each 0.2
  filename text NOT NULL,
  type     text,
  n_chunks int NOT NULL,
  PRIMARY KEY (email_id, filename)
);

CREATE TABLE attachment_chunks (
  email_id     uuid NOT NULL,
  filename     text NOT NULL,
  chunk_number int NOT NULL,
  value        bytea NOT NULL,                     -- @bytes 256KB
  PRIMARY KEY (email_id, filename, chunk_number),
  FOREIGN KEY (email_id, filename) REFERENCES attachments  -- @each 4 p99 40 max 40
);

-- name: FoldersByUser :many
-- @rate 100/s
SELECT label, color FROM folders WHERE username = ?;

-- name: UnreadByFolder :many
-- @rate 100/s  @after FoldersByUser
SELECT label, COUNT(*) AS num_unread FROM folder_emails WHERE username = ? AND is_read = false GROUP BY label;

-- name: EmailsByFolder :many
-- @rate 200/s  @after FoldersByUser
SELECT e.id, e."from", e.subject, f.is_read
FROM folder_emails f JOIN emails e ON e.id = f.id
WHERE f.username = ? AND f.label = ? ORDER BY e.id DESC;

-- name: EmailById :one
-- @rate 100/s  @after EmailsByFolder
SELECT id, "to", "from", subject, body, attachments FROM emails WHERE id = ?;

-- name: AttachmentPiece :one
-- @rate 10/s  @after EmailById, AttachmentInfo
SELECT a.type, c.value
FROM attachment_chunks c JOIN attachments a ON a.email_id = c.email_id AND a.filename = c.filename
WHERE c.email_id = ? AND c.filename = ? AND c.chunk_number = ?;

-- name: AttachmentInfo :one
-- @rate 10/s  @after EmailById
SELECT n_chunks, type FROM attachments WHERE email_id = ? AND filename = ?;

-- name: AddFolder :exec
-- @rate 10k/day
INSERT INTO folders (username, label, color) VALUES (?, ?, ?);

-- name: Send :exec
-- @rate 100k/day
INSERT INTO emails (id, "to", "from", subject, body, attachments) VALUES (?, ?, ?, ?, ?, ?);

-- name: Deliver :exec
-- @rate 200k/day
INSERT INTO folder_emails (username, label, id, is_read) VALUES (?, ?, ?, ?);

-- name: MarkAsRead :exec
-- @rate 200k/day  @after EmailsByFolder
UPDATE folder_emails SET is_read = true WHERE username = ? AND label = ? AND id = ?;

-- name: Attach :exec
-- @rate 20k/day
INSERT INTO attachments (email_id, filename, type, n_chunks) VALUES (?, ?, ?, ?);

-- name: AttachPiece :exec
-- @rate 80k/day
INSERT INTO attachment_chunks (email_id, filename, chunk_number, value) VALUES (?, ?, ?, ?);
