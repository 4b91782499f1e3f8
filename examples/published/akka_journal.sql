-- Akka Persistence Cassandra: the journal of events of persistent actors, their snapshots, and the events by tag.
-- @keyspace akka_journal

-- @rows 1M
CREATE TABLE actors (
  persistence_id text PRIMARY KEY                       -- @bytes 40
);

CREATE TABLE messages (
  persistence_id text NOT NULL REFERENCES actors,       -- @each 20/day p99 2k/day max 20k/day
  sequence_nr    bigint NOT NULL,
  writer_uuid    text NOT NULL,                         -- @bytes 36
  ser_id         int NOT NULL,
  ser_manifest   text,
  event          bytea NOT NULL,                        -- @bytes 500
  PRIMARY KEY (persistence_id, sequence_nr)
);

CREATE TABLE snapshots (
  persistence_id text NOT NULL REFERENCES actors,       -- @each 3 p99 3 max 10
  sequence_nr    bigint NOT NULL,
  timestamp      bigint NOT NULL,
  ser_id         int NOT NULL,
  snapshot       bytea NOT NULL,                        -- @bytes 10KB
  PRIMARY KEY (persistence_id, sequence_nr)
);

-- @rows 100
CREATE TABLE tags (
  tag_name text PRIMARY KEY
);

CREATE TABLE tagged_events (
  tag_name            text NOT NULL REFERENCES tags,    -- @each 100k/day p99 500k/day
  timestamp           uuid NOT NULL,                    -- @time
  persistence_id      text NOT NULL REFERENCES actors,
  tag_pid_sequence_nr bigint NOT NULL,
  event               bytea NOT NULL,                   -- @bytes 500
  PRIMARY KEY (tag_name, timestamp, persistence_id, tag_pid_sequence_nr)
);

-- name: Replay :many
-- @rate 500/s @span sequence_nr 100
SELECT sequence_nr, writer_uuid, ser_id, ser_manifest, event FROM messages
WHERE persistence_id = ? AND sequence_nr >= ? AND sequence_nr <= ? ORDER BY sequence_nr;

-- name: HighestSequenceNr :one
-- @rate 500/s
SELECT sequence_nr FROM messages WHERE persistence_id = ? ORDER BY sequence_nr DESC LIMIT 1;

-- name: LatestSnapshot :one
-- @rate 500/s
SELECT sequence_nr, timestamp, ser_id, snapshot FROM snapshots
WHERE persistence_id = ? ORDER BY sequence_nr DESC LIMIT 1;

-- name: EventsByTag :many
-- @rate 100/s @span timestamp 10s
SELECT timestamp, persistence_id, tag_pid_sequence_nr, event FROM tagged_events
WHERE tag_name = ? AND timestamp > ? AND timestamp <= ? ORDER BY timestamp;

-- name: Persist :exec
-- @rate 20M/day
INSERT INTO messages (persistence_id, sequence_nr, writer_uuid, ser_id, ser_manifest, event) VALUES (?, ?, ?, ?, ?, ?);

-- name: Tag :exec
-- @rate 10M/day
INSERT INTO tagged_events (tag_name, timestamp, persistence_id, tag_pid_sequence_nr, event) VALUES (?, ?, ?, ?, ?);

-- name: SaveSnapshot :exec
-- @rate 200k/day
INSERT INTO snapshots (persistence_id, sequence_nr, timestamp, ser_id, snapshot) VALUES (?, ?, ?, ?, ?);
