//! The events by which drivers learn what changed in the schema: those of a node, and of restored snapshots.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use wire::{
    DecodedFrame, Event, EventKind, ProtocolVersion, QueryOptions, Request, RequestHead, Response,
    SchemaChange, frame,
};

use super::Server;
use crate::cassandra;

const KEYSPACE: &str =
    "CREATE KEYSPACE ev WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}";
const LAST: &str = "CREATE KEYSPACE ev_last WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}";

/// Statements with their events, as a node sends them.
const STATEMENTS: [(&str, &[&str]); 16] = [
    (KEYSPACE, &["CREATED KEYSPACE ev"]),
    ("CREATE TYPE ev.ty (a int)", &["CREATED TYPE ev.ty"]),
    ("CREATE TABLE ev.t (k int PRIMARY KEY, v frozen<ty>, w int)", &["CREATED TABLE ev.t"]),
    ("CREATE TABLE IF NOT EXISTS ev.t (k int PRIMARY KEY)", &[]),
    ("CREATE INDEX i ON ev.t (w)", &["UPDATED TABLE ev.t"]),
    (
        "CREATE MATERIALIZED VIEW ev.mv AS SELECT * FROM ev.t WHERE w IS NOT NULL AND k IS NOT NULL PRIMARY KEY (w, k)",
        &["CREATED TABLE ev.mv"],
    ),
    (
        "CREATE FUNCTION ev.f (a int, b int) CALLED ON NULL INPUT RETURNS int LANGUAGE java AS 'return a;'",
        &["CREATED FUNCTION ev.f(int, int)"],
    ),
    (
        "CREATE AGGREGATE ev.ag (int) SFUNC f STYPE int INITCOND 0",
        &["CREATED AGGREGATE ev.ag(int)"],
    ),
    (
        "ALTER TYPE ev.ty ADD b text",
        &["UPDATED TYPE ev.ty", "UPDATED TABLE ev.t", "UPDATED TABLE ev.mv"],
    ),
    ("ALTER TABLE ev.t ADD z int", &["UPDATED TABLE ev.t", "UPDATED TABLE ev.mv"]),
    ("ALTER KEYSPACE ev WITH durable_writes = false", &["UPDATED KEYSPACE ev"]),
    (
        "CREATE OR REPLACE FUNCTION ev.f (a int, b int) CALLED ON NULL INPUT RETURNS int LANGUAGE java AS 'return b;'",
        &["UPDATED FUNCTION ev.f(int, int)"],
    ),
    ("DROP INDEX ev.i", &["UPDATED TABLE ev.t"]),
    (
        "ALTER TYPE ev.ty RENAME a TO c",
        &["UPDATED TYPE ev.ty", "UPDATED TABLE ev.t", "UPDATED TABLE ev.mv"],
    ),
    (
        "DROP KEYSPACE ev",
        &[
            "DROPPED AGGREGATE ev.ag(int)",
            "DROPPED FUNCTION ev.f(int, int)",
            "DROPPED TABLE ev.mv",
            "DROPPED TABLE ev.t",
            "DROPPED TYPE ev.ty",
            "DROPPED KEYSPACE ev",
        ],
    ),
    (LAST, &["CREATED KEYSPACE ev_last"]),
];

struct EventConnection {
    stream: TcpStream,
    received: Vec<u8>,
}

impl EventConnection {
    fn open(address: SocketAddr, registers: bool) -> Self {
        let stream = TcpStream::connect(address).expect("the server listens");
        stream.set_read_timeout(Some(Duration::from_secs(30))).expect("a time limit can be set");
        let mut connection = Self { stream, received: Vec::new() };
        connection.ask(&Request::Startup(vec![("CQL_VERSION", "3.0.0")]));
        if registers {
            connection.ask(&Request::Register(vec![EventKind::SchemaChange]));
        }
        connection
    }

    fn ask(&mut self, request: &Request<'_>) {
        let mut bytes = Vec::new();
        request.encode(&RequestHead::new(ProtocolVersion::V4, 0), &mut bytes);
        self.stream.write_all(&bytes).expect("the server reads");
        self.receive(|answer| assert!(!matches!(answer, Response::Error(_)), "{answer:?}"));
    }

    fn run(&mut self, text: &str) {
        self.ask(&Request::Query(text, QueryOptions::default()));
    }

    fn receive<T>(&mut self, look: impl FnOnce(&Response<'_>) -> T) -> T {
        loop {
            if let DecodedFrame::Frame(frame, length) =
                frame::decode(&self.received, frame::RESPONSE_LIMIT)
            {
                let seen = look(&Response::decode(&frame).expect("a whole answer").1);
                self.received.drain(..length);
                return seen;
            }
            let mut chunk = [0; 16 * 1024];
            let count = self.stream.read(&mut chunk).expect("the events come in time");
            assert!(count > 0, "the connection was closed");
            self.received.extend(&chunk[..count]);
        }
    }

    /// The events up to the last.
    fn events(&mut self) -> Vec<String> {
        let mut events = Vec::new();
        while events.last().is_none_or(|last| last != "CREATED KEYSPACE ev_last") {
            events.push(self.receive(|answer| match answer {
                Response::Event(Event::Schema(change)) => describe(change),
                other => panic!("{other:?}"),
            }));
        }
        events
    }
}

fn describe(change: &SchemaChange) -> String {
    use wire::ChangeTarget::{Aggregate, Function};
    let SchemaChange { change, keyspace, target } = change;
    let name = target.name().map_or(String::new(), |name| format!(".{name}"));
    let arguments = match target {
        Function(_, types) | Aggregate(_, types) => format!("({})", types.join(", ")),
        _ => String::new(),
    };
    format!("{} {} {keyspace}{name}{arguments}", change.name(), target.kind())
}

fn check(address: SocketAddr) {
    let mut events = EventConnection::open(address, true);
    let mut connection = EventConnection::open(address, false);
    for (text, _) in STATEMENTS {
        connection.run(text);
    }
    let expected: Vec<_> = STATEMENTS.iter().flat_map(|(_, events)| events.iter()).collect();
    assert_eq!(
        events.events().iter().map(String::as_str).collect::<Vec<_>>(),
        expected.into_iter().copied().collect::<Vec<_>>()
    );
    connection.run("DROP KEYSPACE ev_last");
}

#[test]
fn statements_cause_the_events_of_a_node() {
    check(Server::start().address);
    if let Some(node) = cassandra::node() {
        check(node);
    }
}

#[test]
fn restored_snapshots_cause_events() {
    let server = Server::start_with(&["--test-hooks"]);
    let mut connection = EventConnection::open(server.address, false);
    let restore =
        |name: &str| format!("UPDATE helenus.snapshots SET restored = true WHERE name = '{name}'");
    connection.run("INSERT INTO helenus.snapshots (name) VALUES ('empty')");
    for (text, _) in &STATEMENTS[..8] {
        connection.run(text);
    }
    connection.run("INSERT INTO helenus.snapshots (name) VALUES ('full')");
    connection.run("INSERT INTO ev.t (k, w) VALUES (1, 1)");
    let mut events = EventConnection::open(server.address, true);
    // Only rows differ.
    connection.run(&restore("full"));
    connection.run("ALTER TABLE ev.t ADD z int");
    connection.run("DROP AGGREGATE ev.ag");
    connection.run(&restore("full"));
    connection.run(&restore("empty"));
    connection.run(&restore("full"));
    connection.run(LAST);
    assert_eq!(
        events.events(),
        [
            "UPDATED TABLE ev.t",
            "UPDATED TABLE ev.mv",
            "DROPPED AGGREGATE ev.ag(int)",
            "CREATED AGGREGATE ev.ag(int)",
            "UPDATED TABLE ev.t",
            "UPDATED TABLE ev.mv",
            "DROPPED AGGREGATE ev.ag(int)",
            "DROPPED FUNCTION ev.f(int, int)",
            "DROPPED TABLE ev.mv",
            "DROPPED TABLE ev.t",
            "DROPPED TYPE ev.ty",
            "DROPPED KEYSPACE ev",
            "CREATED KEYSPACE ev",
            "CREATED TYPE ev.ty",
            "CREATED TABLE ev.t",
            "CREATED TABLE ev.mv",
            "CREATED FUNCTION ev.f(int, int)",
            "CREATED AGGREGATE ev.ag(int)",
            "CREATED KEYSPACE ev_last",
        ]
    );
}
