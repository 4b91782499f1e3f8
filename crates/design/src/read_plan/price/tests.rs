//! What plans take, by figures that follow from the volumes by hand.

use model::plan::{Bucket, Design, Effort};

use crate::{ForcedKey, Options, design};

const TABLES: &str = "
-- @rows 5
CREATE TABLE regions (region int PRIMARY KEY, name text NOT NULL);
-- @rows 2000
CREATE TABLE users (userid uuid PRIMARY KEY, name text NOT NULL, -- @bytes 12
  region int NOT NULL REFERENCES regions);
-- @rows 50
CREATE TABLE categories (category int PRIMARY KEY, title text NOT NULL);
-- @rows 20000
CREATE TABLE items (
  itemid uuid PRIMARY KEY,
  seller uuid NOT NULL REFERENCES users,
  category int NOT NULL REFERENCES categories,
  title text NOT NULL, -- @bytes 19
  kind text NOT NULL, -- @distinct 4
  tags text[], -- @items 3 @distinct 100 @set
  ends timestamp NOT NULL
);
";

fn design_sample(rest: &str, keys: &[(&str, &[&str], &[&str])]) -> Design {
    let text = format!("{TABLES}\n{rest}");
    let file = model::sql::read(&text, "sample").unwrap_or_else(|wrong| panic!("{wrong:#?}"));
    let names = |list: &[&str]| list.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
    let keys = keys.iter().map(|(read, partition, clustering)| ForcedKey {
        read: (*read).to_owned(),
        partition: names(partition),
        clustering: names(clustering).into_iter().map(|name| (name, false)).collect(),
    });
    let options = Options { rules_only: true, keys: keys.collect(), ..Options::default() };
    design(&file.concept, &file.workload, &options)
}

fn effort(query: &str, keys: &[(&str, &[&str], &[&str])]) -> Effort {
    let text = format!("-- name: Query :many\n-- @rate 1/s\n{query}");
    let design = design_sample(&text, keys);
    assert!(!design.reads[0].steps.is_empty(), "{:#?}", design.notes);
    design.reads[0].effort
}

fn assert_close(found: f64, expected: f64) {
    assert!(
        (found - expected).abs() <= 1e-6 * expected.abs().max(1.0),
        "{found} is not {expected}"
    );
}

#[test]
fn a_row_by_its_key_is_one_of_each() {
    let effort = effort("SELECT name FROM users WHERE userid = ?;", &[]);
    assert_close(effort.requests, 1.0);
    assert_close(effort.rounds, 1.0);
    assert_close(effort.partitions, 1.0);
    assert_close(effort.rows, 1.0);
    assert!(effort.bytes > 12.0 && effort.bytes < 100.0, "{effort:?}");
    let nothing = [effort.tombstones, effort.sorts, effort.sorted, effort.nodes, effort.written];
    assert!(nothing.iter().all(|figure| *figure == 0.0), "{effort:?}");
}

#[test]
fn a_partition_is_read_whole_unless_the_statement_is_limited() {
    // 20,000 items of 50 categories: 400 each.
    assert_close(effort("SELECT title FROM items WHERE category = ?;", &[]).rows, 400.0);
    assert_close(effort("SELECT title FROM items WHERE category = ? LIMIT 25;", &[]).rows, 25.0);
    assert_close(effort("SELECT title FROM items WHERE category = ? LIMIT 1000;", &[]).rows, 400.0);
}

#[test]
fn a_range_leaves_a_tenth_where_nothing_is_known_of_it() {
    assert_close(
        effort("SELECT title FROM items WHERE category = ? AND ends >= ?;", &[]).rows,
        40.0,
    );
    // Both ends are one range.
    let both = "SELECT title FROM items WHERE category = ? AND ends >= ? AND ends < ?;";
    assert_close(effort(both, &[]).rows, 40.0);
}

#[test]
fn a_stated_width_or_number_of_rows_replaces_the_tenth() {
    // Items without growth are taken to have arrived over five years: a tenth of them is 400 / 10.
    let year = "SELECT title FROM items WHERE category = ? AND ends >= ?;";
    let design = |directive: &str| {
        let text = format!("-- name: Query :many\n-- @rate 1/s {directive}\n{year}");
        design_sample(&text, &[]).reads[0].effort.rows
    };
    assert_close(design("@span 365.25d"), 80.0);
    assert_close(design("@returns 3"), 3.0);
    assert_close(design("@returns 3000"), 400.0);
}

#[test]
fn a_stated_width_tells_the_buckets() {
    let readings = "
-- @rows 1k
CREATE TABLE sensors (sensor int PRIMARY KEY);
-- @grows 86.4M/day @retain 30d
CREATE TABLE readings (sensor int NOT NULL REFERENCES sensors, -- @each 86.4k/day
  at timestamp NOT NULL, value double precision, PRIMARY KEY (sensor, at));
-- name: Recent :many\n-- @rate 1k/s @span 6h
SELECT at, value FROM readings WHERE sensor = ? AND at >= ? AND at < ?;";
    let plan = |options: &Options| {
        let file =
            model::sql::read(readings, "sample").unwrap_or_else(|wrong| panic!("{wrong:#?}"));
        let design = design(&file.concept, &file.workload, options);
        let bucket = design.tables[0].bucket().map(|(_, _, bucket)| bucket);
        (bucket, design.reads[0].effort)
    };
    // A reading each second: a day holds 86,400, a week more than the bound.
    let (bucket, effort) = plan(&Options { rules_only: true, ..Options::default() });
    assert_eq!(bucket, Some(Bucket::DAY));
    assert_close(effort.partitions, 1.25);
    assert_close(effort.rows, 21_600.0);
    assert_close(effort.rounds, 1.0);
    // Three days stay within the bound of 300,000 rows.
    let (bucket, effort) = plan(&Options::default());
    assert_eq!(bucket, Some(Bucket::Days(3)));
    assert_close(effort.partitions, 1.0 + 0.25 / 3.0);
    assert_close(effort.rows, 21_600.0);
}

#[test]
fn an_equality_in_the_clustering_prefix_leaves_the_rows_under_both() {
    let query = "SELECT i.title FROM items i JOIN users u ON u.userid = i.seller
        WHERE u.region = ? AND i.category = ? AND i.ends >= ?;";
    let both: (&str, &[&str], &[&str]) = ("Query", &["region", "category"], &["ends", "itemid"]);
    let one: (&str, &[&str], &[&str]) = ("Query", &["region"], &["category", "ends", "itemid"]);
    // 20,000 / 5 regions / 50 categories = 80, and a tenth of them.
    let composite = effort(query, &[both]);
    let prefixed = effort(query, &[one]);
    assert_close(composite.rows, 8.0);
    assert_close(prefixed.rows, 8.0);
    assert_close(prefixed.partitions, 1.0);
}

#[test]
fn what_the_client_drops_is_read() {
    let key: (&str, &[&str], &[&str]) = ("Query", &["category"], &["ends", "itemid"]);
    let all = effort("SELECT title, kind FROM items WHERE category = ? AND kind = ?;", &[key]);
    assert_close(all.rows, 400.0);
    // One in four is of the kind: 10 are found among 40.
    let some =
        effort("SELECT title, kind FROM items WHERE category = ? AND kind = ? LIMIT 10;", &[key]);
    assert_close(some.rows, 40.0);
}

#[test]
fn what_the_client_sorts_is_read_and_counted() {
    let key: (&str, &[&str], &[&str]) = ("Query", &["category"], &["itemid"]);
    let query = "SELECT title, ends FROM items WHERE category = ? ORDER BY ends LIMIT 5;";
    let effort = effort(query, &[key]);
    assert_close(effort.rows, 400.0);
    assert_close(effort.sorts, 1.0);
    assert_close(effort.sorted, 400.0);
}

#[test]
fn lists_are_a_statement_and_a_partition_for_each_value() {
    let listed = effort("SELECT name FROM users WHERE userid IN (?, ?, ?);", &[]);
    assert_close(listed.requests, 3.0);
    assert_close(listed.partitions, 3.0);
    assert_close(listed.rows, 3.0);
    // They are sent at once.
    assert_close(listed.rounds, 1.0);
}

#[test]
fn only_what_is_selected_weighs() {
    let narrow = effort("SELECT itemid FROM items WHERE category = ?;", &[]);
    let wide = effort("SELECT itemid, title FROM items WHERE category = ?;", &[]);
    assert_close(narrow.rows, wide.rows);
    assert!(wide.bytes > narrow.bytes + 400.0 * 19.0, "{narrow:?} {wide:?}");
}

#[test]
fn a_lookup_for_each_row_is_a_partition_for_each() {
    let design = design_sample(
        "-- name: Query :many\n-- @rate 1/s
        SELECT itemid, title, views FROM goods WHERE category = ?;
        -- name: See :exec\n-- @rate 1/s
        UPDATE goods SET views = views + 1 WHERE itemid = ?;
        -- @rows 20000
        CREATE TABLE goods (itemid uuid PRIMARY KEY, title text NOT NULL, views bigint NOT NULL,
          category int NOT NULL REFERENCES categories);",
        &[],
    );
    let plan = &design.reads[0];
    assert_eq!(plan.steps.len(), 2, "{plan:#?}");
    assert_close(plan.effort.requests, 401.0);
    assert_close(plan.effort.partitions, 401.0);
    assert_close(plan.effort.rows, 800.0);
    assert_close(plan.effort.rounds, 2.0);
    assert_close(plan.partitions, 401.0);
}

#[test]
fn walks_visit_buckets_until_there_is_enough() {
    let tables = "-- @rows 50M @grows 1M/day
        CREATE TABLE events (eventid uuid PRIMARY KEY,
          userid uuid NOT NULL REFERENCES users, -- @each 500/day p99 5k/day
          at timestamp NOT NULL);";
    let latest = design_sample(
        &format!(
            "{tables}\n-- name: Latest :many\n-- @rate 1/s
        SELECT eventid FROM events WHERE userid = ? ORDER BY at DESC LIMIT 20;"
        ),
        &[],
    );
    assert_close(latest.reads[0].effort.partitions, 1.0);
    assert_close(latest.reads[0].effort.rows, 20.0);
    let ranged = design_sample(
        &format!(
            "{tables}\n-- name: Between :many\n-- @rate 1/s
        SELECT eventid FROM events WHERE userid = ? AND at >= ? AND at < ? ORDER BY at;"
        ),
        &[],
    );
    let [plan] = &ranged.reads[..] else { panic!("{ranged:#?}") };
    // Nothing is stated about the range: 1,000 rows, which begin anywhere in a bucket.
    let held = ranged.tables[0].volume.rows_after(0.0).mean;
    assert_close(plan.effort.partitions, 1_000.0 / held + 1.0);
    assert_close(plan.effort.rounds, 1.0);
    assert_close(plan.effort.rows, 1_000.0);
}

#[test]
fn a_poll_meets_all_that_was_taken_before() {
    let queue = |way: &str| {
        let design = design_sample(
            &format!("-- @rows 1000
            CREATE TABLE jobs (queue text, at timestamp, id uuid, body text NOT NULL, PRIMARY KEY (queue, at, id));
            -- name: Next :one\n-- @rate 10/s
            SELECT queue, at, id, body FROM jobs WHERE queue = ? ORDER BY at {way} LIMIT 1;
            -- name: Done :exec\n-- @rate 10/s
            DELETE FROM jobs WHERE queue = ? AND at = ? AND id = ?;"),
            &[],
        );
        (design.reads[0].effort.tombstones, design.tables[0].volume)
    };
    let (oldest, volume) = queue("ASC");
    let (newest, _) = queue("DESC");
    // Ten deletes a second for ten days.
    assert_close(oldest, 10.0 * 864_000.0 / volume.partitions);
    assert_close(newest, oldest / volume.rows_after(0.0).mean);
}
