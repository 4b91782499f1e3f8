//! Splits that an expert would draw: buckets, ranges and shards.

use model::plan::{Bucket, Design, PlannedTable};

use super::{key, read};
use crate::prices::HELENUS;

fn design(text: &str) -> Design {
    super::search_file(&read(text), &super::options(&HELENUS, false)).0
}

/// The table that a read reads first.
fn table_of(design: &Design, read: usize) -> &PlannedTable {
    let plan = &design.reads[read];
    &design.tables[plan.steps[plan.main].table]
}

/// The messages of rooms, with an id that is one sequence for all rooms.
fn messages(id: &str) -> Design {
    design(&format!(
        "
-- @rows 10k
CREATE TABLE rooms (room int PRIMARY KEY);
-- @rows 10B @grows 5M/day
CREATE TABLE messages (
  room int NOT NULL REFERENCES rooms, -- @each 1M p99 5M max 20M
  id bigint NOT NULL, body text NOT NULL, -- @bytes 100
  {id});
-- name: Newest :many
-- @rate 500/s
SELECT id, body FROM messages WHERE room = ? ORDER BY id DESC LIMIT 50;
-- name: Send :exec
-- @rate 5M/day
INSERT INTO messages (room, id, body) VALUES (?, ?, ?);"
    ))
}

#[test]
fn the_newest_rows_by_a_number_are_in_one_partition() {
    for id in ["PRIMARY KEY (id)", "PRIMARY KEY (room, id)"] {
        let design = messages(id);
        let table = table_of(&design, 0);
        let Some((_, _, Bucket::Range(width))) = table.bucket() else {
            panic!("{id}: {}", key(table));
        };
        // The record of the newest range, and that range.
        assert!(design.reads[0].partitions <= 2.0, "{id}: {}", design.reads[0].partitions);
        // Where the rooms share the numbers, a room has one in ten thousand of them.
        let is_wide = width > 10_000_000;
        assert_eq!(is_wide, id == "PRIMARY KEY (id)", "{id}: {width}");
        assert!(table.volume.rows_after(0.0).p999 <= 300_000.0, "{id}: {:?}", table.volume.today);
        let digits = width.to_string();
        assert!(digits.trim_end_matches('0').len() == 1, "a round number: {width}");
    }
}

#[test]
fn a_range_of_time_is_read_from_buckets_whatever_is_stated_about_it() {
    for span in ["", "@span 1d"] {
        let design = design(&format!(
            "
-- @rows 300k
CREATE TABLE signals (object int NOT NULL, signal int NOT NULL, PRIMARY KEY (object, signal));
CREATE TABLE records (
  object int NOT NULL, signal int NOT NULL, at timestamp NOT NULL, value double precision NOT NULL,
  PRIMARY KEY (object, signal, at),
  FOREIGN KEY (object, signal) REFERENCES signals -- @each 1440/day
);
-- name: Records :many
-- @rate 50/s {span}
SELECT at, value FROM records WHERE object = ? AND signal = ? AND at >= ? AND at < ? ORDER BY at DESC;
-- name: Write :exec
-- @rate 5k/s
INSERT INTO records (object, signal, at, value) VALUES (?, ?, ?, ?);"
        ));
        assert_eq!(key(table_of(&design, 0)), "K object, K signal, K month, C at", "{span}");
    }
}

#[test]
fn a_column_of_few_values_does_not_stand_alone_before_a_selective_one() {
    let design = design(
        "
-- @rows 1k
CREATE TABLE sensors (id uuid PRIMARY KEY,
  location text NOT NULL -- @distinct 100
);
CREATE TABLE measurements (
  id uuid NOT NULL REFERENCES sensors, -- @each 24/day
  parameter text NOT NULL, -- @distinct 5
  at timestamp NOT NULL, value real NOT NULL, PRIMARY KEY (id, parameter, at));
-- name: AtLocation :many
-- @rate 10/s
SELECT m.at, m.value FROM measurements m JOIN sensors s ON s.id = m.id
WHERE s.location = ? AND m.parameter = ? AND m.at > ? ORDER BY m.at DESC;
-- name: Measure :exec
-- @rate 24k/day
INSERT INTO measurements (id, parameter, at, value) VALUES (?, ?, ?, ?);",
    );
    let key = key(table_of(&design, 0));
    assert!(key.starts_with("K location, K parameter"), "{key}");
}

#[test]
fn what_changes_is_not_found_early() {
    let design = design(
        "
-- @rows 10M
CREATE TABLE boxes (box uuid PRIMARY KEY);
CREATE TABLE messages (
  box uuid NOT NULL REFERENCES boxes, -- @each 500 p99 10k max 100k
  uid bigint NOT NULL, subject text NOT NULL, seen boolean NOT NULL, PRIMARY KEY (box, uid));
-- name: Message :one
-- @rate 1k/s
SELECT subject, seen FROM messages WHERE box = ? AND uid = ?;
-- name: FirstUnseen :one
-- @rate 500/s
SELECT uid FROM messages WHERE box = ? AND seen = false ORDER BY uid LIMIT 1;
-- name: Append :exec
-- @rate 300/s
INSERT INTO messages (box, uid, subject, seen) VALUES (?, ?, ?, ?);
-- name: See :exec
-- @rate 300/s
UPDATE messages SET seen = true WHERE box = ? AND uid = ?;",
    );
    assert!(!table_of(&design, 1).holds.filters.is_empty(), "{}", key(table_of(&design, 1)));
}

#[test]
fn a_large_column_does_not_split_the_table_of_another_read() {
    let design = design(
        "
-- @rows 10M
CREATE TABLE users (user_id text PRIMARY KEY);
CREATE TABLE folders (
  user_id text NOT NULL REFERENCES users, -- @each 8 p99 50 max 500
  folder text NOT NULL, PRIMARY KEY (user_id, folder));
CREATE TABLE messages (
  user_id text NOT NULL, folder text NOT NULL,
  message_id uuid NOT NULL, -- @time
  subject text, preview text, -- @bytes 200
  body text, -- @bytes 8KB
  PRIMARY KEY (user_id, message_id),
  FOREIGN KEY (user_id, folder) REFERENCES folders -- @each 5/day p99 1k/day max 10k/day
);
-- name: Mailbox :many
-- @rate 5k/s
SELECT message_id, subject, preview FROM messages
WHERE user_id = ? AND folder = ? ORDER BY message_id DESC LIMIT 50;
-- name: Message :one
-- @rate 2k/s
SELECT folder, subject, body FROM messages WHERE user_id = ? AND message_id = ?;
-- name: Badges :many
-- @rate 2k/s
SELECT folder, COUNT(*) AS total FROM messages WHERE user_id = ? GROUP BY folder;
-- name: Receive :exec
-- @rate 4.6k/s
INSERT INTO messages (user_id, folder, message_id, subject, preview, body) VALUES (?, ?, ?, ?, ?, ?);",
    );
    assert!(design.reads[0].partitions <= 3.0, "{}", key(table_of(&design, 0)));
    assert!(design.reads[1].rows <= 1.0, "{}", key(table_of(&design, 1)));
}

#[test]
fn a_walk_has_a_record_of_its_ends_where_others_look_up_rows() {
    let design = design(
        "
-- @rows 3M
CREATE TABLE items (
  owner text NOT NULL, -- @distinct 10
  number int NOT NULL, amount bigint NOT NULL, rank int NOT NULL,
  state text NOT NULL, PRIMARY KEY (owner, number));
-- name: Open :many
-- @rate 1/s
SELECT owner, number, amount FROM items WHERE state = 'open' ORDER BY rank DESC, owner, number LIMIT 5;
-- name: First :many
-- @rate 500/s
SELECT number, amount FROM items WHERE owner = ? ORDER BY number LIMIT 20;
-- name: Add :exec
-- @rate 100/s
INSERT INTO items (owner, number, amount, rank, state) VALUES (?, ?, ?, ?, ?);",
    );
    let plan = &design.reads[1];
    let table = plan.steps[plan.main].table;
    let is_walked = matches!(design.tables[table].bucket(), Some((_, _, Bucket::Range(_))));
    let has_record = design.tables.iter().any(|it| it.remembers == Some(table));
    assert!(is_walked, "{}", key(&design.tables[table]));
    assert!(has_record, "{}", key(&design.tables[table]));
}
