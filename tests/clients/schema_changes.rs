//! Schema statements while prepared statements run: every request is answered, and the server still ends when told to.
//!
//! A prepared statement runs under the lock that schema statements wait for; taken twice by one thread, it stops the node
//! for good. It takes many requests in flight to see that.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use wire::{
    DecodedFrame, MarkerValue, MarkerValues, ProtocolVersion, QueryOptions, Request, RequestHead,
    Response, frame,
};

use super::server::parse_address;

/// Connections that write and read.
const CONNECTIONS: usize = 16;
/// Requests that each has sent and not seen answered: 64 in all.
const IN_FLIGHT: usize = 4;
/// How long the load goes on.
const LOAD_TIME: Duration = Duration::from_secs(3);
/// How long an answer may take: in `group` mode writes of one connection wait a second each.
const ANSWER_MAX: Duration = Duration::from_secs(30);
/// How long the server may take to end.
const STOP_MAX: Duration = Duration::from_secs(10);

#[test]
fn schema_changes_do_not_stop_the_node_in_memory() {
    alter_under_load(&[]);
}

#[test]
fn schema_changes_do_not_stop_the_node_in_periodic_mode() {
    alter_under_load(&["--sync", "periodic"]);
}

#[test]
fn schema_changes_do_not_stop_the_node_in_group_mode() {
    alter_under_load(&["--sync", "group"]);
}

#[test]
fn schema_changes_do_not_stop_the_node_in_batch_mode() {
    alter_under_load(&["--sync", "batch"]);
}

/// Clients write and read prepared while another creates, alters and drops tables as fast as it can.
fn alter_under_load(sync: &[&str]) {
    let server = StoppableServer::start(sync);
    let mut admin = PipelinedConnection::open(server.address);
    for text in [
        "CREATE KEYSPACE ks WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}",
        "CREATE TABLE ks.t (k int, c int, v text, PRIMARY KEY (k, c))",
    ] {
        admin.query(text);
    }
    let is_over = AtomicBool::new(false);
    let (answered, changes) = (AtomicUsize::new(0), AtomicUsize::new(0));
    thread::scope(|scope| {
        let clients: Vec<_> = (0..CONNECTIONS)
            .map(|client| {
                let (is_over, answered) = (&is_over, &answered);
                scope.spawn(move || {
                    answered
                        .fetch_add(run_client(server.address, client, is_over), Ordering::Relaxed);
                })
            })
            .collect();
        let started = Instant::now();
        while started.elapsed() < LOAD_TIME {
            for text in [
                "CREATE TABLE ks.other (k int PRIMARY KEY, v text)",
                "ALTER TABLE ks.other ADD w int",
                "CREATE INDEX ON ks.other (w)",
                "ALTER TABLE ks.t WITH comment = 'altered'",
                "ALTER TABLE ks.t WITH comment = ''",
                "DROP TABLE ks.other",
            ] {
                admin.query(text);
                changes.fetch_add(1, Ordering::Relaxed);
            }
        }
        is_over.store(true, Ordering::Relaxed);
        for client in clients {
            client.join().expect("every request is answered");
        }
    });
    assert!(answered.into_inner() >= CONNECTIONS * IN_FLIGHT);
    assert!(changes.into_inner() >= 6);
    server.stop();
}

/// Sends rounds of prepared statements until it is over; how many were answered.
fn run_client(address: SocketAddr, client: usize, is_over: &AtomicBool) -> usize {
    let mut connection = PipelinedConnection::open(address);
    let statements = [
        "INSERT INTO ks.t (k, c, v) VALUES (?, ?, 'inserted')",
        "UPDATE ks.t SET v = 'updated' WHERE k = ? AND c = ?",
        "SELECT v FROM ks.t WHERE k = ? AND c = ?",
        "INSERT INTO ks.t (k, c) VALUES (?, ?)",
    ];
    let ids = statements.map(|text| connection.prepare(text));
    let key = i32::try_from(client).expect("few clients").to_be_bytes();
    let mut answered = 0;
    while !is_over.load(Ordering::Relaxed) {
        let mut bytes = Vec::new();
        for (stream, id) in (0..).zip(ids.iter().cycle().take(IN_FLIGHT)) {
            let row = i16::to_be_bytes(stream);
            let row = [0, 0, row[0], row[1]];
            let values =
                MarkerValues::Positional(vec![MarkerValue::Bytes(&key), MarkerValue::Bytes(&row)]);
            let options = QueryOptions { values, ..QueryOptions::default() };
            Request::Execute(id, options)
                .encode(&RequestHead::new(ProtocolVersion::V4, stream), &mut bytes);
        }
        connection.stream.write_all(&bytes).expect("the server reads");
        for _ in 0..IN_FLIGHT {
            connection.with_answer(|answer| {
                assert!(!matches!(answer, Response::Error(_)), "{answer:?}");
            });
            answered += 1;
        }
    }
    answered
}

/// A connection that sends several requests before it reads their answers.
struct PipelinedConnection {
    stream: TcpStream,
    received: Vec<u8>,
}

impl PipelinedConnection {
    fn open(address: SocketAddr) -> Self {
        let stream = TcpStream::connect(address).expect("the server listens");
        stream.set_read_timeout(Some(ANSWER_MAX)).expect("a time limit can be set");
        stream.set_nodelay(true).expect("small packets can be sent");
        let mut connection = Self { stream, received: Vec::new() };
        connection.ask(&Request::Startup(vec![("CQL_VERSION", "3.0.0")]));
        connection
    }

    fn query(&mut self, text: &str) {
        let answer = self.ask(&Request::Query(text, QueryOptions::default()));
        assert!(!answer.starts_with("Error"), "{text}: {answer}");
    }

    fn prepare(&mut self, text: &str) -> Vec<u8> {
        self.send(&Request::Prepare(text, None));
        self.with_answer(|answer| match answer {
            Response::Prepared(prepared) => prepared.id.clone(),
            other => panic!("{text}: {other:?}"),
        })
    }

    fn ask(&mut self, request: &Request<'_>) -> String {
        self.send(request);
        self.with_answer(|answer| format!("{answer:?}"))
    }

    fn send(&mut self, request: &Request<'_>) {
        let mut bytes = Vec::new();
        request.encode(&RequestHead::new(ProtocolVersion::V4, 0), &mut bytes);
        self.stream.write_all(&bytes).expect("the server reads");
    }

    fn with_answer<T>(&mut self, look: impl FnOnce(&Response<'_>) -> T) -> T {
        loop {
            if let DecodedFrame::Frame(frame, length) =
                frame::decode(&self.received, frame::RESPONSE_LIMIT)
            {
                let seen = look(&Response::decode(&frame).expect("a whole answer").1);
                self.received.drain(..length);
                return seen;
            }
            let mut chunk = [0; 16 * 1024];
            let count = self.stream.read(&mut chunk).expect("every request is answered in time");
            assert!(count > 0, "the connection was closed");
            self.received.extend(&chunk[..count]);
        }
    }
}

/// A server that is told to end by a signal, and asked how it ended.
struct StoppableServer {
    child: Child,
    address: SocketAddr,
    folder: Option<PathBuf>,
}

impl StoppableServer {
    fn start(sync: &[&str]) -> Self {
        let folder = sync.last().map(|mode| {
            std::env::temp_dir().join(format!("helenus-schema-{mode}-{}", std::process::id()))
        });
        let mut command = Command::new(env!("CARGO_BIN_EXE_helenus"));
        command.args(["serve", "--port", "0"]).args(sync).stdout(Stdio::piped());
        command.env("HELENUS_LOG", "/dev/null");
        if let Some(folder) = &folder {
            command.arg("--data").arg(folder);
        }
        let mut child = command.spawn().expect("the server starts");
        let mut line = vec![0; 400];
        let output = child.stdout.as_mut().expect("its output is ours");
        let count = output.read(&mut line).expect("its output can be read");
        let line = String::from_utf8_lossy(&line[..count]).into_owned();
        let address = parse_address(&line).unwrap_or_else(|| panic!("the server printed {line:?}"));
        Self { child, address, folder }
    }

    /// Sends SIGTERM, and waits for the server to end well.
    fn stop(mut self) {
        let kill = Command::new("kill").arg(self.child.id().to_string()).status();
        assert!(kill.expect("kill runs").success());
        let deadline = Instant::now() + STOP_MAX;
        loop {
            if let Some(status) = self.child.try_wait().expect("it can be waited for") {
                assert!(status.success(), "{status}");
                return;
            }
            assert!(Instant::now() < deadline, "SIGTERM does not end the server");
            thread::sleep(Duration::from_millis(20));
        }
    }
}

impl Drop for StoppableServer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        if let Some(folder) = &self.folder {
            let _ = std::fs::remove_dir_all(folder);
        }
    }
}
