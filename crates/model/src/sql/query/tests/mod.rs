//! Queries and writes through the reader of model files.

mod conditions;
mod counters;
mod headings;
mod joins;
mod outputs;
mod parameters;
mod refusals;
mod return_clauses;
mod robustness;
mod tenants;
mod workflows;
mod write_refusals;
mod writes;

use crate::concept::Concept;
use crate::id::{OutputId, ReadId};
use crate::sql::{ModelFile, read};
use crate::workload::{Column, Predicate, Read, Supply, Write};

/// The tables that most of the tests speak of.
const TABLES: &str = "\
CREATE TABLE users (
  userid uuid PRIMARY KEY,
  email text NOT NULL UNIQUE,
  firstname text,
  active boolean NOT NULL,
  logins bigint NOT NULL,
  age int,
  address inet,
  created timestamp NOT NULL
);
CREATE TABLE videos (
  videoid uuid PRIMARY KEY,
  userid uuid NOT NULL REFERENCES users,
  editor uuid REFERENCES users,
  name text NOT NULL,
  tags text[],
  rating double precision,
  day date NOT NULL,
  added timestamp NOT NULL
);
CREATE TABLE comments (
  videoid uuid NOT NULL REFERENCES videos,
  commentid uuid NOT NULL, -- @time
  userid uuid NOT NULL REFERENCES users,
  body text NOT NULL,
  reply_to uuid,
  PRIMARY KEY (videoid, commentid)
);
CREATE TABLE likes (
  videoid uuid NOT NULL,
  commentid uuid NOT NULL, -- @time
  userid uuid NOT NULL REFERENCES users,
  at timestamp,
  PRIMARY KEY (videoid, commentid, userid),
  FOREIGN KEY (videoid, commentid) REFERENCES comments (videoid, commentid)
);
CREATE TABLE employees (
  id int PRIMARY KEY,
  name text NOT NULL,
  manager int REFERENCES employees
);
CREATE TABLE countries (code text PRIMARY KEY, name text NOT NULL);
";

/// What is wrong.
#[derive(Debug, PartialEq, Eq)]
struct ReportedError {
    rule: &'static str,
    message: String,
    /// The text that is underlined.
    underlined: String,
    help: String,
}

/// A model of the tables above and these statements.
fn model(statements: &str) -> ModelFile {
    let text = format!("{TABLES}\n{statements}");
    read(&text, "test").unwrap_or_else(|errors| panic!("{errors:#?}"))
}

/// All that is wrong with these statements.
fn read_errors(statements: &str) -> Vec<ReportedError> {
    let text = format!("{TABLES}\n{statements}");
    let errors = read(&text, "test").expect_err("a refusal");
    errors
        .into_iter()
        .map(|error| ReportedError {
            rule: error.rule,
            message: error.message,
            underlined: error.span.text(&text).to_owned(),
            help: error.help.unwrap_or_default(),
        })
        .collect()
}

/// The one thing that is wrong with one query.
fn single_error(query: &str) -> ReportedError {
    let mut wrongs = read_errors(&format!("-- name: Q :many\n-- @rate 1/s\n{query};"));
    assert_eq!(wrongs.len(), 1, "{query}: {wrongs:#?}");
    wrongs.remove(0)
}

/// The one thing that is wrong with one write.
fn write_error(write: &str) -> ReportedError {
    let mut wrongs = read_errors(&format!("-- name: W :exec\n-- @rate 1/s\n{write};"));
    assert_eq!(wrongs.len(), 1, "{write}: {wrongs:#?}");
    wrongs.remove(0)
}

/// One query, with what it is resolved against.
fn query(query: &str) -> (Read, Concept) {
    let mut file = model(&format!("-- name: Q :many\n-- @rate 1/s\n{query};"));
    (file.workload.reads.remove(0), file.concept)
}

/// One write.
fn write(write: &str) -> (Write, Concept) {
    let mut file = model(&format!("-- name: W :exec\n-- @rate 1/s\n{write};"));
    (file.workload.writes.remove(0), file.concept)
}

/// The conditions of a query, in words.
fn describe_conditions(query: &str) -> Vec<String> {
    let (read, concept) = self::query(query);
    read.conditions
        .iter()
        .map(|condition| describe_predicate(&read, &concept, &condition.predicate))
        .collect()
}

/// A column with its source's alias.
fn qualify_name(read: &Read, concept: &Concept, column: Column) -> String {
    let source = &read.sources[column.source];
    let attribute = &concept.entities[source.entity].attributes[column.attribute];
    format!("{}.{}", source.alias, attribute.name)
}

fn describe_predicate(read: &Read, concept: &Concept, test: &Predicate) -> String {
    let name = |column: &Column| qualify_name(read, concept, *column);
    match test {
        Predicate::Compare { column, comparison, value } => {
            format!("{} {comparison:?} {value:?}", name(column))
        }
        Predicate::In { column, values } => format!("{} In {values:?}", name(column)),
        Predicate::AnyOf { column, parameter } => format!("{} AnyOf {parameter:?}", name(column)),
        Predicate::Holds { column, value } => format!("{} Holds {value:?}", name(column)),
        Predicate::Row { columns, comparison, values } => {
            let names: Vec<String> = columns.iter().map(name).collect();
            format!("({}) {comparison:?} {values:?}", names.join(", "))
        }
        Predicate::Prefix { column, value } => format!("{} Prefix {value:?}", name(column)),
        Predicate::NotNull { column } => format!("{} NotNull", name(column)),
        Predicate::Null { column } => format!("{} Null", name(column)),
    }
}

/// The parameters of a statement: names and types.
fn parameters(parameters: &[crate::workload::Parameter]) -> Vec<String> {
    parameters.iter().map(|it| format!("{} {}", it.name, it.ty)).collect()
}

#[test]
fn the_example_of_the_manual() {
    let text = r"-- @keyspace killrvideo  @replication dc1:3  @nodes 6

-- @rows 10M
CREATE TABLE users (
  userid       uuid PRIMARY KEY,
  email        text NOT NULL UNIQUE,        -- @bytes 24
  firstname    text,
  lastname     text,
  created_date timestamp
);

-- @rows 50M  @grows 100k/day
CREATE TABLE videos (
  videoid      uuid PRIMARY KEY,
  userid       uuid NOT NULL REFERENCES users,  -- @each 5 p99 200 max 20k
  name         text,
  tags         text[],                           -- @items 5 @distinct 200k @set
  added_date   timestamp NOT NULL
);

-- name: UserByEmail :one
-- @rate 200/s
SELECT userid, firstname FROM users WHERE email = ?;

-- name: LatestVideos :many
-- @rate 3k/s
SELECT videoid, userid, name, added_date FROM videos ORDER BY added_date DESC LIMIT 20;

-- name: VideosByUser :many
-- @rate 800/s  @after UserByEmail, LatestVideos
SELECT v.videoid, v.name, v.added_date, u.firstname
FROM videos v JOIN users u ON u.userid = v.userid
WHERE v.userid = ? ORDER BY v.added_date DESC LIMIT 20;

-- name: AddVideo :exec
-- @rate 100k/day
INSERT INTO videos (videoid, userid, name, tags, added_date) VALUES (?, ?, ?, ?, ?);
";
    let file = read(text, "example").unwrap_or_else(|wrong| panic!("{wrong:#?}"));
    assert_eq!(file.warnings, []);
    let names: Vec<&str> = file.workload.reads.iter().map(|read| read.name.as_str()).collect();
    assert_eq!(names, ["UserByEmail", "LatestVideos", "VideosByUser"]);
    let by_user = &file.workload.reads[2];
    assert_eq!(
        (by_user.after.as_slice(), by_user.rate.value),
        (&[ReadId::new(0), ReadId::new(1)][..], 800.0)
    );
    assert_eq!(
        by_user.parameters[0].supply,
        Supply::Step { read: ReadId::new(0), output: OutputId::new(0) }
    );
    assert_eq!(by_user.sources.len(), 2);
    let add = &file.workload.writes[0];
    assert!((add.rate.value - 100_000.0 / 86_400.0).abs() < 1e-9);
    let types =
        ["videoid uuid", "userid uuid", "name text", "tags set<text>", "added_date timestamp"];
    assert_eq!(parameters(&add.parameters), types);
}
