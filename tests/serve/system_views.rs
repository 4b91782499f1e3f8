//! Tables of `system_views` that show what the server does and holds at the moment.

use std::thread;
use std::time::{Duration, Instant};

use super::process::{ServerProcess, connect, rows};
use crate::protocol::{Connection, Options};

fn run(connection: &mut Connection, text: &str) {
    let outcome = connection.query(text, &Options::default()).expect("the server answers");
    assert!(outcome.result.is_ok(), "{:?}", outcome.result);
}

/// A server with a table, and a connection to it.
fn start() -> (ServerProcess, Connection) {
    let server = ServerProcess::start(&["--port", "0", "--test-hooks"], &[]);
    let mut connection = connect(server.port());
    run(
        &mut connection,
        "CREATE KEYSPACE k WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}",
    );
    run(&mut connection, "CREATE TABLE k.t (k int, c int, v text, PRIMARY KEY (k, c))");
    (server, connection)
}

/// The tasks of `system_views.queries` that contain a text.
fn list_tasks(connection: &mut Connection, part: &str) -> Vec<String> {
    let tasks = rows(connection, "SELECT task FROM system_views.queries");
    let tasks = tasks
        .into_iter()
        .flatten()
        .flatten()
        .map(|task| String::from_utf8_lossy(&task).into_owned());
    tasks.filter(|task| task.contains(part)).collect()
}

#[test]
fn running_statements_are_listed() {
    let (server, mut connection) = start();
    let slow = "INSERT INTO helenus.faults (name, kind, keyspace_name, table_name, delay_ms) \
                VALUES ('slow', 'slow', 'k', 't', 3000)";
    run(&mut connection, slow);
    let port = server.port();
    let running = thread::spawn(move || {
        run(&mut connect(port), "SELECT v FROM k.t WHERE c = 42 ALLOW FILTERING");
    });
    let began = Instant::now();
    let found = loop {
        let found = list_tasks(&mut connection, "c = 42");
        if !found.is_empty() || began.elapsed() > Duration::from_secs(3) {
            break found;
        }
        thread::sleep(Duration::from_millis(10));
    };
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].starts_with("QUERY SELECT v FROM k.t WHERE c = 42"), "{found:?}");
    running.join().expect("the statement ends");
    assert_eq!(list_tasks(&mut connection, "c = 42"), Vec::<String>::new());
}

#[test]
fn the_size_of_the_largest_partition_is_shown() {
    let (_server, mut connection) = start();
    let read = |connection: &mut Connection| {
        let text = "SELECT mebibytes FROM system_views.max_partition_size WHERE keyspace_name = 'k' AND table_name = 't'";
        let found = rows(connection, text);
        let [Some(size)] = &found[0][..] else { panic!("{found:?}") };
        i64::from_be_bytes(size[..].try_into().expect("a bigint"))
    };
    assert_eq!(read(&mut connection), 0);
    let value = "x".repeat(500_000);
    for (key, count) in [(1, 2), (2, 7), (3, 1)] {
        for row in 0..count {
            run(
                &mut connection,
                &format!("INSERT INTO k.t (k, c, v) VALUES ({key}, {row}, '{value}')"),
            );
        }
    }
    // Not 5, which all partitions have together.
    assert_eq!(read(&mut connection), 4);
    run(&mut connection, "DELETE FROM k.t WHERE k = 2");
    assert_eq!(read(&mut connection), 1);
    run(&mut connection, "TRUNCATE k.t");
    assert_eq!(read(&mut connection), 0);
}
