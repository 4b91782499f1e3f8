//! `helenus design --from-doctor`: from a made-up support folder to tables that serve its queries.

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

use serde_json::Value;

use super::helenus;
use crate::postgres;

const SCHEMA: &str = "\
CREATE KEYSPACE shop WITH replication = {'class': 'NetworkTopologyStrategy', 'dc1': '3'};
CREATE TYPE shop.address (
    street text,
    city text
);
CREATE TABLE shop.users (
    user_id uuid PRIMARY KEY,
    email text,
    name text,
    country text,
    home frozen<address>,
    tags set<text>,
    settings map<text, text>
);
CREATE TABLE shop.users_by_email (
    email text PRIMARY KEY,
    user_id uuid,
    name text
);
CREATE TABLE shop.jobs (
    queue text,
    created timeuuid,
    payload text,
    status text,
    PRIMARY KEY (queue, created)
) WITH CLUSTERING ORDER BY (created ASC);
CREATE TABLE shop.readings (
    sensor uuid,
    day date,
    at timestamp,
    value double,
    PRIMARY KEY ((sensor, day), at)
) WITH CLUSTERING ORDER BY (at DESC)
    AND default_time_to_live = 7776000;
CREATE TABLE shop.views (
    page text PRIMARY KEY,
    views counter
);
";

/// The statements of the full query log.
const STATEMENTS: [&str; 13] = [
    "INSERT INTO shop.users (user_id, email, name, country) VALUES (?, ?, ?, ?)",
    "INSERT INTO shop.users_by_email (email, user_id, name) VALUES (?, ?, ?)",
    "SELECT user_id, name FROM shop.users_by_email WHERE email = ?",
    "SELECT * FROM shop.users WHERE user_id = ?",
    "SELECT user_id, name FROM shop.users WHERE country = ? ALLOW FILTERING",
    "INSERT INTO shop.jobs (queue, created, payload, status) VALUES (?, ?, ?, ?)",
    "SELECT created, payload FROM shop.jobs WHERE queue = ? LIMIT 10",
    "DELETE FROM shop.jobs WHERE queue = ? AND created = ?",
    "INSERT INTO shop.readings (sensor, day, at, value) VALUES (?, ?, ?, ?)",
    "SELECT at, value FROM shop.readings WHERE sensor = ? AND day = ? AND at >= ?",
    "UPDATE shop.views SET views = views + 1 WHERE page = ?",
    "SELECT views FROM shop.views WHERE page = ?",
    "SELECT * FROM shop.users WHERE token(user_id) > ? AND token(user_id) <= ?",
];

/// The tables with their partitions, and the bytes and cells of a partition at p50, p99 and at most.
const TABLES: [(&str, u64, [u64; 3], [u64; 3]); 5] = [
    ("users", 200_000, [150, 215, 310], [4, 4, 4]),
    ("users_by_email", 200_000, [86, 103, 124], [2, 2, 2]),
    ("jobs", 40, [9_887_088, 74_975_550, 155_469_300], [51_012, 315_852, 654_949]),
    ("readings", 90_000, [35_425, 42_510, 51_012], [1_331, 1_597, 1_916]),
    ("views", 5_000, [61, 73, 86], [1, 1, 1]),
];

/// Writes the folder of one node.
fn write_folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("helenus-{name}-{}", std::process::id()));
    let node = folder.join("10.0.0.1");
    fs::create_dir_all(&node).expect("a temporary folder");
    let mut stats = String::from(
        "Total number of tables: 5\n----------------\nKeyspace: shop\n\tRead Count: 1\n",
    );
    let mut histograms = String::new();
    for (table, partitions, bytes, cells) in TABLES {
        let _ = write!(
            stats,
            "\t\tTable: {table}\n\t\tSSTable count: 4\n\t\tNumber of partitions (estimate): {partitions}\n\
             \t\tLocal read count: 4320000\n\t\tLocal write count: 8640000\n\
             \t\tCompacted partition minimum bytes: {0}\n\t\tCompacted partition maximum bytes: {1}\n\
             \t\tCompacted partition mean bytes: {0}\n\n",
            bytes[0], bytes[2]
        );
        let _ = writeln!(
            histograms,
            "shop/{table} histograms\nPercentile      Read Latency     Write Latency          SSTables    Partition Size        Cell Count\n\
             \x20                   (micros)          (micros)                             (bytes)                  "
        );
        let (b, c) = (bytes, cells);
        for (percentile, at) in
            [("50%", 0), ("75%", 0), ("95%", 1), ("98%", 1), ("99%", 1), ("Min", 0), ("Max", 2)]
        {
            let _ = writeln!(
                histograms,
                "{percentile}                  50.00             35.00              1.00              {}                {}",
                b[at], c[at]
            );
        }
        histograms.push('\n');
    }
    stats.push_str("----------------\n");
    let mut log = String::new();
    for second in 0..100_u64 {
        for statement in STATEMENTS {
            let _ = write!(
                log,
                "Type: single-query\nQuery start time: {}\nProtocol version: 5\nGenerated timestamp:-9223372036854775808\n\
                 Generated nowInSeconds:1795001600\nQuery: {statement}\nValues:\n\n",
                1_795_001_600_000 + second * 1_000
            );
        }
    }
    let files = [
        ("schema.cql", SCHEMA),
        ("tablestats.txt", &stats),
        ("tablehistograms.txt", &histograms),
        ("fql.txt", &log),
        (
            "info.txt",
            "ID                     : 948f9c05-569b-4e84-885e-e90fa8775b01\nGossip active          : true\nUptime (seconds)       : 864000\n",
        ),
    ];
    for (file, text) in files {
        fs::write(node.join(file), text).expect("a file of it");
    }
    folder
}

/// A folder that is designed, written to another, is read again, and serves what was filtered.
#[test]
fn a_support_folder_becomes_a_design() {
    let folder = write_folder("redesign");
    let output = helenus(&["design", "--from-doctor", folder.to_str().unwrap(), "--json"]);
    let (text, errors) =
        (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    // A queue is refused, and nothing else.
    assert_eq!(output.status.code(), Some(1), "{text}\n{errors}");
    let design: Value = serde_json::from_str(&text).unwrap();
    let model = design["model"].as_str().unwrap();
    for line in [
        "-- evidence: users_by_email is a copy of users",
        "-- left out: day of readings",
        "-- name: UsersByCountry :many\n-- @rate 1/s",
        "-- not translated: it reads ranges of tokens",
        "@retain 7776000s",
        "-- @rows 200k\nCREATE TABLE users",
        "UPDATE views SET views = views + ?",
    ] {
        assert!(model.contains(line), "{line}\n{model}");
    }
    let notes = design["notes"].as_array().unwrap().iter();
    let refused: Vec<&Value> = notes.filter(|note| note["kind"] == "refusal").collect();
    assert_eq!(refused.len(), 1, "{refused:?}");
    assert!(refused[0].to_string().contains("JobsByQueue"), "{refused:?}");
    check_in_postgres(model);
    let _ = fs::remove_dir_all(&folder);
}

/// The output folder has the model file, an edited one is not overwritten, and a stored report has
/// the same model.
#[test]
fn the_model_is_written_once() {
    let folder = write_folder("redesign-files");
    let out = folder.with_extension("out");
    let paths = [folder.to_str().unwrap(), out.to_str().unwrap()];
    let run = || helenus(&["design", "--from-doctor", paths[0], "-o", paths[1]]);
    let first = run();
    assert_eq!(first.status.code(), Some(1), "{}", String::from_utf8_lossy(&first.stderr));
    assert!(String::from_utf8_lossy(&first.stdout).starts_with("The drafted model is in"));
    let queries = fs::read_to_string(out.join("queries.cql")).unwrap();
    assert!(queries.contains("users_by_country WHERE country = ?"), "{queries}");
    assert!(!queries.contains("ALLOW FILTERING"), "{queries}");
    let file = out.join("model.sql");
    let model = fs::read_to_string(&file).unwrap();
    let again = helenus(&["design", file.to_str().unwrap()]);
    assert_eq!(again.status.code(), Some(1), "{}", String::from_utf8_lossy(&again.stderr));
    let report = helenus(&["doctor", paths[0], "--json"]);
    let stored = folder.with_extension("json");
    fs::write(&stored, &report.stdout).unwrap();
    let restored = helenus(&["design", "--from-doctor", stored.to_str().unwrap(), "--json"]);
    let design: Value = serde_json::from_slice(&restored.stdout).unwrap();
    assert_eq!(design["model"].as_str(), Some(&*model));
    fs::write(&file, model + "-- edited\n").unwrap();
    assert_eq!(run().status.code(), Some(2));
    let unknown = helenus(&["design", "--from-doctor", paths[0], "--keyspace", "shops"]);
    assert_eq!(unknown.status.code(), Some(2));
    let _ = (fs::remove_dir_all(&folder), fs::remove_dir_all(&out), fs::remove_file(&stored));
}

/// Names that SQL reserves are plain ones in CQL: they are quoted in the draft, run in the proof, and
/// stay quoted in what the report asks for.
#[test]
fn reserved_words_are_quoted() {
    let folder = std::env::temp_dir().join(format!("helenus-reserved-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a temporary folder");
    let schema = "CREATE KEYSPACE shop WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1};
        CREATE TABLE shop.events (user int, at timestamp, \"order\" text, \"group\" text, PRIMARY KEY (user, at));
        CREATE TABLE shop.user (user uuid PRIMARY KEY, \"table\" text);";
    let statements = [
        "INSERT INTO shop.events (user, at, \"order\", \"group\") VALUES (?, ?, ?, ?)",
        "SELECT at, \"order\" FROM shop.events WHERE user = ?",
        "SELECT at FROM shop.events WHERE \"group\" = ? ALLOW FILTERING",
        "INSERT INTO shop.user (user, \"table\") VALUES (?, ?)",
        "UPDATE shop.user SET \"table\" = ? WHERE user = ?",
        "SELECT * FROM shop.user WHERE user = ?",
    ];
    let mut log = String::new();
    for statement in statements {
        let _ = writeln!(
            log,
            "Type: single-query\nQuery start time: 1795001600000\nProtocol version: 5\nQuery: {statement}\nValues:\n"
        );
    }
    fs::write(folder.join("schema.cql"), schema).expect("a file of it");
    fs::write(folder.join("fql.txt"), log).expect("a file of it");
    let out = folder.join("out");
    let paths = [folder.to_str().unwrap(), out.to_str().unwrap()];
    let output = helenus(&["design", "--from-doctor", paths[0], "-o", paths[1], "--full"]);
    let (text, errors) =
        (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.status.code(), Some(0), "{text}\n{errors}");
    for part in [
        "proof: passed (3 of 3 queries, 3 of 3 writes",
        "SELECT count(DISTINCT \"user\") FROM events",
        "CHECK (\"group\" <> '')",
    ] {
        // Lines are fitted to the width.
        let joined = text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(joined.contains(part), "{part}\n{text}");
    }
    check_in_postgres(&fs::read_to_string(out.join("model.sql")).unwrap());
    let _ = fs::remove_dir_all(&folder);
}

/// Loads the tables of a model file into `PostgreSQL`, where it is installed.
fn check_in_postgres(model: &str) {
    let Some(cluster) = postgres::cluster() else { return };
    postgres::load_schema(cluster, model).unwrap_or_else(|error| panic!("{error}\n{model}"));
}
