//! Figures that follow from others, and figures that are assumed.

use super::*;
use crate::concept::{FanOut, Figure, Origin};

const DAY: f64 = 86_400.0;

#[test]
fn rows_are_products_along_references() {
    let text = "-- @rows 1k
CREATE TABLE a (id int PRIMARY KEY);
CREATE TABLE b (id int PRIMARY KEY,
  a int REFERENCES a); -- none
CREATE TABLE c (id int PRIMARY KEY,
  d int REFERENCES d -- @each 3
);
CREATE TABLE d (id int PRIMARY KEY,
  a int REFERENCES a -- @each 20
);
CREATE TABLE e (id int PRIMARY KEY,
  b int REFERENCES b -- @each 0.5
);
-- @retain 10d
CREATE TABLE f (id int PRIMARY KEY,
  a int REFERENCES a -- @each 2/day
);";
    let model = read_model(text);
    let rows = |name: &str| model.entity(name).rows;
    assert_eq!(rows("b"), Figure::from_assumption(1e6));
    assert_eq!(rows("d"), Figure::from_derivation(20e3));
    assert_eq!(rows("c"), Figure::from_derivation(60e3));
    assert_eq!(rows("e"), Figure::from_assumption(500e3));
    assert_eq!(rows("f"), Figure::from_derivation(20e3));
    // Two a day for each of a thousand.
    assert_eq!(model.entity("f").grows, Figure::from_derivation(2e3));
    // A million rows over a thousand.
    let fan_out =
        FanOut { mean: 1e3, p99: 1e4, max: 1e5, p999: None, per: None, origin: Origin::Assumed };
    assert_eq!(model.entity("b").references[0].fan_out, fan_out);
    let assumed =
        model.assumptions.iter().filter(|it| matches!(it.topic, AssumptionTopic::Rows { .. }));
    assert_eq!(assumed.map(|it| it.span.text(text)).collect::<Vec<_>>(), ["b"]);
}

#[test]
fn rows_in_circles_are_assumed_once() {
    let text = "CREATE TABLE a (id int PRIMARY KEY,
  b int REFERENCES b -- @each 2
);
CREATE TABLE b (id int PRIMARY KEY,
  a int REFERENCES a, -- @each 5
  up int REFERENCES b -- @each 7
);";
    let model = read_model(text);
    assert_eq!((model.entity("a").rows.value, model.entity("b").rows.value), (1e6, 5e6));
}

#[test]
fn growth_is_the_rate_of_inserts() {
    let table = "CREATE TABLE t (id int PRIMARY KEY);\n";
    let insert = |name: &str, rate: &str| {
        format!("-- name: {name} :exec\n{rate}\nINSERT INTO t (id) VALUES (?);\n")
    };
    let grows = |text: &str| read_model(text).entity("t").grows;
    assert_eq!(grows(table), Figure::from_assumption(0.0));
    assert_eq!(
        grows(&(table.to_owned() + &insert("A", "-- @rate 2/s"))),
        Figure::from_derivation(2.0 * DAY)
    );
    let two = insert("A", "-- @rate 2/s") + &insert("B", "-- @rate 1/s");
    assert_eq!(grows(&(table.to_owned() + &two)), Figure::from_derivation(3.0 * DAY));
    // One a second where nothing is said.
    assert_eq!(grows(&(table.to_owned() + &insert("A", "--"))), Figure::from_assumption(DAY));
    let given = format!("-- @grows 5/day\n{table}{}", insert("A", "-- @rate 2/s"));
    assert_eq!(grows(&given), Figure::from_input(5.0));
}

#[test]
fn a_reference_that_is_a_key_is_one_to_one() {
    let text = "-- @rows 1k
CREATE TABLE a (id int PRIMARY KEY);
-- @rows 100
CREATE TABLE b (id int PRIMARY KEY REFERENCES a, other int NOT NULL UNIQUE REFERENCES a, third int REFERENCES a);";
    let model = read_model(text);
    let b = model.entity("b");
    let one =
        FanOut { mean: 0.1, p99: 1.0, max: 1.0, p999: None, per: None, origin: Origin::Derived };
    assert_eq!((b.references[0].fan_out, b.references[1].fan_out), (one, one));
    // A tenth on average, and a hundred times that at most.
    let third = b.references[2].fan_out;
    assert_eq!((third.p99, third.max), (1.0, 10.0));
    // A subtype has no more rows than its supertype.
    let model = read_model(&text.replacen("-- @rows 100\n", "", 1));
    assert_eq!(model.entity("b").rows, Figure::from_assumption(1e3));
}

#[test]
fn distinct_values() {
    let text = "CREATE TYPE mood AS ENUM ('a', 'b', 'c');
-- @rows 20k
CREATE TABLE t (id int PRIMARY KEY, flag boolean, mood mood, word text, at timestamp, u uuid, day date,
  given text, -- @distinct 12
  list text[], pair int, x int, UNIQUE (pair, x));
-- @rows 50
CREATE TABLE s (t int REFERENCES t, word text, n int,
  given text, -- @distinct 4
  PRIMARY KEY (t, word, n));
CREATE TABLE r (t int, word text, n int, m int, PRIMARY KEY (t, m), FOREIGN KEY (t, word, n) REFERENCES s);";
    let model = read_model(text);
    let distinct = |entity: &str, name: &str| model.attribute(entity, name).distinct;
    assert_eq!(distinct("t", "id"), Figure::from_derivation(20e3));
    assert_eq!(distinct("t", "flag"), Figure::from_derivation(2.0));
    assert_eq!(distinct("t", "mood"), Figure::from_derivation(3.0));
    assert_eq!(distinct("t", "word"), Figure::from_assumption(10e3));
    assert_eq!(distinct("t", "at"), Figure::from_assumption(20e3));
    assert_eq!(distinct("t", "day"), Figure::from_assumption(3_650.0));
    assert_eq!(distinct("t", "given"), Figure::from_input(12.0));
    assert_eq!(distinct("s", "word"), Figure::from_assumption(50.0));
    // As many as there are rows, of which there are fewer than are referred to.
    assert_eq!(distinct("s", "t"), Figure::from_derivation(50.0));
    // What refers to a part of a key has the values of that part.
    assert_eq!(distinct("r", "word"), Figure::from_assumption(50.0));
    assert_eq!(distinct("r", "t"), Figure::from_derivation(50.0));
}

#[test]
fn distinct_values_are_assumed_aloud_only_where_they_matter() {
    let text = "CREATE TABLE t (id int PRIMARY KEY, word text, other text);
-- name: Q :many
SELECT id FROM t WHERE word = ? AND other > ?;";
    let model = read_model(text);
    let assumed =
        model.assumptions.iter().filter(|it| matches!(it.topic, AssumptionTopic::Distinct { .. }));
    assert_eq!(assumed.map(|it| it.span.text(text)).collect::<Vec<_>>(), ["word"]);
}

#[test]
fn bytes_by_type() {
    let text = "CREATE TYPE pair AS (a int, b text);
CREATE TABLE t (id uuid PRIMARY KEY, a text, b boolean, c smallint, d date, e time, f pair, g pair[], h hstore, i inet, j numeric);";
    let model = read_model(text);
    let bytes: Vec<_> = model.entity("t").attributes.iter().map(|it| it.bytes.value).collect();
    // A pair is an int and a text: 4 + 32; the lengths in front of them are not counted.
    assert_eq!(bytes, [16.0, 32.0, 1.0, 2.0, 4.0, 8.0, 36.0, 36.0, 64.0, 4.0, 8.0]);
    let items: Vec<_> = model.entity("t").attributes.iter().map(|it| it.items.value).collect();
    assert_eq!(items, [1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 10.0, 10.0, 1.0, 1.0]);
}

#[test]
fn rows_and_fan_outs_that_contradict_are_warned_of() {
    let text = "-- @rows 1k
CREATE TABLE a (id int PRIMARY KEY);
-- @rows 1M
CREATE TABLE b (id int PRIMARY KEY,
  a int NOT NULL REFERENCES a -- @each 5
);";
    let model = read_model(text);
    assert_eq!(list_warnings(text, &model), [("MF260", "a"), ("MF014", "")]);
    let many = "-- @rows 10\nCREATE TABLE t (a int PRIMARY KEY,\n b text, -- @distinct 20\n c text[] -- @distinct 20 @items 2\n)";
    assert_eq!(list_warnings(many, &read_model(many)), [("MF261", "b"), ("MF014", "")]);
    assert_eq!(model.warnings[0].help.as_deref(), Some("change @rows, or write @each 1k"));
    assert_eq!(
        list_warnings(
            &text.replace("@each 5", "@each 900"),
            &read_model(&text.replace("@each 5", "@each 900"))
        )
        .len(),
        1
    );
}

/// Users with their orders, and what is stated about the growth of these.
fn growth_model(each: &str, grows: &str, writes: &str) -> String {
    format!(
        "-- @rows 1M
CREATE TABLE users (id int PRIMARY KEY);
-- @rows 100M {grows}
CREATE TABLE orders (id int PRIMARY KEY,
  placed_by int NOT NULL REFERENCES users{each}
);
{writes}"
    )
}

/// The contradictions of growth in a file, with what to write.
fn growth_warnings(text: &str) -> Vec<(String, String)> {
    let found = read_model(text).warnings.into_iter().filter(|it| it.rule == "MF263");
    found.map(|it| (it.message, it.help.unwrap_or_default())).collect()
}

#[test]
fn growth_that_is_stated_twice_must_agree() {
    let (model, warnings) = (growth_model, growth_warnings);
    let insert =
        "-- name: Add :exec\n-- @rate 1/s\nINSERT INTO orders (id, placed_by) VALUES (?, ?);\n";
    let upsert = insert.replace(");\n", ") ON CONFLICT (id) DO UPDATE SET placed_by = ?;\n");
    let delete = "-- name: Drop :exec\n-- @rate 1/s\nDELETE FROM orders WHERE id = ?;\n";
    let each = " -- @each 3/day p99 9/day";
    assert_eq!(
        warnings(&model(each, "", insert)),
        [(
            "3/day for each of 1M users make 3M/day in orders, but its INSERTs add 86.4k/day"
                .to_owned(),
            "change the @rate of the INSERTs, or write @each 0.0864/day".to_owned()
        )]
    );
    assert_eq!(
        warnings(&model("", "@grows 1M/day", insert)),
        [(
            "orders grows by 1M/day, but its INSERTs add 86.4k/day".to_owned(),
            "change the @rate of the INSERTs, or write @grows 86.4k/day".to_owned()
        )]
    );
    assert_eq!(warnings(&model(each, "@grows 100k/day", "")).len(), 1);
    // Too many INSERTs only where each adds a row that stays.
    assert_eq!(warnings(&model("", "@grows 1k/day", insert)).len(), 1);
    assert_eq!(warnings(&model("", "@grows 1k/day", &upsert)), []);
    assert_eq!(warnings(&model("", "@grows 1k/day", &format!("{insert}{delete}"))), []);
    // With ON CONFLICT, the rate of the INSERTs is only a bound of the growth.
    let many = upsert.replace("1/s", "1000/s");
    let grows = read_model(&model(each, "", &many)).entity("orders").grows;
    assert_eq!(grows, Figure::from_derivation(3e6));
    assert_eq!(warnings(&model(each, "", &many)), []);
    // Rows that are kept for a time.
    let kept = model("", "@retain 10d", &insert.replace("1/s", "1000/s"));
    assert_eq!(
        warnings(&kept),
        [(
            "orders has 100M rows, but 86.4M/day that are kept for 10 days make 864M".to_owned(),
            "write @rows 864M, or change the growth or @retain".to_owned()
        )]
    );
    assert_eq!(warnings(&kept.replace("@rows 100M", "@rows 864M")), []);
    // Rows for each that are settled, while only these grow.
    let settled = model(" -- @each 100", "@grows 5M/day", "");
    assert_eq!(warnings(&settled), [], "nothing is stated about the growth of users");
    let settled = settled.replace("@rows 1M", "@rows 1M @grows 10/day");
    assert_eq!(
        warnings(&settled),
        [(
            "orders grows by 5M/day and users by 10/day, so 100 for each are not settled"
                .to_owned(),
            "write @each 5/day, or state other growth".to_owned()
        )]
    );
    // What agrees, and what nobody states.
    assert_eq!(warnings(&model(" -- @each 0.1/day", "@grows 80k/day", insert)), []);
    assert_eq!(warnings(&model(each, "", &insert.replace("-- @rate 1/s\n", ""))), []);
}

#[test]
fn measured_volumes_stand_for_directives() {
    use crate::measurement::{MeasuredColumn, MeasuredStatement, MeasuredTable, Measurements};
    let text = "CREATE TABLE a (id int PRIMARY KEY);
CREATE TABLE b (id int PRIMARY KEY,
  a int REFERENCES a,
  c text, -- @distinct 7
  d text
);
-- name: Q :many
SELECT id FROM b WHERE a = ? AND c = 'x';
-- name: R :many
-- @rate 5/s
SELECT id FROM b WHERE a = ?;";
    let table = |name: &str, rows: f64, columns: Vec<MeasuredColumn>| MeasuredTable {
        name: name.to_owned(),
        rows: Some(rows),
        columns,
    };
    let column = |name: &str, distinct: f64| MeasuredColumn {
        name: name.to_owned(),
        distinct,
        bytes: 11.0,
        shares: vec![0.5, 0.2, 0.1],
        ..MeasuredColumn::default()
    };
    let columns = vec![column("a", 40.0), column("c", 3.0), column("d", -0.5)];
    let statement = |sql: &str| MeasuredStatement { sql: sql.to_owned(), rate: 2.0 };
    let measured = Measurements {
        tables: vec![table("a", 50.0, Vec::new()), table("b", 1_000.0, columns)],
        statements: vec![
            statement("select ID from b where a = $1 and c = $2"),
            statement("SELECT id FROM b WHERE a = $1"),
        ],
    };
    let model = read_files(text, &[0], "app", &measured).unwrap();
    assert_eq!(model.entity("b").rows, Figure::from_input(1_000.0));
    let each = model.entity("b").references[0].fan_out;
    assert_eq!((each.mean, each.max, each.origin), (20.0, 500.0, Origin::Given));
    // What the file states stays.
    assert_eq!(model.attribute("b", "c").distinct, Figure::from_input(7.0));
    assert_eq!(model.attribute("b", "d").distinct, Figure::from_input(500.0));
    assert_eq!(model.attribute("b", "d").bytes, Figure::from_input(11.0));
    let rates: Vec<f64> = model.workload.reads.iter().map(|read| read.rate.value).collect();
    assert_eq!(rates, [2.0, 5.0]);
    let measured = model.assumptions.iter().filter_map(|it| match &it.topic {
        AssumptionTopic::Measured { subject, .. } => Some(subject.as_str()),
        _ => None,
    });
    assert_eq!(measured.collect::<Vec<_>>(), ["a", "b", "Q"]);
}

#[test]
fn names_and_uses_tell_distinct_values() {
    let text = "-- @rows 1k
CREATE TABLE users (id bigint PRIMARY KEY);
-- @rows 1M
CREATE TABLE orders (id uuid PRIMARY KEY, user_id bigint, status text, code text, note text);
-- @rows 1M
CREATE TABLE readings (sensor uuid, at timestamp, PRIMARY KEY (sensor, at));
-- name: OfUser :many
SELECT id FROM orders WHERE user_id = ?;
-- name: Open :many
SELECT id FROM orders WHERE user_id = ? AND status IN ('new', 'open');
-- name: Paid :many
SELECT id FROM orders WHERE user_id = ? AND status = 'paid';
-- name: ByCode :one
SELECT id FROM orders WHERE code = ?;
-- name: ByNote :many
SELECT id FROM orders WHERE note = ?;
-- name: OfSensor :many
SELECT at FROM readings WHERE sensor = ?;";
    let model = read_model(text);
    let distinct = |entity: &str, name: &str| model.attribute(entity, name).distinct;
    assert_eq!(distinct("orders", "user_id"), Figure::from_assumption(1e3));
    assert_eq!(distinct("orders", "status"), Figure::from_assumption(4.0));
    assert_eq!(distinct("orders", "code"), Figure::from_assumption(1e6));
    assert_eq!(distinct("orders", "note"), Figure::from_assumption(1e4));
    assert!((distinct("readings", "sensor").value - 1e4).abs() < 1.0);
    let said: Vec<String> = model
        .assumptions
        .iter()
        .filter(|it| matches!(it.topic, AssumptionTopic::Distinct { .. }))
        .map(|it| it.topic.to_string())
        .collect();
    assert_eq!(
        said[0],
        "orders.user_id is assumed to have 1k distinct values, because it is named like the key of users"
    );
    assert_eq!(said.len(), 5, "{said:?}");
}

#[test]
fn one_row_is_questioned() {
    let tables = "CREATE TABLE a (id int PRIMARY KEY, b int, c int UNIQUE, d int NOT NULL);\n";
    let warns = |query: &str| {
        let model = read_model(&format!("{tables}-- name: Q :one\n{query};"));
        model.warnings.iter().any(|warning| warning.rule == "MF262")
    };
    for query in [
        "SELECT b FROM a WHERE id = ?",
        "SELECT b FROM a WHERE c = ?",
        "SELECT b FROM a WHERE b = ? ORDER BY d LIMIT 1",
        "SELECT count(*) FROM a WHERE b = ?",
        "SELECT EXISTS(SELECT 1 FROM a WHERE b = ?)",
        "SELECT d, count(*) FROM a WHERE d = ? GROUP BY d",
    ] {
        assert!(!warns(query), "{query}");
    }
    for query in ["SELECT id FROM a WHERE b = ?", "SELECT b FROM a WHERE id > ?"] {
        assert!(warns(query), "{query}");
    }
}
