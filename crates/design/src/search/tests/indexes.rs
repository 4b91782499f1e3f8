//! Where an index is chosen, and where not.

use model::plan::Design;

use crate::{Options, Target, create_statements, design};

/// A large table that is often written, read by its key and, at some rate, by another column.
fn design_users(query: &str, rate: &str, target: Target) -> Design {
    let text = format!(
        "-- @nodes 6
-- @rows 50M @grows 100k/day
CREATE TABLE users (userid uuid PRIMARY KEY,
  email text NOT NULL, -- @bytes 30 @distinct 50M
  city text NOT NULL, -- @distinct 5M
  active boolean NOT NULL,
  age int NOT NULL, -- @distinct 100
  seen timestamp NOT NULL);
-- name: One :one
-- @rate 5000/s
SELECT email, city, active, seen FROM users WHERE userid = ?;
-- name: Rare :many
-- @rate {rate}
{query};
-- name: Add :exec
-- @rate 100/s
INSERT INTO users (userid, email, city, active, age, seen) VALUES (?, ?, ?, ?, ?, ?);
-- name: See :exec
-- @rate 2000/s
UPDATE users SET seen = ?, city = ? WHERE userid = ?;
"
    );
    let file = model::sql::read(&text, "sample").unwrap_or_else(|wrong| panic!("{wrong:#?}"));
    design(&file.concept, &file.workload, &Options { target, ..Options::default() })
}

const BY_CITY: &str = "SELECT userid, email, seen FROM users WHERE city = ? ORDER BY seen LIMIT 5";

#[test]
fn a_rare_query_of_an_often_written_table_gets_an_index() {
    let design = design_users(BY_CITY, "0.1/s", Target::Cassandra50);
    let [table] = &design.tables[..] else { panic!("{:#?}", design.tables) };
    assert_eq!(
        create_statements::indexes(table),
        ["CREATE INDEX users_city_idx ON users (city) USING 'sai'"]
    );
    let plan = &design.reads[1];
    assert_eq!(
        plan.steps[0].select.to_string(),
        "SELECT userid, email, seen FROM users WHERE city = ?",
        "the client sorts, so it needs all rows"
    );
    assert_eq!(plan.client.len(), 2, "{:?}", plan.client);
    assert!((plan.effort.nodes - 6.0).abs() < 1e-9, "{:?}", plan.effort);
}

#[test]
fn without_an_order_the_server_stops_at_the_limit() {
    let query = "SELECT userid, email FROM users WHERE city = ? LIMIT 5";
    let design = design_users(query, "0.1/s", Target::Cassandra50);
    let cql = &design.reads[1].steps[0].select.to_string();
    assert_eq!(cql, "SELECT userid, email FROM users WHERE city = ? LIMIT 5");
}

#[test]
fn a_frequent_query_gets_a_table() {
    let design = design_users(BY_CITY, "500/s", Target::Cassandra50);
    assert!(design.tables.iter().all(|table| table.indexes.is_empty()), "{:#?}", design.tables);
    assert_eq!(design.tables.len(), 2);
}

#[test]
fn a_column_of_few_values_gets_no_index() {
    let query = "SELECT userid, email FROM users WHERE active = ? LIMIT 5";
    let design = design_users(query, "0.1/s", Target::Cassandra50);
    assert!(design.tables.iter().all(|table| table.indexes.is_empty()), "{:#?}", design.tables);
}

#[test]
fn a_secondary_index_is_not_for_a_column_of_many_values() {
    let by_email = "SELECT userid, city FROM users WHERE email = ?";
    let old = design_users(by_email, "0.1/s", Target::Cassandra41);
    assert!(old.tables.iter().all(|table| table.indexes.is_empty()), "{:#?}", old.tables);
}

#[test]
fn targets_without_attached_indexes_get_secondary_ones() {
    let design = design_users(BY_CITY, "0.1/s", Target::Scylla);
    let created: Vec<String> = design.tables.iter().flat_map(create_statements::indexes).collect();
    assert_eq!(created, ["CREATE INDEX users_city_idx ON users (city)"]);
}

#[test]
fn nothing_is_said_against_an_index_that_was_chosen() {
    let design = design_users(BY_CITY, "0.1/s", Target::Cassandra50);
    let against =
        design.notes.iter().filter(|note| note.topic.to_string().contains("could do without"));
    assert_eq!(against.count(), 0, "{:#?}", design.notes);
}

/// Rooms with large partitions of messages, which are searched by author at some rate.
fn design_rooms(rows: &str, target: Target) -> Design {
    let text = format!(
        "-- @nodes 9
-- @rows 20k
CREATE TABLE rooms (room_id uuid PRIMARY KEY);
CREATE TABLE messages (message_id uuid PRIMARY KEY,
  room_id uuid NOT NULL REFERENCES rooms, -- @each {rows}
  author text NOT NULL, -- @distinct 500
  sent timestamp NOT NULL,
  body text NOT NULL);
-- name: Latest :many
-- @rate 2000/s
SELECT * FROM messages WHERE room_id = ? ORDER BY sent DESC LIMIT 50;
-- name: ByAuthor :many
-- @rate 300/s
SELECT * FROM messages WHERE room_id = ? AND author = ?;
-- name: Send :exec
-- @rate 20000/s
INSERT INTO messages (message_id, room_id, author, sent, body) VALUES (?, ?, ?, ?, ?);
"
    );
    let file = model::sql::read(&text, "sample").unwrap_or_else(|wrong| panic!("{wrong:#?}"));
    design(&file.concept, &file.workload, &Options { target, ..Options::default() })
}

#[test]
fn within_a_partition_an_index_suits_any_rate() {
    let design = design_rooms("5k", Target::Cassandra50);
    let [table] = &design.tables[..] else { panic!("{:#?}", design.tables) };
    let [index] = &table.indexes[..] else { panic!("{:#?}", table.indexes) };
    let figures = index.figures.expect("the reads are planned");
    assert_eq!((index.column.as_str(), figures.nodes), ("author", None));
    assert_eq!(
        figures.to_string(),
        "500 distinct values; each search finds 10 rows in one partition"
    );
    assert_eq!(
        design.reads[1].steps[0].select.to_string(),
        "SELECT message_id, room_id, author, sent, body FROM messages_by_room WHERE room_id = ? AND author = ?"
    );
}

#[test]
fn an_index_is_not_searched_within_a_very_large_partition() {
    let design = design_rooms("100k p99 200k max 250k", Target::Cassandra50);
    assert!(design.tables.iter().all(|table| table.indexes.is_empty()), "{:#?}", design.tables);
}

#[test]
fn figures_of_a_search_of_all_nodes() {
    let design = design_users(BY_CITY, "0.1/s", Target::Cassandra50);
    let figures = design.tables[0].indexes[0].figures.expect("the reads are planned");
    assert_eq!(
        figures.to_string(),
        "5M distinct values (very many values: suitable for a storage-attached index); each search finds 10 rows on 6 nodes"
    );
}
