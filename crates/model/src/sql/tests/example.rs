//! The example of the product's page.

use super::*;
use crate::concept::{FanOut, Figure, Origin};
use crate::id::{AttributeId, ReadId};
use crate::workload::WriteKind;

const TEXT: &str = "-- @keyspace killrvideo  @replication dc1:3  @nodes 6

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

#[test]
fn entities() {
    let model = read_model(TEXT);
    let concept = &model.concept;
    assert_eq!((concept.keyspace.as_str(), concept.nodes, concept.copies()), ("killrvideo", 6, 3));
    assert_eq!(concept.replication, [("dc1".to_owned(), 3)]);
    assert_eq!(concept.tenant, None);
    assert_eq!(model.types("users"), ["uuid", "text", "text", "text", "timestamp"]);
    assert_eq!(model.types("videos"), ["uuid", "uuid", "text", "set<text>", "timestamp"]);
    assert_eq!(model.keys("users"), [["userid"], ["email"]]);
    assert_eq!(model.keys("videos"), [["videoid"]]);
    let nullable = |entity: &str| {
        let attributes = &model.entity(entity).attributes;
        attributes.iter().map(|attribute| attribute.nullable).collect::<Vec<_>>()
    };
    assert_eq!(nullable("users"), [false, false, true, true, true]);
    assert_eq!(nullable("videos"), [false, false, true, true, false]);
}

#[test]
fn volumes() {
    let model = read_model(TEXT);
    let (users, videos) = (model.entity("users"), model.entity("videos"));
    assert_eq!((users.rows, users.grows), (Figure::from_input(10e6), Figure::from_assumption(0.0)));
    assert_eq!((videos.rows, videos.grows), (Figure::from_input(50e6), Figure::from_input(100e3)));
    assert_eq!((users.retain, videos.retain), (None, None));
    let [reference] = videos.references.as_slice() else { panic!("one reference") };
    assert_eq!(
        (reference.attributes.as_slice(), reference.target_attributes.as_slice()),
        (&[AttributeId::new(1)][..], &[AttributeId::new(0)][..])
    );
    assert!(!reference.nullable);
    let (mean, p99, max) = (5.0, 200.0, 20e3);
    assert_eq!(
        reference.fan_out,
        FanOut { mean, p99, max, p999: None, per: None, origin: Origin::Given }
    );
    assert_eq!(model.attribute("users", "email").bytes, Figure::from_input(24.0));
    assert_eq!(model.attribute("users", "firstname").bytes, Figure::from_assumption(32.0));
    assert_eq!(model.attribute("users", "userid").bytes, Figure::from_derivation(16.0));
    let tags = model.attribute("videos", "tags");
    assert_eq!((tags.items, tags.distinct), (Figure::from_input(5.0), Figure::from_input(200e3)));
    assert_eq!(tags.bytes, Figure::from_assumption(32.0));
    // A key has as many values as rows, a reference as many as what it refers to.
    assert_eq!(model.attribute("users", "email").distinct, Figure::from_derivation(10e6));
    assert_eq!(model.attribute("videos", "userid").distinct, Figure::from_derivation(10e6));
}

#[test]
fn statements() {
    let model = read_model(TEXT);
    let names: Vec<_> =
        model.workload.reads.iter().map(|read| (read.name.as_str(), read.many)).collect();
    assert_eq!(names, [("UserByEmail", false), ("LatestVideos", true), ("VideosByUser", true)]);
    assert_eq!(model.workload.reads[2].after, [0, 1].map(ReadId::new));
    let [write] = model.workload.writes.as_slice() else { panic!("one write") };
    assert!(matches!(write.kind, WriteKind::Insert(_)));
    assert_eq!(write.rate, Figure::from_input(100e3 / 86_400.0));
    assert_eq!(model.warnings, []);
}

#[test]
fn every_assumption_has_its_place_and_says_what_to_write() {
    let model = read_model(TEXT);
    let found: Vec<_> =
        model.assumptions.iter().map(|it| (it.span.text(TEXT), it.topic.help())).collect();
    assert!(
        found.contains(&("users", "write @grows 1k/day above CREATE TABLE users".to_owned())),
        "{found:#?}"
    );
    assert!(
        found.iter().all(|(place, help)| !place.is_empty() && help.contains("write ")),
        "{found:#?}"
    );
}
