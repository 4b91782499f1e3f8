//! Anti-patterns, at rates that favour them: none is chosen, and each is listed with its price or
//! with the bound that forbids it.

use model::plan::{Design, DesignChoice, NoteKind, RejectedAlternative};

use super::{key, options, read, search_file};
use crate::prices::HELENUS;

fn search_text(text: &str) -> (Design, DesignChoice) {
    let (design, choice) = search_file(&read(text), &options(&HELENUS, true));
    let total = choice.price.total();
    for rejected in &choice.rejected {
        assert!(rejected.price >= total * 0.999, "{rejected:?} and not {total}");
    }
    (design, choice)
}

/// The rejected thing of which the words say something.
fn find_rejection<'c>(choice: &'c DesignChoice, words: &str) -> &'c RejectedAlternative {
    let mut all = choice.rejected.iter();
    all.find(|one| one.what.contains(words)).unwrap_or_else(|| panic!("{:#?}", choice.rejected))
}

#[test]
fn a_queue_is_refused() {
    let text = "-- @rows 10
        CREATE TABLE queues (queue text PRIMARY KEY);
        CREATE TABLE jobs (queue text NOT NULL REFERENCES queues, -- @each 10
          id uuid NOT NULL, -- @time
          body text, PRIMARY KEY (queue, id));
        -- name: Poll :many
        -- @rate 100k/s
        SELECT id, body FROM jobs WHERE queue = ? ORDER BY id LIMIT 10;
        -- name: Add :exec
        -- @rate 1/s
        INSERT INTO jobs (queue, id, body) VALUES (?, ?, ?);
        -- name: Done :exec
        -- @rate 1/s @after Poll
        DELETE FROM jobs WHERE queue = ? AND id = ?;";
    let (design, choice) = search_text(text);
    let queue = find_rejection(&choice, "as a queue");
    assert!(queue.because.contains("tombstones"), "{queue:?}");
    let mut notes = design.notes.iter();
    let refused =
        |kind: NoteKind, message: &str| kind == NoteKind::Refusal && message.contains("queue");
    assert!(notes.any(|note| refused(note.kind, &note.topic.to_string())), "{:#?}", design.notes);
}

#[test]
fn a_partition_without_bound_is_forbidden() {
    let text = "-- @rows 1M
        CREATE TABLE users (userid uuid PRIMARY KEY, name text NOT NULL);
        -- @rows 100M @grows 100M/day
        CREATE TABLE acts (id uuid PRIMARY KEY,
          userid uuid NOT NULL REFERENCES users, -- @each 100/day p99 10k/day
          at timestamp NOT NULL, what text NOT NULL -- @bytes 100
          );
        -- name: Latest :many
        -- @rate 1M/s
        SELECT id, at, what FROM acts WHERE userid = ? ORDER BY at DESC LIMIT 20;
        -- name: Add :exec
        -- @rate 1/s
        INSERT INTO acts (id, userid, at, what) VALUES (?, ?, ?, ?);";
    let (design, choice) = search_text(text);
    assert!(design.tables.iter().any(|table| table.bucket().is_some() || table.shards() > 1));
    let whole = find_rejection(&choice, "not split");
    assert!(
        whole.price.is_infinite() && whole.because.contains("more than the bound"),
        "{whole:?}"
    );
}

#[test]
fn a_status_is_not_the_whole_partition_key() {
    let text = "-- @rows 100k
        CREATE TABLE customers (customer uuid PRIMARY KEY, name text NOT NULL);
        -- @rows 100k
        CREATE TABLE orders (id uuid PRIMARY KEY, customer uuid NOT NULL REFERENCES customers, -- @each 1
          status text NOT NULL, -- @distinct 4
          total int NOT NULL);
        -- name: Open :many
        -- @rate 10k/s
        SELECT id, total FROM orders WHERE status = ? AND customer = ?;
        -- name: Add :exec
        -- @rate 1/s
        INSERT INTO orders (id, customer, status, total) VALUES (?, ?, ?, ?);";
    let (design, choice) = search_text(text);
    assert!(
        design.tables.iter().all(|table| !key(table).starts_with("K status, C")),
        "{:#?}",
        design.tables
    );
    // No other query is given the status alone, so it is not even tried; if one is, its price shows.
    let is_alone = |what: &str| what.contains("(K status, ") && !what.contains("K customer");
    let is_rejected = |choice: &DesignChoice| {
        let mut rejected = choice.rejected.iter();
        rejected.any(|one| is_alone(&one.what) && one.price > choice.price.total())
    };
    assert!(!is_rejected(&choice), "{:#?}", choice.rejected);
    let more = format!("{text}\n-- name: All :many\nSELECT id FROM orders WHERE status = ?;");
    let (_, choice) = search_text(&more);
    assert!(is_rejected(&choice), "{:#?}", choice.rejected);
}

#[test]
fn hundreds_of_values_are_no_list() {
    let text = format!(
        "-- @rows 1M
        CREATE TABLE users (userid uuid PRIMARY KEY, name text NOT NULL);
        -- @rows 1k
        CREATE TABLE groups (groupid uuid PRIMARY KEY, title text NOT NULL);
        CREATE TABLE members (groupid uuid NOT NULL REFERENCES groups, -- @each 2000
          userid uuid NOT NULL REFERENCES users, role text NOT NULL, PRIMARY KEY (groupid, userid));
        -- name: Some :many
        -- @rate 1/s
        SELECT userid, role FROM members WHERE groupid = ? AND userid IN ({});
        -- name: Join :exec
        -- @rate 100k/s
        INSERT INTO members (groupid, userid, role) VALUES (?, ?, ?);",
        vec!["?"; 500].join(", ")
    );
    let (design, choice) = search_text(&text);
    assert!(design.reads[0].partitions < 2.0, "{:#?}", design.reads);
    let lists = find_rejection(&choice, "K userid");
    assert!(lists.price.is_infinite() && lists.because.contains("500"), "{lists:?}");
}

#[test]
fn a_large_collection_is_forbidden() {
    let text = "-- @rows 1M
        CREATE TABLE users (userid uuid PRIMARY KEY, name text NOT NULL,
          log text[] NOT NULL -- @items 10000 @bytes 20
          );
        -- name: Log :one
        -- @rate 10k/s
        SELECT userid, name, log FROM users WHERE userid = ?;
        -- name: Add :exec
        -- @rate 1/s
        INSERT INTO users (userid, name, log) VALUES (?, ?, ?);";
    let (design, choice) = search_text(text);
    let collections = design.tables.iter().flat_map(|table| &table.columns);
    assert!(
        collections.into_iter().all(|column| !column.ty.is_collection()),
        "{:#?}",
        design.tables
    );
    let whole = find_rejection(&choice, "as a collection");
    assert!(whole.price.is_infinite() && whole.because.contains("elements"), "{whole:?}");
}
