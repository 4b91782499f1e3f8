//! Growth that is not linear, and arrays that grow.

use super::*;
use crate::concept::Figure;

#[test]
fn rows_at_dates() {
    let model = read_model(
        "-- @rows 1k, 50k in 6 months, 500k in 1 year
         CREATE TABLE events (id uuid PRIMARY KEY,
           tags text[], -- @items 10 grows 5/day
           log text[] -- @items 100, 50k in 5 months
         );",
    );
    let events = model.entity("events");
    assert_eq!(events.rows, Figure::from_input(1e3));
    assert_eq!(events.grows, Figure::from_input(499e3 / 365.0));
    assert_eq!(events.curve.dates().collect::<Vec<_>>(), [180.0, 365.0]);
    let tags = model.attribute("events", "tags");
    assert_eq!((tags.items_after(0.0), tags.items_after(30.0)), (10.0, 160.0));
    let log = model.attribute("events", "log");
    assert!((log.items_after(75.0) - 25_050.0).abs() < 1e-6);
    // What is given is not assumed.
    let is_growth = |it: &Assumption| matches!(it.topic, AssumptionTopic::NoGrowth { .. });
    assert!(!model.assumptions.iter().any(is_growth));
}

#[test]
fn rows_for_each_in_steps() {
    let text = |each: &str, table: &str| {
        format!(
            "-- @rows 1k
             CREATE TABLE users (id uuid PRIMARY KEY);
             {table}
             CREATE TABLE events (id uuid PRIMARY KEY,
               user_id uuid NOT NULL REFERENCES users -- @each {each}
             );"
        )
    };
    // 1,000 users with 2 a day for 100 days, then 8.
    let model = read_model(&text("2/day, 8/day from 100d", ""));
    let events = model.entity("events");
    assert_eq!(events.grows, Figure::from_derivation(2_000.0));
    assert_eq!(events.curve.slopes(), [(0.0, 1.0), (100.0, 4.0)]);
    // 5 today and 45 more in 100 days, for each.
    let model = read_model(&text("5, 50 in 100d", ""));
    let events = model.entity("events");
    assert_eq!((events.rows, events.grows.value), (Figure::from_derivation(5_000.0), 450.0));
    // What expires came at the rate of today.
    let model = read_model(&text("2/day, 8/day from 100d", "-- @retain 30d"));
    assert_eq!(model.entity("events").rows, Figure::from_derivation(60_000.0));
    for (each, table) in
        [("2/day, 8/day from 9d", "-- @grows 5/day"), ("5, 50 in 9d", "-- @retain 9d")]
    {
        let text = text(each, table);
        assert_eq!(error_places(&text).first().map(|(rule, _)| *rule), Some("MF106"), "{table}");
    }
}

#[test]
fn growth_is_given_once() {
    let table = "CREATE TABLE t (id int PRIMARY KEY);";
    let twice = format!("-- @rows 1k, 5k in 1 year @grows 5/day\n{table}");
    assert_eq!(error_places(&twice), [("MF106", "@grows 5/day")]);
    let expires = format!("-- @rows 1k, 5k in 1 year @retain 30d\n{table}");
    assert_eq!(error_places(&expires), [("MF106", "@rows 1k, 5k in 1 year")]);
    let steps = read_model(&format!("-- @grows 5/day, 9/day from 1 year @retain 30d\n{table}"));
    assert!(steps.entity("t").curve.is_by_rates());
    // With a rate, the rows that expire are known.
    let linear = format!("-- @rows 1k grows 5/day @retain 30d\n{table}");
    assert_eq!(read_model(&linear).entity("t").grows, Figure::from_input(5.0));
}
