//! What makes each anti-pattern expensive: the terms, by figures.

use model::plan::{Design, DesignCost};

use super::super::design_cost;
use super::{KeySpec, design_with, options, read};
use crate::estimate;
use crate::prices::HELENUS;

/// A design of a text with one table for each read, and what it costs.
fn price_text(text: &str, keys: &[KeySpec<'_>]) -> (Design, DesignCost) {
    let file = read(text);
    let options = options(keys, &HELENUS);
    let design = design_with(&file, &options);
    let price = design_cost(&file.concept, &file.workload, &design, &options);
    (design, price)
}

#[test]
fn a_queue_pays_for_every_tombstone_at_every_poll() {
    let tables = "-- @rows 1000
        CREATE TABLE jobs (queue text, -- @distinct 1
          at timestamp, id uuid, body text NOT NULL, PRIMARY KEY (queue, at, id));
        -- name: Next :one
        -- @rate 10/s
        SELECT queue, at, id, body FROM jobs WHERE queue = ? ORDER BY at LIMIT 1;";
    let take = "-- name: Done :exec
        -- @rate 10/s
        DELETE FROM jobs WHERE queue = ? AND at = ? AND id = ?;";
    let (_, kept) = price_text(tables, &[]);
    let (design, taken) = price_text(&format!("{tables}\n{take}"), &[]);
    // Far beyond the 100,000 at which the server fails a read.
    assert!(design.reads[0].effort.tombstones > 1e6, "{:?}", design.reads[0].effort);
    assert!(taken.reads > 10_000.0 * kept.reads, "{taken:?} {kept:?}");
}

#[test]
fn a_partition_without_bound_is_beyond_the_bound() {
    let text = "-- @rows 1M
        CREATE TABLE users (userid uuid PRIMARY KEY, name text NOT NULL);
        -- @rows 100M @grows 100M/day
        CREATE TABLE acts (id uuid PRIMARY KEY,
          userid uuid NOT NULL REFERENCES users, -- @each 100/day p99 10k/day
          at timestamp NOT NULL, what text NOT NULL -- @bytes 100
          );
        -- name: Latest :many
        -- @rate 100/s
        SELECT id, at, what FROM acts WHERE userid = ? ORDER BY at DESC LIMIT 20;";
    let file = read(text);
    let beyond = |keys: &[KeySpec<'_>]| {
        let options = options(keys, &HELENUS);
        let design = design_with(&file, &options);
        let estimates =
            estimate::estimate_tables(&file.concept, &file.workload, &options, &design.tables);
        estimates[0].exceeds
    };
    assert!(!beyond(&[]), "the rules split it");
    assert!(beyond(&[("Latest", "userid", "at id")]), "no price makes up for the bound");
}

#[test]
fn a_status_as_the_whole_partition_key_is_hot() {
    let text = "-- @rows 100k
        CREATE TABLE customers (customer uuid PRIMARY KEY, name text NOT NULL);
        -- @rows 1M @grows 1/day
        CREATE TABLE orders (id uuid PRIMARY KEY, customer uuid NOT NULL REFERENCES customers,
          status text NOT NULL, -- @distinct 4
          total int NOT NULL);
        -- name: Open :many
        -- @rate 10/s
        SELECT id, total FROM orders WHERE status = ? AND customer = ?;
        -- name: Add :exec
        -- @rate 4k/s
        INSERT INTO orders (id, customer, status, total) VALUES (?, ?, ?, ?);";
    let (_, both) = price_text(text, &[("Open", "status customer", "id")]);
    let (design, status) = price_text(text, &[("Open", "status", "customer id")]);
    // A quarter of 4,000 writes is all that one partition can take.
    assert!((design.tables[0].volume.hottest_writes - 1_000.0).abs() < 1.0);
    assert!(status.storage > 10.0 * both.storage, "{status:?} {both:?}");
    assert!(status.total() > both.total() + 40.0, "{status:?} {both:?}");
}

#[test]
fn long_lists_cost_more_for_each_value() {
    let each = |values: usize| {
        let text = format!(
            "-- @rows 1M
            CREATE TABLE users (userid uuid PRIMARY KEY, name text NOT NULL);
            -- name: Some :many
            -- @rate 1/s
            SELECT userid, name FROM users WHERE userid IN ({});",
            vec!["?"; values].join(", ")
        );
        let (_, price) = price_text(&text, &[]);
        price.reads / f64::from(u32::try_from(values).unwrap_or(1))
    };
    let (ten, fifty, many) = (each(10), each(50), each(500));
    assert!(fifty > 1.5 * ten, "{ten} {fifty}");
    assert!(many > 5.0 * ten, "{ten} {many}");
}

#[test]
fn a_large_collection_costs_more_than_rows() {
    let read_of = |items: u32, table: &str| {
        let text = format!(
            "-- @rows 1k
            CREATE TABLE users (userid uuid PRIMARY KEY, name text NOT NULL,
              log text[] NOT NULL -- @items {items} @bytes 20
              );
            -- @rows {}
            CREATE TABLE lines (userid uuid NOT NULL REFERENCES users, nr int, line text NOT NULL, -- @bytes 20
              PRIMARY KEY (userid, nr));
            -- name: Log :many
            -- @rate 1/s
            {table};",
            1_000 * items
        );
        let mut file = read(&text);
        // As if nobody had said how large it is until the tables were made.
        file.concept.entities[0].attributes[2].items.value = 10.0;
        let options = options(&[], &HELENUS);
        let design = design_with(&file, &options);
        file.concept.entities[0].attributes[2].items.value = f64::from(items);
        let context =
            crate::Context { concept: &file.concept, workload: &file.workload, options: &options };
        let plan = &design.reads[0];
        let step = crate::read_plan::price::step_effort(
            context,
            &design.tables,
            &plan.steps[0],
            &|_| 0.0,
            (None, None),
        );
        HELENUS.price(&step.effort)
    };
    let collection = "SELECT log FROM users WHERE userid = ?";
    let rows = "SELECT nr, line FROM lines WHERE userid = ?";
    assert!(read_of(50, collection) < read_of(50, rows), "a small one is cheaper");
    assert!(read_of(1_000, collection) > 2.0 * read_of(1_000, rows), "a large one is not");
}
