//! Keys that an expert would draw: published patterns, and what was once chosen wrongly.

use model::plan::{Bucket, Design, Loop};

use super::{key, read};
use crate::prices::HELENUS;

fn design(text: &str) -> Design {
    super::search_file(&read(text), &super::options(&HELENUS, false)).0
}

/// The key of the table that a read reads first.
fn key_of(design: &Design, read: usize) -> String {
    let plan = &design.reads[read];
    key(&design.tables[plan.steps[plan.main].table])
}

const GROUPS: &str = "
-- @rows 1k
CREATE TABLE groups (groupname text PRIMARY KEY);
";

#[test]
fn ten_newest_at_three_a_day_are_read_from_ranges_of_days() {
    let design = design(&format!(
        "{GROUPS}
CREATE TABLE members (
  groupname text NOT NULL REFERENCES groups, -- @each 3/day p99 50k/day max 100k/day
  joined uuid NOT NULL, -- @time
  username text NOT NULL, email text NOT NULL, age int,
  PRIMARY KEY (groupname, joined));
-- name: Newest :many
-- @rate 100/s
SELECT username, email, age, joined FROM members WHERE groupname = ? ORDER BY joined DESC LIMIT 10;
-- name: Join :exec
-- @rate 0.04/s
INSERT INTO members (groupname, joined, username, email, age) VALUES (?,?,?,?,?);"
    ));
    let bucket = design.tables[0].bucket().map(|(_, _, bucket)| bucket);
    assert!(matches!(bucket, Some(Bucket::Days(3..=4))), "{bucket:?}");
    // Two periods, and the record of the oldest.
    assert!(design.reads[0].partitions <= 3.0, "{}", design.reads[0].partitions);
}

#[test]
fn settled_groups_that_are_read_newest_first_are_split_by_time() {
    for about in ["@rows 1B @grows 300k/day", "@rows 1B @retain 10 years"] {
        let design = design(&format!(
            "{GROUPS}
-- {about}
CREATE TABLE messages (
  groupname text NOT NULL REFERENCES groups, -- @each 1M p99 3M max 10M
  sent timestamp NOT NULL, id uuid NOT NULL, body text NOT NULL, -- @bytes 200
  PRIMARY KEY (id));
-- name: Newest :many
-- @rate 100/s
SELECT id, body, sent FROM messages WHERE groupname = ? ORDER BY sent DESC LIMIT 20;"
        ));
        let table = &design.tables[0];
        let days = table.bucket().and_then(|(_, _, bucket)| bucket.days());
        assert!(days.is_some_and(|days| days >= 7.0), "{about}: {}", key(table));
        assert_eq!(table.shards(), 1, "{about}");
        assert!(design.reads[0].partitions <= 2.0, "{}", design.reads[0].partitions);
    }
}

/// Members of groups of up to a million, read as a whole.
fn members(each: &str, rate: &str) -> u32 {
    let design = design(&format!(
        "{GROUPS}
CREATE TABLE members (
  groupname text NOT NULL REFERENCES groups, -- @each {each}
  username text NOT NULL, email text NOT NULL, age int,
  PRIMARY KEY (groupname, username));
-- name: Members :many
-- @rate {rate}
SELECT username, email, age FROM members WHERE groupname = ?;"
    ));
    design.tables[0].shards()
}

#[test]
fn shards_balance_the_size_of_partitions_against_reads() {
    assert_eq!(members("500k", "100/s"), 2, "many reads: as few as the bound allows");
    assert_eq!(members("850k", "100/s"), 3, "not only powers of two");
    assert!(members("500k", "1/day") > 2, "few reads: smaller partitions");
}

#[test]
fn a_list_that_is_ordered_first_may_be_in_the_partition_key() {
    let design = design(
        "
-- @rows 100
CREATE TABLE rooms (room int PRIMARY KEY);
-- @rows 100M
CREATE TABLE events (
  id uuid PRIMARY KEY,
  room int NOT NULL REFERENCES rooms, -- @each 1M
  kind text NOT NULL, -- @distinct 20
  at timestamp NOT NULL,
  body text NOT NULL -- @bytes 300
);
-- name: Latest :many
-- @rate 500/s
SELECT id, kind, at, body FROM events WHERE room = ? AND kind IN (?, ?) ORDER BY kind, at DESC LIMIT 10;",
    );
    let key = key_of(&design, 0);
    assert!(key.starts_with("K room, K kind"), "{key}");
    let main = &design.reads[0].steps[design.reads[0].main];
    assert!(main.loops.iter().any(|turn| matches!(turn, Loop::Values(_))), "{main:?}");
    assert!(main.select.limit.is_some(), "each value gives its first rows");
}

#[test]
fn what_is_unique_identifies_rows_where_an_upsert_names_it() {
    let design = design(
        "
-- @rows 10k
CREATE TABLE rooms (room_id int PRIMARY KEY);
-- @rows 1M @grows 100/day
CREATE TABLE states (
  id uuid PRIMARY KEY,
  room_id int NOT NULL REFERENCES rooms,
  type text NOT NULL, state_key text NOT NULL, content text NOT NULL,
  UNIQUE (room_id, type, state_key));
-- name: States :many
-- @rate 5k/s
SELECT type, state_key, content FROM states WHERE room_id = ?;
-- name: SetState :exec
-- @rate 100/s
INSERT INTO states (id, room_id, type, state_key, content) VALUES (?, ?, ?, ?, ?)
ON CONFLICT (room_id, type, state_key) DO UPDATE SET content = EXCLUDED.content;",
    );
    assert_eq!(key_of(&design, 0), "K room_id, C type, C state_key");
}

#[test]
fn equality_columns_stay_together_where_nobody_reads_by_one_of_them() {
    let chunks = design(
        "
-- @rows 500M
CREATE TABLE emails (id uuid PRIMARY KEY, subject text);
CREATE TABLE attachments (
  email_id uuid NOT NULL REFERENCES emails,  -- @each 0.2
  filename text NOT NULL,
  n_chunks int NOT NULL,
  PRIMARY KEY (email_id, filename)
);
CREATE TABLE chunks (
  email_id uuid NOT NULL, filename text NOT NULL, chunk_number int NOT NULL,
  value bytea NOT NULL,                     -- @bytes 256KB
  PRIMARY KEY (email_id, filename, chunk_number),
  FOREIGN KEY (email_id, filename) REFERENCES attachments  -- @each 4 p99 40 max 40
);
-- name: Piece :one
-- @rate 10/s
SELECT value FROM chunks WHERE email_id = ? AND filename = ? AND chunk_number = ?;
-- name: AddPiece :exec
-- @rate 80k/day
INSERT INTO chunks (email_id, filename, chunk_number, value) VALUES (?, ?, ?, ?);",
    );
    assert_eq!(key_of(&chunks, 0), "K email_id, K filename, K chunk_number");
    let frequencies = design(
        "
-- @rows 500
CREATE TABLE sensors (sensor_id uuid PRIMARY KEY);
CREATE TABLE frequencies (
  sensor_id      uuid NOT NULL REFERENCES sensors,      -- @each 3
  parameter_id   uuid NOT NULL,
  parameter_type text NOT NULL,                         -- @distinct 2
  frequency      text,
  PRIMARY KEY (sensor_id, parameter_id, parameter_type)
);
-- name: Frequency :one
SELECT frequency FROM frequencies WHERE sensor_id = ? AND parameter_id = ? AND parameter_type = ?;",
    );
    assert_eq!(key_of(&frequencies, 0), "K sensor_id, K parameter_id, K parameter_type");
    let points = design(
        "
-- @rows 1M
CREATE TABLE entities (entity_type text NOT NULL, -- @distinct 3
  entity_id uuid NOT NULL, PRIMARY KEY (entity_type, entity_id));
CREATE TABLE keys (
  entity_type text NOT NULL, entity_id uuid NOT NULL,
  key         text NOT NULL,                            -- @distinct 200 @bytes 12
  PRIMARY KEY (entity_type, entity_id, key),
  FOREIGN KEY (entity_type, entity_id) REFERENCES entities  -- @each 10 p99 50 max 200
);
CREATE TABLE points (
  entity_type text NOT NULL, entity_id uuid NOT NULL, key text NOT NULL,
  ts timestamp NOT NULL, dbl_v double precision,
  PRIMARY KEY (entity_type, entity_id, key, ts),
  FOREIGN KEY (entity_type, entity_id, key) REFERENCES keys  -- @each 1440/day p99 8640/day
);
-- name: Points :many
-- @rate 100/s
SELECT ts, dbl_v FROM points WHERE entity_type = ? AND entity_id = ? AND key = ? AND ts >= ? AND ts < ? ORDER BY ts;
-- name: Save :exec
-- @rate 160k/s
INSERT INTO points (entity_type, entity_id, key, ts, dbl_v) VALUES (?, ?, ?, ?, ?);",
    );
    let key = key_of(&points, 0);
    assert!(key.starts_with("K entity_type, K entity_id, K key"), "{key}");
    assert_eq!(points.tables[0].shards(), 1);
}

#[test]
fn a_filter_by_the_client_leaves_what_the_query_asks_for() {
    let design = design(
        "
-- @rows 100
CREATE TABLE applications (app_name text PRIMARY KEY);
CREATE TABLE experiments (
  id         uuid PRIMARY KEY,
  app_name   text NOT NULL REFERENCES applications,     -- @each 100 p99 1k max 1k
  label      text NOT NULL,
  state      text NOT NULL,
  start_time timestamp,
  UNIQUE (app_name, label)
);
-- name: ExperimentByLabel :one
-- @rate 10k/s
SELECT id, state, start_time FROM experiments WHERE app_name = ? AND label = ?;
-- name: Experiment :one
-- @rate 1k/s
SELECT id, app_name, label, state, start_time FROM experiments WHERE id = ?;",
    );
    assert_eq!(key_of(&design, 0), "K app_name, K label");
}

#[test]
fn a_date_has_no_hours() {
    let design = design(
        "
-- @rows 2M
CREATE TABLE sources (source text PRIMARY KEY);
-- @rows 10
CREATE TABLE metrics (metric text PRIMARY KEY);
CREATE TABLE days (
  source text NOT NULL REFERENCES sources,              -- @each 3/day p99 10/day
  metric text NOT NULL REFERENCES metrics,
  date   date NOT NULL,
  mean   numeric,
  PRIMARY KEY (source, metric, date)
);
-- name: Statistics :many
-- @rate 10/s
SELECT date, mean FROM days WHERE source = ? AND metric = ? AND date >= ? AND date <= ? ORDER BY date DESC;
-- name: RecordDay :exec
-- @rate 70/s
INSERT INTO days (source, metric, date, mean) VALUES (?, ?, ?, ?);",
    );
    assert_eq!(key_of(&design, 0), "K source, K metric, C date");
}

#[test]
fn a_list_comes_before_a_range() {
    let design = design(
        "
-- @rows 100k
CREATE TABLE groups (grp text PRIMARY KEY);
CREATE TABLE sources (
  source text PRIMARY KEY,
  grp    text NOT NULL REFERENCES groups                -- @each 20 p99 100 max 100
);
-- @retain 10 years
CREATE TABLE hours (
  source    text NOT NULL REFERENCES sources,           -- @each 72/day p99 240/day
  metric    text NOT NULL,                              -- @distinct 10
  timestamp timestamp NOT NULL,
  value     numeric NOT NULL,
  PRIMARY KEY (source, metric, timestamp)
);
-- name: HoursBySource :many
-- @rate 10/s
SELECT s.grp, h.source, h.timestamp, h.metric, h.value
FROM hours h JOIN sources s ON s.source = h.source
WHERE s.grp = ? AND h.source IN (?, ?) AND h.timestamp >= ? AND h.timestamp <= ?
ORDER BY h.source, h.timestamp DESC, h.metric;
-- name: RecordHour :exec
-- @rate 1.7k/s
INSERT INTO hours (source, metric, timestamp, value) VALUES (?, ?, ?, ?);",
    );
    let key = key_of(&design, 0);
    assert!(design.tables[0].shards() == 1 && design.reads[0].partitions < 16.0, "{key}");
}
