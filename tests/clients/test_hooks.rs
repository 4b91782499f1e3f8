//! The tables by which tests control the server, from the Python and the Rust driver.

use scylla::client::session::Session;
use scylla::client::session_builder::SessionBuilder;
use scylla::errors::{DbError, ExecutionError, RequestAttemptError};

use super::{Server, python_driver, python_environment};

#[test]
fn the_python_driver_controls_the_server() {
    let Some(programs) = python_environment::programs() else { return };
    let _alone = python_environment::lock_python();
    let server = Server::start_with(&["--test-hooks"]);
    python_driver::run_on(programs, "test_hooks.py", server.address);
}

#[test]
fn the_rust_driver_controls_the_server() {
    let server = Server::start_with(&["--test-hooks"]);
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .expect("the server answers");
    runtime.block_on(async {
        let session = SessionBuilder::new().known_node(server.address.to_string());
        control(&session.build().await.expect("the driver connects")).await;
    });
}

async fn control(session: &Session) {
    for text in [
        "CREATE KEYSPACE ks WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}",
        "CREATE TABLE ks.t (k int PRIMARY KEY, v text)",
        "INSERT INTO helenus.snapshots (name) VALUES ('empty')",
        "INSERT INTO ks.t (k, v) VALUES (1, 'a') USING TTL 60",
        "UPDATE helenus.clock SET advance = 59s WHERE key = 'local'",
    ] {
        session.query_unpaged(text, &[]).await.expect(text);
    }
    assert_eq!(count(session).await, 1);
    let advance = "UPDATE helenus.clock SET advance = 2s WHERE key = 'local'";
    session.query_unpaged(advance, &[]).await.expect(advance);
    assert_eq!(count(session).await, 0, "the row has expired");
    let insert =
        session.prepare("INSERT INTO ks.t (k, v) VALUES (?, ?)").await.expect("the server answers");
    session.execute_unpaged(&insert, (2, "b")).await.expect("the server answers");
    let fault = session
        .prepare("INSERT INTO helenus.faults (name, kind, table_name, count) VALUES (?, ?, ?, ?)")
        .await
        .expect("the server answers");
    session
        .execute_unpaged(&fault, ("a", "unavailable", "t", 1))
        .await
        .expect("the server answers");
    match session.execute_unpaged(&insert, (3, "c")).await {
        Err(ExecutionError::LastAttemptError(RequestAttemptError::DbError(
            DbError::Unavailable { required: 1, alive: 0, .. },
            _,
        ))) => {}
        other => panic!("{other:?}"),
    }
    session.execute_unpaged(&insert, (3, "c")).await.expect("the fault hits once");
    assert_eq!(count(session).await, 2);
    let restore = session.prepare("UPDATE helenus.snapshots SET restored = true WHERE name = ?");
    session
        .execute_unpaged(&restore.await.expect("the server answers"), ("empty",))
        .await
        .expect("the server answers");
    assert_eq!(count(session).await, 0);
}

async fn count(session: &Session) -> usize {
    let rows = session.query_unpaged("SELECT k FROM ks.t", &[]).await.expect("the server answers");
    rows.into_rows_result().expect("the server answers").rows_num()
}

#[test]
fn without_the_option_there_is_no_trace_of_the_keyspace() {
    let server = Server::start();
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .expect("the server answers");
    runtime.block_on(async {
        let session = SessionBuilder::new().known_node(server.address.to_string());
        let session = session.build().await.expect("the driver connects");
        for table in ["system_schema.keyspaces", "system_virtual_schema.keyspaces"] {
            let text = format!("SELECT keyspace_name FROM {table}");
            let rows = session.query_unpaged(text, &[]).await.expect("the server answers").into_rows_result().expect("the server answers");
            let names = rows.rows::<(String,)>().expect("the server answers").map(|row| row.expect("the server answers").0);
            assert!(names.into_iter().all(|name| name != "helenus"), "{table}");
        }
        let text = "CREATE KEYSPACE helenus WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}";
        session.query_unpaged(text, &[]).await.expect("the name is free");
        let text = "CREATE TABLE helenus.clock (key text PRIMARY KEY, v int)";
        session.query_unpaged(text, &[]).await.expect("the name is free");
        let text = "INSERT INTO helenus.clock (key, v) VALUES ('local', 1)";
        session.query_unpaged(text, &[]).await.expect("it is a table like any other");
        let text = "SELECT v FROM helenus.clock";
        let rows = session.query_unpaged(text, &[]).await.expect("the server answers").into_rows_result().expect("the server answers");
        assert_eq!(rows.rows_num(), 1);
    });
}
