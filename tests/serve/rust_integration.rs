//! The helper for Rust, `integrations/rust`, with the `scylla` driver.

use std::net::TcpStream;
use std::time::{Duration, Instant};

use helenus_test::TestServer;
use scylla::client::session::Session;
use scylla::client::session_builder::SessionBuilder;

const INSERT: &str = "INSERT INTO shop.carts (customer, items) VALUES ('helen', 3) USING TTL 60";

async fn connect(server: &TestServer) -> Session {
    let session = SessionBuilder::new().known_node(server.address().to_string());
    session.build().await.expect("the driver connects")
}

async fn count(session: &Session) -> usize {
    let rows = session.query_unpaged("SELECT * FROM shop.carts", &[]).await.expect("the rows");
    rows.into_rows_result().expect("there are rows").rows_num()
}

fn run<T>(work: impl Future<Output = T>) -> T {
    let runtime =
        tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a runtime");
    runtime.block_on(work)
}

fn start() -> TestServer {
    let schema = concat!(env!("CARGO_MANIFEST_DIR"), "/../../integrations/go/schema.cql");
    let server = TestServer::start().expect("the server starts");
    server.run_file(schema).expect("the schema is valid");
    server
}

/// The threads of the servers in this process.
fn list_threads() -> Vec<String> {
    let tasks =
        std::fs::read_dir("/proc/self/task").expect("the threads of this process").flatten();
    let names = tasks.filter_map(|task| std::fs::read_to_string(task.path().join("comm")).ok());
    names.filter(|name| name.starts_with("helenus-")).collect()
}

#[test]
fn the_rust_helper_restores_the_data() {
    let server = start();
    run(async {
        let session = connect(&server).await;
        let empty = server.take_snapshot();
        session.query_unpaged(INSERT, &[]).await.unwrap();
        assert_eq!(count(&session).await, 1);
        server.advance_clock(Duration::from_secs(61)).unwrap();
        assert_eq!(count(&session).await, 0);
        server.reset_clock().unwrap();
        assert_eq!(count(&session).await, 1);
        server.restore_snapshot(&empty).unwrap();
        assert_eq!(count(&session).await, 0);
        server.add_fault("overloaded", "carts", 1).unwrap();
        assert!(session.query_unpaged(INSERT, &[]).await.is_err());
        server.add_fault("overloaded", "carts", 1).unwrap();
        server.clear_faults().unwrap();
        assert!(session.query_unpaged(INSERT, &[]).await.is_ok());
    });
}

#[test]
fn the_rust_helper_names_errors() {
    let server = start();
    let error = server.run("SELECT * FROM shop.carts; SELECT * FROM shop.cart;").unwrap_err();
    assert_eq!(error.to_string(), "table cart does not exist");
    let error = server.run("SELECT * FROM shop.carts; SELEC").unwrap_err();
    assert!(error.diagnostic.is_some(), "{error}");
    assert!(server.run_file("no such file").is_err());
}

#[test]
fn servers_in_a_process_are_apart_and_stop_when_they_are_dropped() {
    let address = {
        let (one, other) = (start(), TestServer::start().expect("the server starts"));
        run(async {
            let (one_session, other_session) = (connect(&one).await, connect(&other).await);
            one_session.query_unpaged(INSERT, &[]).await.unwrap();
            assert_eq!(count(&one_session).await, 1);
            assert!(other_session.query_unpaged(INSERT, &[]).await.is_err());
            // Dropped while a client is connected.
            let address = one.address();
            drop(one);
            assert!(one_session.query_unpaged(INSERT, &[]).await.is_err());
            assert!(other_session.query_unpaged("SELECT key FROM system.local", &[]).await.is_ok());
            address
        })
    };
    assert!(TcpStream::connect(address).is_err());
    // Other tests of this process may have servers of their own, but not for long.
    let deadline = Instant::now() + Duration::from_secs(20);
    while !list_threads().is_empty() {
        assert!(Instant::now() < deadline, "{:?}", list_threads());
        std::thread::sleep(Duration::from_millis(10));
    }
}
