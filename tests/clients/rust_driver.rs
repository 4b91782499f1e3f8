//! The Rust driver, which asks for all it wants to know by prepared statements.

use futures_util::TryStreamExt;
use scylla::client::Compression;
use scylla::client::session::Session;
use scylla::client::session_builder::SessionBuilder;
use scylla::cluster::metadata::{ColumnKind, ColumnType, NativeType};
use scylla::errors::{DbError, ExecutionError, RequestAttemptError};
use scylla::statement::batch::{Batch, BatchType};
use scylla::statement::unprepared::Statement;
use scylla::value::{CqlValue, MaybeUnset};

use super::Server;

#[test]
fn the_rust_driver_works() {
    for compression in [None, Some(Compression::Lz4), Some(Compression::Snappy)] {
        let server = Server::start();
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .enable_all()
            .build()
            .expect("the server answers");
        runtime.block_on(async {
            let session = SessionBuilder::new()
                .known_node(server.address.to_string())
                .compression(compression);
            let session = session.build().await.expect("the driver connects");
            create(&session).await;
            check_schema(&session).await;
            check_pages(&session).await;
            check_batches(&session).await;
            check_conditions(&session).await;
            check_refusals(&session).await;
        });
    }
}

async fn create(session: &Session) {
    for text in [
        "CREATE KEYSPACE ks WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}",
        "CREATE TYPE ks.pair (a int, b text)",
        "CREATE TABLE ks.t (k int, c int, v text, p frozen<pair>, PRIMARY KEY (k, c))",
    ] {
        session.query_unpaged(text, &[]).await.expect(text);
    }
    session.use_keyspace("ks", false).await.expect("USE");
    session.refresh_metadata().await.expect("the schema is read");
}

async fn check_schema(session: &Session) {
    let state = session.get_cluster_state();
    assert_eq!(state.get_nodes_info().len(), 1);
    let keyspace = state.get_keyspace("ks").expect("the keyspace is seen");
    assert!(keyspace.user_defined_types.contains_key("pair"));
    let table = &keyspace.tables["t"];
    assert_eq!(table.partition_key, ["k"]);
    assert_eq!(table.clustering_key, ["c"]);
    let column = &table.columns["c"];
    assert_eq!(column.kind, ColumnKind::Clustering);
    assert_eq!(column.typ, ColumnType::Native(NativeType::Int));
    session.await_schema_agreement().await.expect("the schema is agreed on");
}

async fn check_pages(session: &Session) {
    let insert = session
        .prepare("INSERT INTO t (k, c, v) VALUES (?, ?, ?)")
        .await
        .expect("the server answers");
    assert!(insert.is_token_aware());
    for c in 0..25 {
        let text = if c == 3 { MaybeUnset::Unset } else { MaybeUnset::Set(format!("v{c}")) };
        session.execute_unpaged(&insert, (1, c, text)).await.expect("the server answers");
    }
    for page_size in [1, 10, 5000] {
        let text = "SELECT c, v FROM t WHERE k = ?";
        let mut select = session.prepare(text).await.expect("the server answers");
        select.set_page_size(page_size);
        let rows = session.execute_iter(select, (1,)).await.expect("the server answers");
        let rows: Vec<_> = rows
            .rows_stream::<(i32, Option<String>)>()
            .expect("the server answers")
            .try_collect()
            .await
            .expect("the server answers");
        let expected = (0..25).map(|c| (c, (c != 3).then(|| format!("v{c}"))));
        assert_eq!(rows, expected.collect::<Vec<_>>());
    }
    let paged = Statement::new("SELECT c FROM t").with_page_size(7);
    let rows = session.query_iter(paged, &[]).await.expect("the server answers");
    let rows: Vec<_> = rows
        .rows_stream::<(i32,)>()
        .expect("the server answers")
        .try_collect()
        .await
        .expect("the server answers");
    assert_eq!(rows.len(), 25);
}

async fn check_batches(session: &Session) {
    let insert = session
        .prepare("INSERT INTO t (k, c, v) VALUES (?, ?, ?)")
        .await
        .expect("the server answers");
    for kind in [BatchType::Logged, BatchType::Unlogged] {
        let mut batch = Batch::new(kind);
        batch.append_statement("INSERT INTO t (k, c, v) VALUES (2, 1, 'text')");
        batch.append_statement(insert.clone());
        session.batch(&batch, ((), (2, 2, "prepared"))).await.expect("the server answers");
        let rows = session
            .query_unpaged("SELECT c, v FROM t WHERE k = 2", &[])
            .await
            .expect("the server answers");
        let rows = rows.into_rows_result().expect("the server answers");
        let rows: Vec<(i32, String)> =
            rows.rows().expect("the server answers").map(Result::unwrap).collect();
        assert_eq!(rows, [(1, "text".to_owned()), (2, "prepared".to_owned())]);
        session.query_unpaged("DELETE FROM t WHERE k = 2", &[]).await.expect("the server answers");
    }
}

async fn check_conditions(session: &Session) {
    let insert = session
        .prepare("INSERT INTO t (k, c, v) VALUES (?, ?, ?) IF NOT EXISTS")
        .await
        .expect("the server answers");
    let applied = async |text: &str| {
        let result =
            session.execute_unpaged(&insert, (3, 1, text)).await.expect("the server answers");
        let result = result.into_rows_result().expect("the server answers");
        let columns: Vec<_> =
            result.column_specs().iter().map(|column| column.name().to_owned()).collect();
        let row = result.single_row::<scylla::value::Row>().expect("the server answers");
        (columns, row.columns)
    };
    let (columns, row) = applied("first").await;
    assert_eq!(columns, ["[applied]"]);
    assert_eq!(row, [Some(CqlValue::Boolean(true))]);
    let (columns, row) = applied("second").await;
    assert_eq!(columns, ["[applied]", "k", "c", "p", "v"]);
    assert_eq!(row[0], Some(CqlValue::Boolean(false)));
    assert_eq!(row[4], Some(CqlValue::Text("first".to_owned())));
}

async fn check_refusals(session: &Session) {
    let refusal =
        session.query_unpaged("SELECT * FROM nothing", &[]).await.expect_err("it is refused");
    let ExecutionError::LastAttemptError(RequestAttemptError::DbError(kind, text)) = refusal else {
        panic!("{refusal:?}")
    };
    assert_eq!(kind, DbError::Invalid);
    assert_eq!(text, "table nothing does not exist");
}
