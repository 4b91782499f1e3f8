//! Models in several files, and directives by name.

use super::*;
use crate::concept::Figure;

const DUMP: &str = "CREATE TABLE public.users (id uuid PRIMARY KEY, email text NOT NULL);
CREATE TABLE public.orders (id uuid PRIMARY KEY, user_id uuid NOT NULL REFERENCES users, total int)";

const QUERIES: &str = "\u{feff}-- name: OrdersOfUser :many
SELECT * FROM orders WHERE user_id = $1
";

const VOLUMES: &str = "-- @keyspace shop @nodes 12
-- @table public.users @rows 13M @grows 10k/day
-- @column users.email @bytes 24
/* @column orders.user_id @each 5 p99 200
   @query OrdersOfUser @rate 300/s */
";

fn read_texts(texts: &[&str]) -> Result<ModelFile, Vec<Diagnostic>> {
    let mut starts = Vec::new();
    let mut text = String::new();
    for next in texts {
        starts.push(text.len());
        text.push_str(next);
    }
    read_files(&text, &starts, "app", &Measurements::default())
}

#[test]
fn a_model_in_three_files_is_the_same_in_any_order() {
    let model = read_texts(&[DUMP, QUERIES, VOLUMES]).unwrap();
    assert_eq!((model.concept.keyspace.as_str(), model.concept.nodes), ("shop", 12));
    let users = model.entity("users");
    let figures = [users.rows, users.grows, model.attribute("users", "email").bytes];
    assert_eq!(figures, [13e6, 10e3, 24.0].map(Figure::from_input));
    let p99 = model.entity("orders").references[0].fan_out.p99;
    assert!((p99 - 200.0).abs() < 0.1, "{p99}");
    assert_eq!(model.workload.reads[0].rate, Figure::from_input(300.0));
    let other = read_texts(&[VOLUMES, QUERIES, DUMP]).unwrap();
    assert_eq!(other.concept.entities.len(), model.concept.entities.len());
    assert_eq!(other.workload.reads[0].rate, Figure::from_input(300.0));
}

#[test]
fn named_directives_stand_anywhere_outside_of_statements() {
    let text = format!("{DUMP};\n{}-- @table orders @rows 5k", &QUERIES[3..].replace("$1", "$1;"));
    assert_eq!(read_model(&text).entity("orders").rows, Figure::from_input(5e3));
    let text = format!("-- @table ORDERS @rows 5k\n\n{DUMP}");
    assert_eq!(read_model(&text).entity("orders").rows, Figure::from_input(5e3));
}

#[test]
fn mistakes_in_named_directives() {
    let places = |directives: &str| {
        let text =
            format!("{DUMP};\n-- name: Q :many\nSELECT * FROM users WHERE id = $1;\n{directives}");
        let errors = read(&text, "app").expect_err(directives);
        let place = |error: &Diagnostic| (error.rule, error.span.text(&text).to_owned());
        errors.iter().map(place).collect::<Vec<_>>()
    };
    let one = |rule, place: &str| vec![(rule, place.to_owned())];
    assert_eq!(places("-- @table usres @rows 1k"), one("MF207", "@table usres"));
    assert_eq!(places("-- @column users.mail @bytes 9"), one("MF206", "@column users.mail"));
    assert_eq!(places("-- @query R @rate 1/s"), one("MF108", "@query R"));
    assert_eq!(places("-- @query Q @rows 1k"), one("MF104", "@rows 1k"));
    assert_eq!(places("-- @table users @bytes 4"), one("MF104", "@bytes 4"));
    assert_eq!(places("-- @column users.email @each 4"), one("MF104", "@each 4"));
    assert_eq!(
        places("-- @rows 1k @table users"),
        vec![("MF104", "@rows 1k".to_owned()), ("MF104", "@table users".to_owned()),]
    );
    let twice = "-- @table users @rows 1k\n-- @table users @rows 2k";
    assert_eq!(places(twice), one("MF105", "@rows 2k"));
    assert_eq!(places("-- @table users @rows 1k @row 2k"), one("MF101", "@row"));
    assert_eq!(places("-- @table"), one("MF102", "@table"));
    assert_eq!(places("-- @column email @bytes 4").len(), 1);
}

#[test]
fn a_file_without_statements_has_no_directives_of_statements() {
    let errors = read_texts(&[DUMP, "-- @rows 1k\n"]).unwrap_err();
    assert_eq!(errors.len(), 1);
    assert_eq!(errors[0].message, "@rows belongs to no statement");
}
