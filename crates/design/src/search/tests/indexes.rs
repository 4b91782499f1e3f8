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
