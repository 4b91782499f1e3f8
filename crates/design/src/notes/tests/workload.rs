//! Writes that are missing, and work for which the cluster is too small.

use model::plan::topic::{AggregateMethod, AggregateReason, AggregateTopic};
use model::plan::{Design, NoteKind, Topic};

use crate::{Options, design};

fn design_text(text: &str) -> Design {
    let file = model::sql::read(text, "shop").unwrap_or_else(|wrong| panic!("{wrong:#?}"));
    design(&file.concept, &file.workload, &Options::for_method())
}

/// The warnings that contain a text.
fn list_warnings(design: &Design, part: &str) -> Vec<String> {
    let warnings = design.notes.iter().filter(|note| note.kind == NoteKind::Warning);
    warnings.map(|note| note.topic.to_string()).filter(|text| text.contains(part)).collect()
}

const TABLES: &str = "
    CREATE TABLE users (id uuid PRIMARY KEY, name text, nickname text);
    -- @grows 100k/day
    CREATE TABLE orders (id uuid PRIMARY KEY, user_id uuid NOT NULL REFERENCES users, note text);
    -- name: User :one
    SELECT name, nickname FROM users WHERE id = ?;
    -- name: Orders :many
    SELECT id, note FROM orders WHERE user_id = ?;
    ";

#[test]
fn what_grows_is_inserted() {
    let text = format!(
        "{TABLES} -- name: AddUser :exec\nINSERT INTO users (id, name, nickname) VALUES (?, ?, ?);"
    );
    let found = list_warnings(&design_text(&text), "no write inserts it");
    assert_eq!(
        found,
        [
            "`orders` grows by 1.2/s, but no write inserts it: its inserts are not planned and not priced"
        ]
    );
    let both = format!(
        "{text}\n-- name: AddOrder :exec\nINSERT INTO orders (id, user_id, note) VALUES (?, ?, ?);"
    );
    assert!(list_warnings(&design_text(&both), "no write").is_empty());
    // A model without writes lacks nothing in particular.
    assert!(list_warnings(&design_text(TABLES), "no write").is_empty());
}

#[test]
fn what_is_read_is_written() {
    let text = format!(
        "{TABLES} -- name: AddUser :exec\nINSERT INTO users (id, name) VALUES (?, ?);
         -- name: AddOrder :exec\nINSERT INTO orders (id, user_id) VALUES (?, ?);
         -- name: Annotate :exec\nUPDATE orders SET note = ? WHERE id = ?;"
    );
    let found = list_warnings(&design_text(&text), "but no write sets");
    assert_eq!(found, ["`nickname` of `users` is read by `User`, but no write sets it"]);
}

#[test]
fn work_beyond_the_cluster_is_no_tick() {
    let text = "
        -- @nodes 6
        -- @rows 100M
        CREATE TABLE tiles (id uuid PRIMARY KEY,
          region text NOT NULL, -- @distinct 10k
          body text -- @bytes 100
        );
        -- name: Tiles :many
        -- @rate 10k/s
        SELECT * FROM tiles WHERE region = ?;
        -- name: Tile :one
        -- @rate 1/s
        SELECT * FROM tiles WHERE id = ?;";
    let design = design_text(text);
    let list = &design.checklists[2];
    assert_eq!(list.points[0].holds, Some(false), "{list:?}");
    assert!(list.points[0].evidence.contains("of it is Tiles"), "{list:?}");
    let found = list_warnings(&design, "the cluster has 6");
    assert_eq!(found.len(), 1, "{:#?}", design.notes);
    assert!(found[0].contains("100 % of it is `Tiles`"), "{found:?}");
    let cool = text.replace("10k/s", "1/s");
    let design = design_text(&cool);
    assert!(design.checklists[2].points.iter().all(|point| point.holds != Some(false)));
    assert!(list_warnings(&design, "the cluster has").is_empty());
}

/// What a design says about a value that is counted or summed.
fn find_aggregate<'d>(design: &'d Design, value: &str) -> &'d AggregateTopic {
    let topics = design.notes.iter().filter_map(|note| match &note.topic {
        Topic::Aggregate(topic) => Some(topic),
        _ => None,
    });
    topics.into_iter().find(|topic| topic.value == value).expect("a note about the value")
}

#[test]
fn ways_to_count_with_their_prices() {
    let text = "-- @rows 1M
        CREATE TABLE pages (id uuid PRIMARY KEY, -- @skew zipf 1.1
          views bigint NOT NULL DEFAULT 0,
          stock int NOT NULL -- @exact
        );
        -- @retain 30d
        CREATE TABLE visits (id uuid PRIMARY KEY, page uuid NOT NULL REFERENCES pages /* @each 50 */);
        -- name: Page :one
        -- @rate 100/s
        SELECT views, stock FROM pages WHERE id = ?;
        -- name: Visits :one
        SELECT count(*) FROM visits WHERE page = ?;
        -- name: View :exec
        -- @rate 1000/s
        UPDATE pages SET views = views + 1 WHERE id = ?;
        -- name: Take :exec
        -- @rate 2000/s
        UPDATE pages SET stock = stock - 1 WHERE id = ?;";
    let design = design_text(text);
    let views = find_aggregate(&design, "`views` of `pages`");
    assert_eq!((views.chosen, views.reason), (AggregateMethod::Counter, None));
    assert!(views.prices.iter().all(Option::is_some), "{views:?}");
    let visits = find_aggregate(&design, "the count of `Visits`");
    let expired = Some(AggregateReason::Retention);
    assert_eq!((visits.chosen, visits.reason), (AggregateMethod::Rows, expired));
    // 2,000/s, of which the most popular row has 12 %.
    let stock = list_warnings(&design, "`stock` of `pages` is written conditionally");
    assert!(
        stock[0].contains("because @exact asks for it: one row takes about 100/s"),
        "{stock:?}"
    );
}

#[test]
fn a_rare_count_of_rows_that_are_there_anyway_is_only_cheaper() {
    let text = "-- @rows 10k
        CREATE TABLE posts (id uuid PRIMARY KEY);
        CREATE TABLE comments (post uuid NOT NULL REFERENCES posts, -- @each 20
          id uuid NOT NULL, body text NOT NULL, PRIMARY KEY (post, id));
        -- name: Comments :many
        -- @rate 1000/s
        SELECT id, body FROM comments WHERE post = ?;
        -- name: HowMany :one
        -- @rate 0.01/s
        SELECT count(*) FROM comments WHERE post = ?;
        -- name: Add :exec
        -- @rate 500/s
        INSERT INTO comments (post, id, body) VALUES (?, ?, ?);";
    let file = model::sql::read(text, "shop").unwrap_or_else(|wrong| panic!("{wrong:#?}"));
    let design = design(&file.concept, &file.workload, &Options::default());
    let topic = find_aggregate(&design, "the count of `HowMany`");
    let price = Some(AggregateReason::Price);
    assert_eq!((topic.chosen, topic.reason), (AggregateMethod::Rows, price));
}

#[test]
fn returned_rows_at_p99() {
    let text = |returns: &str| {
        format!(
            "-- @rows 1M
            CREATE TABLE users (id uuid PRIMARY KEY, name text);
            CREATE TABLE orders (id uuid PRIMARY KEY,
              user_id uuid NOT NULL REFERENCES users, -- @each 20 p99 40 max 50
              note text);
            -- name: Orders :many
            -- @rate 10/s
            -- @returns {returns}
            SELECT id, note FROM orders WHERE user_id = ?;"
        )
    };
    let found = |returns: &str| list_warnings(&design_text(&text(returns)), "is stated to return");
    assert_eq!(found("20 p99 40"), Vec::<String>::new());
    assert_eq!(
        found("20 p99 500"),
        ["`Orders` is stated to return 500 rows at p99, but by the volumes it returns about 40"]
    );
    assert_eq!(found("200 p99 5000").len(), 1, "one of them is enough");
}
