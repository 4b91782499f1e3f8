//! `helenus explain --on`: on a served engine and on a real node, whose traces say how many rows were read.

use std::net::SocketAddr;
use std::process::{Command, Output};

use cluster::{Connection, ConnectionOptions};

use crate::cassandra;
use crate::clients::Server;

#[test]
fn a_served_engine_explains_itself() {
    let server = Server::start();
    explain_all(server.address);
}

#[test]
fn a_real_node_explains_itself() {
    let Some(node) = cassandra::node() else { return };
    explain_all(node);
}

fn explain_all(address: SocketAddr) {
    let options = ConnectionOptions::from_contact_points(&address.to_string()).expect("an address");
    let mut connection = Connection::open(&options).expect("it answers");
    let mut run =
        |cql: &str| drop(connection.run(cql, &[]).unwrap_or_else(|error| panic!("{cql}: {error}")));
    run("DROP KEYSPACE IF EXISTS explained");
    run(
        "CREATE KEYSPACE explained WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}",
    );
    run("CREATE TABLE explained.visits (page text, at int, who text, PRIMARY KEY (page, at))");
    for at in 0..30 {
        run(&format!("INSERT INTO explained.visits (page, at, who) VALUES ('home', {at}, 'x')"));
    }
    for at in 0..10 {
        run(&format!("DELETE FROM explained.visits WHERE page = 'home' AND at = {at}"));
    }
    a_read_is_foretold_and_happens(address);
    pages_are_bounded(address);
    writes_need_consent(address, &mut connection);
    sessions_are_explained(address);
    connection.run("DROP KEYSPACE explained", &[]).expect("it is there");
}

fn a_read_is_foretold_and_happens(address: SocketAddr) {
    let query = "SELECT * FROM explained.visits WHERE page = 'home'";
    let output = explain(address, &["--json", query]);
    let object = object(&output);
    assert_eq!(object["answer"]["rows"], 20, "{object:#}");
    assert_eq!(object["foretold"]["path"]["partitions"]["count"], 1);
    assert_eq!(object["trace"]["reads"]["liveRows"], 20, "{object:#}");
    assert_eq!(object["trace"]["isComplete"], true);
    let steps = object["trace"]["steps"].as_array().expect("steps");
    assert!(steps.len() > 5, "{object:#}");
    let own: u64 = steps.iter().filter_map(|step| step["ownMicros"].as_u64()).sum();
    let gaps = object["trace"]["unaccountedMicros"].as_u64().expect("a number");
    assert_eq!(Some(own + gaps), object["trace"]["durationMicros"].as_u64());
    let text = String::from_utf8(explain(address, &["--width", "80", query]).stdout).expect("text");
    assert!(text.contains("foretold") && text.contains("happened"), "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 110), "{text}");
}

fn pages_are_bounded(address: SocketAddr) {
    let query = "SELECT * FROM explained.visits WHERE page = 'home'";
    let object = object(&explain(address, &["--json", "--page-size", "5", query]));
    assert_eq!(object["answer"]["rows"], 5);
    assert_eq!(object["answer"]["hasMorePages"], true);
}

fn writes_need_consent(address: SocketAddr, connection: &mut Connection) {
    let query = "DELETE FROM explained.visits WHERE page = 'home' AND at = 29";
    let refused = explain(address, &[query]);
    assert_eq!(refused.status.code(), Some(2));
    let message = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(message.contains("--execute"), "{message}");
    let mut count = || {
        let rows = "SELECT at FROM explained.visits WHERE page = 'home' AND at = 29";
        connection.run(rows, &[]).expect("it answers").rows.len()
    };
    assert_eq!(count(), 1, "nothing was deleted");
    let done = explain(address, &["--execute", query]);
    assert_eq!(done.status.code(), Some(0), "{}", String::from_utf8_lossy(&done.stderr));
    assert_eq!(count(), 0);
    for refused in ["TRUNCATE explained.visits", "DROP TABLE explained.visits", "USE explained"] {
        assert_eq!(explain(address, &["--execute", refused]).status.code(), Some(2), "{refused}");
    }
}

fn sessions_are_explained(address: SocketAddr) {
    let query = "SELECT * FROM explained.visits WHERE page = 'home'";
    let first = object(&explain(address, &["--json", query]));
    let session = first["trace"]["session"].as_str().expect("an id");
    let again = object(&explain(address, &["--json", "--trace", session]));
    assert_eq!(again["traces"][0]["durationMicros"], first["trace"]["durationMicros"]);
    let absent = explain(address, &["--trace", "00000000-0000-1000-8000-000000000000"]);
    assert_eq!(absent.status.code(), Some(2));
}

fn explain(address: SocketAddr, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_helenus"))
        .args(["explain", "--on", &address.to_string()])
        .args(arguments)
        .output()
        .expect("the command runs")
}

fn object(output: &Output) -> serde_json::Value {
    let error = String::from_utf8_lossy(&output.stderr);
    serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("no JSON: {error}"))
}
