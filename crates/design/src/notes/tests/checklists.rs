//! A model that violates each point of the checklists: none is ticked beside a text that denies it.

use model::plan::{ChecklistItem, Design};

use crate::{ForcedKey, Options, design};

fn design_with(text: &str, options: &Options) -> Design {
    let file = model::sql::read(text, "shop").unwrap_or_else(|wrong| panic!("{wrong:#?}\n{text}"));
    design(&file.concept, &file.workload, options)
}

/// The point of either checklist that begins so.
fn find_point<'d>(design: &'d Design, start: &str) -> &'d ChecklistItem {
    let mut points = design.checklists.iter().flat_map(|list| &list.points);
    points.find(|point| point.asks.starts_with(start)).unwrap_or_else(|| panic!("{start}"))
}

#[track_caller]
fn assert_violated(design: &Design, start: &str, evidence: &str) {
    let point = find_point(design, start);
    assert_eq!(point.holds, Some(false), "{start}: {}", point.evidence);
    assert!(point.evidence.contains(evidence), "{start}: {}", point.evidence);
}

fn force_key(read: &str, partition: &[&str], clustering: &[&str]) -> Options {
    let key = ForcedKey {
        read: read.to_owned(),
        partition: partition.iter().map(|&name| name.to_owned()).collect(),
        clustering: clustering.iter().map(|&name| (name.to_owned(), true)).collect(),
    };
    Options { keys: vec![key], ..Options::for_method() }
}

const EVENTS: &str = "
    -- @rows 1000
    CREATE TABLE sites (site uuid PRIMARY KEY);
    -- @grows 10M/day
    CREATE TABLE events (site uuid NOT NULL REFERENCES sites, -- @each 10k/day
      at timestamp NOT NULL, id uuid NOT NULL, kind text NOT NULL, what text, PRIMARY KEY (site, at, id));
    -- name: Events :many
    -- @rate 100/s
    SELECT at, id, what FROM events WHERE site = ? ORDER BY at DESC LIMIT 10;
    -- name: Add :exec
    -- @rate 10M/day
    INSERT INTO events (site, at, id, kind, what) VALUES (?,?,?,?,?);";

#[test]
fn few_partitions_are_no_high_cardinality() {
    // One queue; that its jobs come and go makes no more of them.
    let text = "
        -- @rows 1
        CREATE TABLE boards (name text PRIMARY KEY);
        CREATE TABLE pins (board text NOT NULL REFERENCES boards, -- @each 1M
          pin uuid NOT NULL, body text, PRIMARY KEY (board, pin));
        -- name: Pins :many
        -- @rate 10k/s
        SELECT pin, body FROM pins WHERE board = ?;
        -- name: Add :exec
        -- @rate 1000/day
        INSERT INTO pins (board, pin, body) VALUES (?,?,?);";
    let design = design_with(text, &Options::for_method());
    for start in ["Partition key has high cardinality", "Partition key: has high cardinality"] {
        let point = find_point(&design, start);
        assert!(!point.evidence.contains("after 5 years"), "{}", point.evidence);
        assert_eq!(point.holds, Some(false), "{}", point.evidence);
    }
}

#[test]
fn unbounded_growth_is_not_ticked() {
    // 3 a day for each of a million: past 100 MB after decades, and still without end.
    let text = "
        -- @rows 1M
        CREATE TABLE users (user_id uuid PRIMARY KEY);
        CREATE TABLE acts (user_id uuid NOT NULL REFERENCES users, -- @each 30/day
          at timestamp NOT NULL, id uuid NOT NULL, what text, -- @bytes 1000
          PRIMARY KEY (user_id, at, id));
        -- name: Acts :many
        -- @rate 100/s
        SELECT at, id, what FROM acts WHERE user_id = ? ORDER BY at DESC LIMIT 10;";
    let design = design_with(text, &Options::for_method());
    let point = find_point(&design, "Growth pattern");
    assert!(point.evidence.contains("unbounded growth: 1 table"), "{}", point.evidence);
    assert_eq!(point.holds, Some(false));
    // Buckets end it.
    let point = find_point(&design_with(EVENTS, &Options::default()), "Growth pattern").clone();
    assert_eq!(point.holds, Some(true), "{}", point.evidence);
}

#[test]
fn lists_of_any_length_are_lists() {
    let text = "
        -- @rows 10M
        CREATE TABLE products (product_id uuid PRIMARY KEY, name text);
        -- name: Some :many
        -- @rate 100/s
        SELECT product_id, name FROM products WHERE product_id = ANY(?);";
    assert_violated(&design_with(text, &Options::default()), "IN clauses", "of any length: `Some`");
    let values = vec!["?"; 30].join(", ");
    let listed = text.replace("= ANY(?)", &format!("IN ({values})"));
    let design = design_with(&listed, &Options::default());
    assert_violated(&design, "IN clauses", "longest: Some, 30 values");
    assert_violated(&design, "Partition key supports primary access", "30 partitions");
    let deleted = format!(
        "{}\n-- name: Drop :exec\nDELETE FROM products WHERE product_id = ANY(?);",
        text.replace("= ANY(?)", "= ?")
    );
    let design = design_with(&deleted, &Options::default());
    assert_violated(&design, "IN clauses", "of any length: `Drop`");
}

#[test]
fn an_index_on_many_values_is_said() {
    let text = "
        -- @rows 5M
        CREATE TABLE users (user_id uuid PRIMARY KEY, f text NOT NULL, -- @distinct 5M
          name text, bio text);
        -- name: ById :one
        -- @rate 5k/s
        SELECT f, name, bio FROM users WHERE user_id = ?;
        -- name: ByF :many
        -- @rate 10/day
        SELECT user_id, name FROM users WHERE f = ?;
        -- name: Add :exec
        -- @rate 100/s
        INSERT INTO users (user_id, f, name, bio) VALUES (?,?,?,?);";
    let design = design_with(text, &Options::default());
    assert!(design.tables.iter().any(|table| !table.indexes.is_empty()), "the index is chosen");
    let secondary = find_point(&design, "Secondary indexes");
    assert_eq!(secondary.holds, None, "it is storage-attached");
    let says = "5M distinct values (very many values: suitable for a storage-attached index)";
    assert!(secondary.evidence.contains(says), "{}", secondary.evidence);
    assert_violated(&design, "Access patterns", "by an index: `ByF`");
    let served = find_point(&design, "Queries can be satisfied");
    assert!(served.evidence.contains("`ByF` by an index"), "{}", served.evidence);
}

#[test]
fn collections_that_grow_are_not_limited() {
    let text = "
        -- @rows 1k
        CREATE TABLE users (user_id uuid PRIMARY KEY, log text[] -- @set @items 20
        );
        -- name: Log :one
        SELECT log FROM users WHERE user_id = ?;
        -- name: Append :exec
        -- @rate 1k/day
        UPDATE users SET log = array_append(log, ?) WHERE user_id = ?;";
    let design = design_with(text, &Options::default());
    assert_violated(&design, "Collections", "growing: `users.log`");
}

#[test]
fn keys_that_are_changed_forced_or_missing() {
    let text = "
        -- @rows 1M
        CREATE TABLE users (user_id uuid PRIMARY KEY, team text NOT NULL, name text);
        -- name: Team :many
        SELECT user_id, name FROM users WHERE team = ?;
        -- name: Move :exec
        UPDATE users SET team = ? WHERE user_id = ?;";
    assert_violated(&design_with(text, &Options::default()), "Partition key is stable", "Move");
    let lost = force_key("Events", &["site"], &["at"]);
    assert_violated(&design_with(EVENTS, &lost), "PK + CK uniquely", "not unique");
    let whole = force_key("Events", &["site"], &["at", "id"]);
    let design = design_with(EVENTS, &whole);
    assert_violated(&design, "Estimated partition size", "GB");
    assert_violated(&design, "Partition size: bounded", "GB");
    assert_violated(&design, "Time-series data", "exceed");
    // A query that does not give the tenant is refused by the file or by the design.
    let missing = format!(
        "-- @tenant site\n{EVENTS}\n-- name: Recent :many\nSELECT at, id FROM events WHERE kind = ? ORDER BY at DESC LIMIT 10;"
    );
    if model::sql::read(&missing, "shop").is_ok() {
        let design = design_with(&missing, &Options::default());
        assert_violated(&design, "Queries can be satisfied", "not served: `Recent`");
    }
}

#[test]
fn counts_have_the_volumes_of_their_keys() {
    // 100,000 pages, a row for each and day: 10 days of views so far.
    let text = "
        -- @rows 100k
        CREATE TABLE pages (page_id uuid PRIMARY KEY, title text);
        -- @rows 1B
        CREATE TABLE views (page_id uuid NOT NULL REFERENCES pages, -- @each 1k/day
          day date NOT NULL, at timestamp NOT NULL, view_id uuid NOT NULL, PRIMARY KEY (page_id, view_id));
        -- name: PerDay :many
        -- @rate 100/s
        SELECT day, COUNT(*) FROM views WHERE page_id = ? AND day >= ? GROUP BY day;
        -- name: View :exec
        -- @rate 1k/s
        INSERT INTO views (page_id, day, at, view_id) VALUES (?,?,?,?);";
    let design = design_with(text, &Options::default());
    let volume = &design.tables[0].volume;
    assert!((volume.partitions / 1e5 - 1.0).abs() < 0.01, "{volume:?}");
    // 1,836 rows of 121 bytes in each.
    let later = volume.table_bytes_after(5.0 * 365.25);
    assert!((later / 22.2e9 - 1.0).abs() < 0.02, "{later}");
}

#[test]
fn without_tables_nothing_is_ticked() {
    // The only query is refused: its key names what it does not read.
    let design = design_with(EVENTS, &force_key("Events", &["nothing"], &[]));
    assert!(design.tables.is_empty(), "{:?}", design.tables);
    let mut points = design.checklists.iter().flat_map(|list| &list.points);
    assert!(points.all(|point| point.holds != Some(true)), "{:#?}", design.checklists);
}
