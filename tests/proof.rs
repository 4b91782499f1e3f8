//! Every example, designed and proven: its reads and writes on the embedded engine beside a relational database.

use model::plan::{Derivation, PlannedColumn, PlannedTable};
use sim::{
    Disagreement, DrawObstacle, MemoryServer, NotRunReason, Proof, ProofOutcome, ProofSettings,
    ProofSubject, build_mutants, prove, refute,
};

use std::process::Command;

use crate::cassandra;
use crate::examples::{Example, design, example, examples, load_published, root};
use crate::print_uncaptured;
use crate::random_models;

/// The random models that are proven in every run. (The third one may set to null what its query orders by.)
const RANDOM_SEEDS: [u64; 5] = [0, 1, 2, 3, 4];

/// Proves the design of an example.
fn prove_example(example: &Example, options: &design::Options, settings: ProofSettings) -> Proof {
    let model = &example.model;
    let design = design(example, options);
    let mut schema = design::create_statements::types(&model.concept, &design);
    schema.extend(design::create_statements::tables(&design));
    let subject = ProofSubject {
        concept: &model.concept,
        workload: &model.workload,
        design: &design,
        schema: &schema,
    };
    let mut server = MemoryServer::new(settings.now_micros).expect("a database opens");
    prove(subject, settings, &mut server, &mut |_| {})
        .unwrap_or_else(|failure| panic!("{}: {failure:?}", example.name))
}

/// A disagreement, for people.
pub(crate) fn describe_disagreement(name: &str, disagreement: &Disagreement) -> String {
    let Disagreement { name: about, table, facts, sql, cql, columns, expected, got, refused } =
        disagreement;
    let row = |row: &Vec<String>| format!("    {}", row.join(" | "));
    let rows = |rows: &[Vec<String>]| rows.iter().map(row).collect::<Vec<_>>().join("\n");
    format!(
        "{name}: {about} {table:?} {refused:?}\n  {}\n  {sql}\n  CQL:\n    {}\n  {}\n  expected:\n{}\n  got:\n{}",
        facts.join("\n  "),
        cql.join("\n    "),
        columns.join(" | "),
        rows(expected),
        rows(got)
    )
}

/// Why a proof did not pass, for people.
fn describe_outcome(name: &str, proof: &Proof) -> Option<String> {
    match proof.outcome() {
        ProofOutcome::Passed => None,
        ProofOutcome::Failed(disagreement) => Some(describe_disagreement(name, disagreement)),
        other => Some(format!("{name}: {other:?}")),
    }
}

/// Whether a write was not run because it sets null what the design assumes never to be null.
fn is_contradicted(reason: &NotRunReason) -> bool {
    matches!(reason, NotRunReason::NoValues(DrawObstacle::NeverNull { .. }))
}

#[test]
fn examples_are_proven() {
    let wanted = std::env::var("HELENUS_EXAMPLE").ok();
    let mut wrong = Vec::new();
    for example in examples() {
        if wanted.as_ref().is_some_and(|wanted| !example.name.contains(wanted.as_str())) {
            continue;
        }
        let proof = prove_example(&example, &design::Options::default(), ProofSettings::default());
        wrong.extend(describe_outcome(&example.name, &proof));
        if wanted.is_some() {
            print_uncaptured(&format!("{}: {proof:#?}", example.name));
        }
    }
    assert!(wrong.is_empty(), "{} examples are not proven:\n{}", wrong.len(), wrong.join("\n\n"));
}

/// One in so many of the models of `examples/published` is proven in every run, with few values and writes;
/// `HELENUS_PUBLISHED=1` proves all of them, by the rules alone as well.
const PUBLISHED_EVERY: usize = 3;

#[test]
fn published_models_are_proven() {
    let all = std::env::var_os("HELENUS_PUBLISHED").is_some();
    let settings =
        ProofSettings { rows: 600, bindings: 15, writes: 60, ..ProofSettings::default() };
    let by_rules = design::Options { rules_only: true, ..design::Options::default() };
    let ways = [design::Options::default(), by_rules];
    let ways = if all { &ways[..] } else { &ways[..1] };
    let mut wrong = Vec::new();
    for (at, example) in load_published().iter().enumerate() {
        if !all && at % PUBLISHED_EVERY != 0 {
            continue;
        }
        for options in ways {
            let proof = prove_example(example, options, settings);
            wrong.extend(describe_outcome(&example.name, &proof));
        }
    }
    assert!(wrong.is_empty(), "{} are not proven:\n{}", wrong.len(), wrong.join("\n\n"));
}

/// The workloads of a published optimiser, and random models.
#[test]
fn other_models_are_proven() {
    let published = ["ebay", "rubis_browsing", "rubis_bidding"];
    let published = published.map(|name| example(&format!("nose/{name}")));
    let random = RANDOM_SEEDS.into_iter().filter_map(|seed| {
        let model = model::sql::read(&random_models::model(seed), "random").ok()?;
        Some(Example { name: format!("seed {seed}"), model })
    });
    let settings = ProofSettings { bindings: 30, writes: 200, ..ProofSettings::default() };
    let mut wrong = Vec::new();
    for example in published.into_iter().chain(random) {
        let proof = prove_example(&example, &design::Options::default(), settings);
        // A random write may set null what its own reads order by: the design assumes that it is
        // never null, so the write cannot be run, and the proof says so.
        let is_excused = matches!(proof.outcome(), ProofOutcome::Incomplete(reasons)
            if reasons.iter().all(|(_, reason)| is_contradicted(reason)));
        if !is_excused {
            wrong.extend(describe_outcome(&example.name, &proof));
        }
    }
    assert!(wrong.is_empty(), "{} are not proven:\n{}", wrong.len(), wrong.join("\n\n"));
}

/// The long form: every example on a real node, through the command line. `HELENUS_FULL=1` asks for it.
#[test]
fn examples_are_proven_on_cassandra() {
    if std::env::var_os("HELENUS_FULL").is_none() {
        return;
    }
    let Some(address) = cassandra::node() else { return };
    let mut wrong = Vec::new();
    for example in examples() {
        let file = root().join("examples").join(format!("{}.sql", example.name));
        let output = Command::new(env!("CARGO_BIN_EXE_helenus"))
            .args(["design", "--on", &address.to_string()])
            .arg(file)
            .output()
            .expect("the command runs");
        let said = String::from_utf8_lossy(&output.stdout);
        let proof = said.lines().find(|line| line.starts_with("proof: ")).unwrap_or("no proof");
        print_uncaptured(&format!("{}: {proof}", example.name));
        if !proof.starts_with("proof: passed") {
            wrong.push(format!("{}: {said}", example.name));
        }
    }
    assert!(wrong.is_empty(), "{} are not proven:\n{}", wrong.len(), wrong.join("\n\n"));
}

/// A large table, often written, with rare queries by other columns than its key.
const RARELY_SEARCHED: &str = "-- @nodes 6
-- @rows 50M @grows 100k/day
CREATE TABLE users (userid uuid PRIMARY KEY,
  email text NOT NULL, -- @bytes 30 @distinct 50M
  city text, -- @distinct 5M
  age int NOT NULL, -- @distinct 100
  seen timestamp NOT NULL);
-- @rows 500M
CREATE TABLE orders (userid uuid NOT NULL REFERENCES users, orderid uuid, total int NOT NULL,
  voucher text, -- @distinct 400M
  PRIMARY KEY (userid, orderid));
-- name: One :one
-- @rate 5000/s
SELECT email, city, age, seen FROM users WHERE userid = ?;
-- name: Orders :many
-- @rate 5000/s
SELECT orderid, total, voucher FROM orders WHERE userid = ?;
-- name: ByCity :many
-- @rate 0.1/s
SELECT userid, email, seen FROM users WHERE city = ? ORDER BY seen DESC, userid LIMIT 3;
-- name: ByEmail :one
-- @rate 0.1/s
SELECT userid FROM users WHERE email = ? AND age > ?;
-- name: ByVoucher :many
-- @rate 0.1/s
SELECT o.orderid, o.total, u.email FROM orders o JOIN users u ON u.userid = o.userid WHERE o.voucher = ?;
-- name: Add :exec
-- @rate 500/s
INSERT INTO users (userid, email, city, age, seen) VALUES (?, ?, ?, ?, ?);
-- name: See :exec
-- @rate 2000/s
UPDATE users SET seen = ?, city = ?, email = ? WHERE userid = ?;
-- name: Order :exec
-- @rate 2000/s
INSERT INTO orders (userid, orderid, total, voucher) VALUES (?, ?, ?, ?);
-- name: Change :exec
-- @rate 200/s
UPDATE orders SET total = ?, voucher = ? WHERE userid = ? AND orderid = ?;
-- @rows 40k
CREATE TABLE shops (shopid uuid PRIMARY KEY,
  region text NOT NULL, -- @distinct 900
  stock int NOT NULL);
-- name: Shop :one
-- @rate 5000/s
SELECT region, stock FROM shops WHERE shopid = ?;
-- name: InRegion :many
-- @rate 0.1/s
SELECT shopid, stock FROM shops WHERE region = ?;
-- name: Open :exec
-- @rate 1/day
INSERT INTO shops (shopid, region, stock) VALUES (?, ?, ?);
-- name: Restock :exec
-- @rate 2000/s
UPDATE shops SET region = ?, stock = ? WHERE shopid = ?;
";

/// An example that is no file. Designs are kept by the name of the example, so each has its own.
fn example_from_text(text: &str) -> Example {
    let model = model::sql::read(text, "written").unwrap_or_else(|wrong| panic!("{wrong:#?}"));
    Example { name: format!("written: {text}"), model }
}

#[test]
fn designs_with_indexes_are_proven() {
    let example = example_from_text(RARELY_SEARCHED);
    for target in [design::Target::Cassandra50, design::Target::Cassandra41] {
        let options = design::Options { target, ..design::Options::default() };
        let indexes: usize =
            design(&example, &options).tables.iter().map(|table| table.indexes.len()).sum();
        let proof = prove_example(&example, &options, ProofSettings::default());
        assert_eq!(describe_outcome(&example.name, &proof), None);
        // A secondary index suits columns of a few hundred values only.
        assert_eq!(indexes, if target == design::Target::Cassandra50 { 4 } else { 1 });
    }
}

/// Queries by columns that change, of an entity whose rows others would have to read before they could follow.
const MOVING: &str = "-- @rows 5M
CREATE TABLE parcels (parcelid uuid PRIMARY KEY,
  depot text NOT NULL, -- @distinct 50k
  courier text, -- @distinct 50k
  weight int NOT NULL);
-- name: One :one
-- @rate 500/s
SELECT depot, courier, weight FROM parcels WHERE parcelid = ?;
-- name: InDepot :many
-- @rate 500/s
SELECT parcelid, weight FROM parcels WHERE depot = ?;
-- name: WithCourier :many
-- @rate 500/s
SELECT parcelid, depot FROM parcels WHERE courier = ?;
-- name: Add :exec
-- @rate 20/s
INSERT INTO parcels (parcelid, depot, courier, weight) VALUES (?, ?, ?, ?);
-- name: Move :exec
-- @rate 200/s
UPDATE parcels SET depot = ?, courier = ? WHERE parcelid = ?;
-- name: Gone :exec
-- @rate 20/s
DELETE FROM parcels WHERE parcelid = ?;
";

#[test]
fn designs_with_views_are_proven() {
    let example = example_from_text(MOVING);
    let search = design::SearchOptions { allow_views: true, ..design::SearchOptions::default() };
    let options = design::Options { search, ..design::Options::default() };
    let made = design(&example, &options);
    let views = made.tables.iter().filter(|table| table.view_of.is_some()).count();
    assert_eq!(views, 2, "{:#?}", design::create_statements::tables(&made));
    let proof = prove_example(&example, &options, ProofSettings::default());
    assert_eq!(describe_outcome(&example.name, &proof), None);
    let plain = design(&example, &design::Options::default());
    assert!(plain.tables.iter().all(|table| table.view_of.is_none()), "only when asked for");
}

/// Figures so large that a walk over all buckets or shards would never end.
const BOUNDLESS: [&str; 4] = [
    "-- @rows 1T @grows 1B/day @retain 2147483648d
CREATE TABLE events (id uuid PRIMARY KEY, kind text NOT NULL, at timestamp NOT NULL, body text);
-- name: Latest :many
-- @rate 2147483648k/day
SELECT id, kind, at FROM events ORDER BY at DESC LIMIT 20;
-- name: OfKind :many
SELECT id, at FROM events WHERE kind = ? ORDER BY at DESC LIMIT 20;
-- name: Add :exec
-- @rate 2147483648k/day
INSERT INTO events (id, kind, at, body) VALUES (?, ?, ?, ?);
-- name: Drop :exec
DELETE FROM events WHERE id = ?;
",
    "-- @rows 1T
CREATE TABLE readings (sensor text NOT NULL, -- @distinct 100
  at timestamp NOT NULL, value int, PRIMARY KEY (sensor, at));
-- name: Newest :many
-- @rate 100/s
SELECT at, value FROM readings WHERE sensor = ? ORDER BY at DESC LIMIT 5;
-- name: Between :many
SELECT at, value FROM readings WHERE sensor = ? AND at >= ? AND at < ? ORDER BY at;
-- name: Add :exec
-- @rate 1M/s
INSERT INTO readings (sensor, at, value) VALUES (?, ?, ?);
",
    "-- @rows 10B @grows 100M/day @retain 10 years
CREATE TABLE logs (id uuid PRIMARY KEY, host text NOT NULL, -- @distinct 10
  at timestamp NOT NULL, line text NOT NULL);
-- name: OfHost :many
SELECT id, line FROM logs WHERE host = ? ORDER BY at DESC;
-- name: Add :exec
INSERT INTO logs (id, host, at, line) VALUES (?, ?, ?, ?);
",
    "-- @rows 1T
CREATE TABLE hits (id uuid PRIMARY KEY, page text NOT NULL, -- @distinct 3
  who text NOT NULL);
-- name: OfPage :many
SELECT id, who FROM hits WHERE page = ? LIMIT 10;
-- name: Add :exec
-- @rate 2147483648k/day
INSERT INTO hits (id, page, who) VALUES (?, ?, ?);
-- name: Rename :exec
UPDATE hits SET who = ? WHERE id = ?;
",
];

#[test]
fn boundless_models_are_proven_on_a_scaled_copy() {
    for text in BOUNDLESS {
        let example = example_from_text(text);
        for searched in [true, false] {
            let mut options = design::Options::default();
            options.search.enabled = searched;
            let settings = ProofSettings { bindings: 20, writes: 60, ..ProofSettings::default() };
            let proof = prove_example(&example, &options, settings);
            assert_eq!(describe_outcome(text, &proof), None);
            assert!(proof.coverage.buckets_least.is_none_or(|least| least >= 3), "{text}");
            // A table of two shards has no third one.
            assert!(proof.coverage.shards_least.is_none_or(|least| least >= 2), "{text}");
        }
    }
}

/// A write that leaves null what the design assumes never to be null.
const NEVER_DRAWN: &str = "
CREATE TABLE events (id uuid PRIMARY KEY, room text NOT NULL, position bigint);
-- name: Timeline :many
SELECT id FROM events WHERE room = ? ORDER BY position DESC LIMIT 10;
-- name: Send :exec
INSERT INTO events (id, room) VALUES (?, ?);
-- name: Place :exec
UPDATE events SET position = ? WHERE id = ?;
";

#[test]
fn a_write_without_values_leaves_the_proof_incomplete() {
    let example = example_from_text(NEVER_DRAWN);
    let proof = prove_example(&example, &design::Options::default(), ProofSettings::default());
    let ProofOutcome::Incomplete(open) = proof.outcome() else { panic!("{:?}", proof.outcome()) };
    let open: Vec<_> = open.iter().map(|(name, why)| format!("{name}: {why}")).collect();
    let why = "it leaves events.position null, which the design assumes never to be null";
    assert_eq!(open, [format!("Send: {why}")]);
}

/// Buckets over a growing integer, read from both ends and from the middle.
const RANGES: &str = "-- @rows 10B @grows 100M/day
CREATE TABLE events (room text NOT NULL, -- @distinct 1000
  seq bigint NOT NULL, body text NOT NULL, PRIMARY KEY (room, seq));
-- name: Last :one
-- @rate 100/s
SELECT seq, body FROM events WHERE room = ? ORDER BY seq DESC LIMIT 1;
-- name: First :many
-- @rate 10/s
SELECT seq, body FROM events WHERE room = ? ORDER BY seq LIMIT 5;
-- name: Between :many
-- @rate 100/s
SELECT seq, body FROM events WHERE room = ? AND seq > ? AND seq <= ? ORDER BY seq;
-- name: Older :many
-- @rate 100/s
SELECT seq, body FROM events WHERE room = ? AND seq < ? ORDER BY seq DESC LIMIT 20;
-- name: Add :exec
-- @rate 1k/s
INSERT INTO events (room, seq, body) VALUES (?, ?, ?);
-- name: Edit :exec
UPDATE events SET body = ? WHERE room = ? AND seq = ?;
-- name: Drop :exec
DELETE FROM events WHERE room = ? AND seq = ?;
";

#[test]
fn ranges_of_an_integer_end_at_their_newest_and_oldest_bucket() {
    let example = example_from_text(RANGES);
    let options = design::Options { rules_only: true, ..design::Options::default() };
    let made = design(&example, &options);
    let is_newest = |column: &PlannedColumn| matches!(column.derivation, Derivation::Newest(_));
    let remembers = |table: &PlannedTable| table.columns.iter().any(is_newest);
    assert!(made.tables.iter().any(remembers), "{:#?}", made.tables);
    let proof = prove_example(&example, &options, ProofSettings::default());
    assert_eq!(describe_outcome("ranges", &proof), None);
    let crossed = proof.coverage.steps.map_or(0, |steps| steps.borders_crossed);
    assert!(crossed > 0 && proof.coverage.buckets_least >= Some(3));
    let model = &example.model;
    let mutants = build_mutants(&model.concept, &model.workload, &made);
    let confused = mutants.iter().filter(|it| it.kind == "an end of the buckets confused").count();
    assert!(confused > 0);
    for mutant in mutants {
        let mut schema = design::create_statements::types(&model.concept, &mutant.design);
        schema.extend(design::create_statements::tables(&mutant.design));
        let (concept, workload, design) = (&model.concept, &model.workload, &mutant.design);
        let subject = ProofSubject { concept, workload, design, schema: &schema };
        let settings = ProofSettings::default();
        let mut server = MemoryServer::new(settings.now_micros).expect("a database opens");
        assert_eq!(refute(subject, settings, &mut server), Ok(true), "{}", mutant.what);
    }
}
