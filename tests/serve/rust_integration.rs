//! The helper for Rust, `integrations/rust`, with the `scylla` driver.

use std::time::Duration;

use scylla::client::session::Session;
use scylla::client::session_builder::SessionBuilder;

#[expect(dead_code, unreachable_pub, reason = "it is a crate of its own")]
#[path = "../../integrations/rust/src/lib.rs"]
mod helenus_test;

use helenus_test::Server;

async fn count(session: &Session) -> usize {
    let rows = session.query_unpaged("SELECT * FROM shop.carts", &[]).await.expect("the rows");
    rows.into_rows_result().expect("there are rows").rows_num()
}

#[test]
fn the_rust_helper_restores_the_data() {
    // The helper looks for the program in its environment; tests share this process.
    let schema = concat!(env!("CARGO_MANIFEST_DIR"), "/../../integrations/go/schema.cql");
    let Ok(server) = Server::start_program(env!("CARGO_BIN_EXE_helenus"), &["--init", schema])
    else {
        panic!("the server does not start")
    };
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let session = SessionBuilder::new().known_node(server.address.to_string());
        let session = session.build().await.unwrap();
        let run = async |text: String| session.query_unpaged(text, &[]).await;
        run(helenus_test::take_snapshot("it's empty")).await.unwrap();
        let insert = "INSERT INTO shop.carts (customer, items) VALUES ('helen', 3) USING TTL 60";
        run(insert.to_owned()).await.unwrap();
        assert_eq!(count(&session).await, 1);
        run(helenus_test::advance_clock(Duration::from_secs(61))).await.unwrap();
        assert_eq!(count(&session).await, 0);
        run(helenus_test::reset_clock().to_owned()).await.unwrap();
        assert_eq!(count(&session).await, 1);
        run(helenus_test::restore_snapshot("it's empty")).await.unwrap();
        assert_eq!(count(&session).await, 0);
        run(helenus_test::add_fault("overloaded", "carts", 1)).await.unwrap();
        assert!(run(insert.to_owned()).await.is_err());
        run(helenus_test::clear_faults().to_owned()).await.unwrap();
        assert!(run(insert.to_owned()).await.is_ok());
    });
}
