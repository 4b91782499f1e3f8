//! `helenus doctor --on` on a cluster of two real nodes, and on what is left when one of them is ended.

use std::net::{Ipv4Addr, SocketAddr};
use std::time::{Duration, Instant};

use cluster::{Connection, ConnectionOptions, Request};
use serde_json::Value;

use super::helenus;
use super::laboratory::{int, run_many, text};
use crate::cassandra::{NodeHome, NodeSettings, separate_node};

const FIRST: &str = "127.0.0.1";
const SECOND: &str = "127.0.0.2";
/// Writes of each table: enough for a skew to count.
const WRITES: i32 = 12_000;
/// A key whose token is between those of the nodes, so that it is the second one's (a quarter of the ring).
const KEY: i32 = 7;

/// Time for the nodes to see each other.
const PATIENCE: Duration = Duration::from_secs(60);

/// Two nodes: the second has a quarter of the ring.
fn start() -> Option<(SocketAddr, NodeHome)> {
    let first = NodeSettings { name: "doctor-first", ..NodeSettings::SHARED };
    let (address, home) = separate_node(&first)?;
    let second = NodeSettings {
        name: "doctor-second",
        address: Ipv4Addr::new(127, 0, 0, 2),
        token: 1 << 62,
        seed: Some(&home),
        ..NodeSettings::SHARED
    };
    let (_, second) = separate_node(&second)?;
    Some((address, second))
}

fn load(address: SocketAddr) {
    let options = ConnectionOptions::from_contact_points(&address.to_string());
    let mut connection =
        Connection::open(&options.expect("an address")).expect("the first node listens");
    for statement in [
        "CREATE KEYSPACE one WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}",
        "CREATE KEYSPACE both WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 2}",
        "CREATE TABLE one.hot (k int, c int, v text, PRIMARY KEY (k, c))",
        "CREATE TABLE one.even (k int PRIMARY KEY, v text)",
        "CREATE TABLE both.even (k int PRIMARY KEY, v text)",
    ] {
        connection.run(statement, &[]).expect("the schema is valid");
    }
    await_both(&mut connection);
    let insert = "INSERT INTO one.hot (k, c, v) VALUES (?, ?, ?)";
    run_many(&mut connection, insert, (0..WRITES).map(|c| vec![int(KEY), int(c), text("v")]));
    for table in ["one.even", "both.even"] {
        let insert = format!("INSERT INTO {table} (k, v) VALUES (?, ?)");
        run_many(&mut connection, &insert, (0..WRITES).map(|k| vec![int(k), text("v")]));
    }
}

/// Waits until each node sees the other as up: quorums of two copies need both.
fn await_both(connection: &mut Connection) {
    let deadline = Instant::now() + PATIENCE;
    let insert = "INSERT INTO both.even (k, v) VALUES (?, ?)";
    let values: Vec<_> = (0..64).map(|k| [Some(int(k)), Some(text("v"))]).collect();
    let requests: Vec<_> = values.iter().map(|values| Request { cql: insert, values }).collect();
    while let Err(error) = connection.run_all(&requests) {
        assert!(Instant::now() < deadline, "the nodes do not see each other: {error}");
        std::thread::sleep(Duration::from_millis(200));
    }
}

fn diagnose(address: SocketAddr) -> Value {
    let output = helenus(&["doctor", "--on", &address.to_string(), "--json"]);
    let errors = String::from_utf8_lossy(&output.stderr);
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {errors}"))
}

/// The findings of a rule: table and nodes.
fn list<'a>(report: &'a Value, code: &str) -> Vec<(Option<&'a str>, Vec<&'a str>)> {
    let findings = report["findings"].as_array().expect("findings").iter();
    let of_rule = findings.filter(|finding| finding["code"] == code);
    of_rule
        .map(|finding| {
            let nodes = finding["nodes"].as_array().expect("nodes").iter();
            (finding["table"].as_str(), nodes.filter_map(Value::as_str).collect())
        })
        .collect()
}

#[test]
fn two_nodes_are_diagnosed_and_then_one() {
    let Some((address, second)) = start() else { return };
    load(address);
    let report = diagnose(address);
    let names = |report: &Value| report["nodes"].as_array().expect("nodes").len();
    assert_eq!(names(&report), 2, "{report:#}");
    // Three quarters of the ring, and everything of one table in the last quarter.
    assert_eq!(list(&report, "DR108"), [(None, vec![FIRST])], "{report:#}");
    assert_eq!(list(&report, "DR006"), [(Some("one.hot"), vec![SECOND])], "{report:#}");
    assert_eq!(list(&report, "DR120"), [(None, vec![FIRST, SECOND])], "{report:#}");
    for silent in ["DR102", "DR104", "DR106", "DR109", "DR110", "DR122"] {
        assert_eq!(list(&report, silent), [], "{silent}: {report:#}");
    }

    second.kill();
    let report = diagnose(address);
    assert_eq!(names(&report), 2, "{report:#}");
    assert_eq!(list(&report, "DR104"), [(None, vec![SECOND])], "{report:#}");
    let down = report["findings"].as_array().expect("findings").iter();
    let down = down.filter(|finding| finding["code"] == "DR104").collect::<Vec<_>>();
    assert_eq!(down[0]["severity"], "high", "{report:#}");
    // What the other tells is diagnosed: its tables, its settings, and the tokens of both.
    assert_eq!(list(&report, "DR108"), [(None, vec![FIRST])], "{report:#}");
    assert_eq!(list(&report, "DR120"), [(None, vec![FIRST])], "{report:#}");
    assert_eq!(list(&report, "DR102"), [], "{report:#}");
    let unknown = report["unknown"].to_string();
    assert!(unknown.contains("of 127.0.0.2: no response"), "{unknown}");
    let text = helenus(&["doctor", "--on", &address.to_string()]).stdout;
    let text = String::from_utf8_lossy(&text);
    assert!(text.contains("2 nodes (1 does not answer)"), "{text}");
}
