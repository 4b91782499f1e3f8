//! Drafts of made-up snapshots.

use cql::types::NativeType;
use schema::session::Session;

use super::{ModelDraft, OpenPoint, UntranslatedReason};
use crate::Snapshot;
use crate::snapshot::{
    Node, ObservedStatement, Percentiles, StatementOrigin, StatementShape, TableMeasurements,
    TableName,
};

const SHOP: &str = "
CREATE KEYSPACE shop WITH replication = {'class': 'NetworkTopologyStrategy', 'dc1': 3};
USE shop;
CREATE TYPE address (street text, city text);
CREATE TABLE users (user_id uuid PRIMARY KEY, email text, name text, home frozen<address>, tags set<text>, attributes map<text, text>);
CREATE TABLE users_by_email (email text PRIMARY KEY, user_id uuid, name text);
CREATE TABLE orders (order_id timeuuid PRIMARY KEY, user_id uuid, status text, total decimal, created_at timestamp);
CREATE TABLE jobs (queue text, created timeuuid, job_id uuid, payload text, status text, PRIMARY KEY ((queue), created, job_id));
CREATE TABLE readings (sensor text, day date, at timestamp, value double, PRIMARY KEY ((sensor, day), at)) WITH CLUSTERING ORDER BY (at DESC) AND default_time_to_live = 7776000;
CREATE TABLE page_views (page text PRIMARY KEY, views counter);
CREATE TABLE \"Odd\" (\"order\" int, shard int, \"Value\" list<frozen<list<int>>>, v varint, PRIMARY KEY ((\"order\", shard)));
";

fn snapshot(schema: &str, statements: &[&str]) -> Snapshot {
    let mut session = Session::default();
    for statement in cql::parse(schema).statements {
        session.run(&statement).unwrap();
    }
    let mut snapshot = Snapshot { schema: Some(session.catalog), ..Snapshot::default() };
    for text in statements {
        let observed = ObservedStatement {
            origins: [StatementOrigin::FullQueryLog].into(),
            count: 6_000,
            first_ms: Some(0),
            last_ms: Some(60_000),
            ..ObservedStatement::default()
        };
        let (keyspace, text) = (String::from("shop"), (*text).to_owned());
        snapshot.observe(StatementShape { keyspace, text }, observed);
    }
    snapshot
}

fn draft(statements: &[&str]) -> ModelDraft {
    let draft = ModelDraft::new(&snapshot(SHOP, statements), None).unwrap();
    let read = model::sql::read(&draft.text, "shop");
    assert!(read.is_ok(), "{:?}\n{}", read.err(), draft.text);
    draft
}

/// The SQL of the only statement, on one line.
fn translate(statement: &str) -> String {
    let draft = draft(&[statement]);
    let [only] = draft.statements.as_slice() else {
        panic!("{statement}: {:?}", draft.untranslated)
    };
    only.sql.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn reason(statement: &str) -> UntranslatedReason {
    let draft = draft(&[statement]);
    assert!(draft.statements.is_empty(), "{:?}", draft.statements);
    draft.untranslated[0].reason.clone()
}

#[test]
fn copies_become_one_table() {
    let draft = draft(&[
        "INSERT INTO users (user_id, email, name) VALUES (?, ?, ?)",
        "INSERT INTO users_by_email (email, user_id, name) VALUES (?, ?, ?)",
        "SELECT user_id, name FROM users_by_email WHERE email = ?",
        "DELETE FROM users_by_email WHERE email = ?",
    ]);
    assert!(!draft.text.contains("CREATE TABLE users_by_email"), "{}", draft.text);
    assert!(draft.text.contains("email text NOT NULL UNIQUE,"), "{}", draft.text);
    assert!(draft.text.contains("user_id uuid REFERENCES users,"), "{}", draft.text);
    assert!(draft.text.contains("-- assumed: user_id refers to users"), "{}", draft.text);
    assert!(
        draft.text.contains("-- evidence: users_by_email is a copy of users"),
        "{}",
        draft.text
    );
    let names: Vec<&str> = draft.statements.iter().map(|it| &*it.name).collect();
    assert_eq!(names, ["AddUser", "UserByEmail"]);
    assert_eq!(
        draft.untranslated[0].reason,
        UntranslatedReason::DeletesFromCopy("users".to_owned())
    );
}

#[test]
fn a_table_that_may_hold_other_rows_stays_apart() {
    let schema = format!(
        "{SHOP}
         CREATE TABLE follows (follower uuid, followee uuid, since timestamp, PRIMARY KEY (follower, followee));
         CREATE TABLE blocks (follower uuid, followee uuid, since timestamp, PRIMARY KEY (follower, followee));
         CREATE TABLE orders_archive (order_id timeuuid PRIMARY KEY, user_id uuid, status text, total decimal, created_at timestamp);
         CREATE TABLE events_hourly (device text, ts timestamp, n int, PRIMARY KEY (device, ts));
         CREATE TABLE events_daily (device text, ts timestamp, n int, PRIMARY KEY (device, ts));"
    );
    let draft = ModelDraft::new(&snapshot(&schema, &[]), None).unwrap();
    for table in ["follows", "blocks", "orders", "orders_archive", "events_hourly", "events_daily"]
    {
        assert!(draft.text.contains(&format!("CREATE TABLE {table} (")), "{table}: {}", draft.text);
    }
    let is_marked = draft.table_points.iter().any(|(table, point)| {
        table == "orders_archive"
            && matches!(point, OpenPoint::PossibleCopy { other } if other == "orders")
    });
    assert!(is_marked, "{:?}", draft.table_points);
}

#[test]
fn reads_say_in_sql_what_they_say_in_cql() {
    for (cql, sql) in [
        (
            "SELECT * FROM orders WHERE status = ? ALLOW FILTERING",
            "SELECT * FROM orders WHERE status = ?",
        ),
        (
            "SELECT total FROM orders WHERE order_id IN (?)",
            "SELECT total FROM orders WHERE order_id = ANY(?)",
        ),
        ("SELECT count(*) FROM jobs WHERE queue = ?", "SELECT COUNT(*) FROM jobs WHERE queue = ?"),
        (
            "SELECT count(*) FROM jobs WHERE queue = ? LIMIT ?",
            "SELECT COUNT(*) FROM jobs WHERE queue = ?",
        ),
        (
            "SELECT total FROM orders WHERE order_id = ? LIMIT ?",
            "SELECT total FROM orders WHERE order_id = ?",
        ),
        (
            "SELECT user_id FROM users WHERE tags CONTAINS ? ALLOW FILTERING",
            "SELECT user_id FROM users WHERE ? = ANY(tags)",
        ),
        (
            "SELECT job_id, payload FROM jobs WHERE queue = ? LIMIT ?",
            "SELECT job_id, payload FROM jobs WHERE queue = ? ORDER BY created LIMIT ?",
        ),
        (
            "SELECT * FROM readings WHERE sensor = ? AND day = ? LIMIT ?",
            "SELECT * FROM readings WHERE sensor = ? ORDER BY at DESC LIMIT ?",
        ),
        (
            "SELECT at, value FROM readings WHERE sensor = ? AND day = ? AND at > ?",
            "SELECT at, value FROM readings WHERE sensor = ? AND at > ?",
        ),
        (
            "SELECT at, value FROM readings WHERE sensor = ? AND day IN (?)",
            "SELECT at, value FROM readings WHERE sensor = ? AND at >= ? AND at < ?",
        ),
        (
            "SELECT payload FROM jobs WHERE queue = ? AND (created, job_id) > (?, ?)",
            "SELECT payload FROM jobs WHERE queue = ? AND (created, job_id) > (?, ?)",
        ),
    ] {
        assert_eq!(translate(cql), sql, "{cql}");
    }
}

#[test]
fn writes_say_in_sql_what_they_say_in_cql() {
    for (cql, sql) in [
        (
            "INSERT INTO readings (sensor, day, at, value) VALUES (?, ?, ?, ?) USING TTL ?",
            "INSERT INTO readings (sensor, at, value) VALUES (?, ?, ?)",
        ),
        (
            "INSERT INTO users (user_id, email) VALUES (?, ?) IF NOT EXISTS",
            "INSERT INTO users (user_id, email) VALUES (?, ?) ON CONFLICT DO NOTHING",
        ),
        (
            "UPDATE page_views SET views = views + ? WHERE page = ?",
            "UPDATE page_views SET views = views + ? WHERE page = ?",
        ),
        (
            "UPDATE orders SET status = ? WHERE order_id = ? IF status = ?",
            "UPDATE orders SET status = ? WHERE order_id = ? AND status = ?",
        ),
        (
            "UPDATE orders SET status = ? WHERE order_id = ?",
            "INSERT INTO orders (order_id, status) VALUES (?, ?) ON CONFLICT (order_id) DO UPDATE SET status = EXCLUDED.status",
        ),
        (
            "UPDATE users SET tags = tags + ? WHERE user_id = ?",
            "UPDATE users SET tags = array_append(tags, ?) WHERE user_id = ?",
        ),
        (
            "DELETE name FROM users WHERE user_id = ?",
            "UPDATE users SET name = NULL WHERE user_id = ?",
        ),
        (
            "DELETE FROM jobs WHERE queue = ? AND created = ? AND job_id = ?",
            "DELETE FROM jobs WHERE queue = ? AND created = ? AND job_id = ?",
        ),
    ] {
        assert_eq!(translate(cql), sql, "{cql}");
    }
}

#[test]
fn what_sql_cannot_say_is_kept_as_a_comment() {
    use UntranslatedReason::{
        ElementCondition, MapCondition, Negation, TokenRange, TupleIn, UnknownColumn, UnknownTable,
        Unreadable,
    };
    for (cql, expected) in [
        ("SELECT * FROM users WHERE token(user_id) > ? AND token(user_id) <= ?", TokenRange),
        ("SELECT * FROM jobs WHERE queue = ? AND (created, job_id) IN (?)", TupleIn),
        (
            "SELECT * FROM users WHERE attributes CONTAINS KEY ? ALLOW FILTERING",
            MapCondition("attributes".into()),
        ),
        (
            "SELECT * FROM users WHERE attributes[?] = ? ALLOW FILTERING",
            ElementCondition("attributes".into()),
        ),
        ("UPDATE orders SET status = ? WHERE order_id = ? IF status != ?", Negation),
        ("SELECT * FROM nowhere WHERE a = ?", UnknownTable),
        ("SELECT * FROM orders WHERE colour = ?", UnknownColumn("colour".into())),
        ("SELECT * FROM orders WHERE order_id IN (", Unreadable),
    ] {
        assert_eq!(reason(cql), expected, "{cql}");
    }
}

#[test]
fn batches_are_split_and_rates_derived() {
    let draft = draft(&[
        "BEGIN BATCH INSERT INTO orders (order_id, user_id) VALUES (?, ?); DELETE FROM jobs WHERE queue = ? AND created = ? AND job_id = ?; APPLY BATCH",
    ]);
    let names: Vec<&str> = draft.statements.iter().map(|it| &*it.name).collect();
    assert_eq!(names, ["AddOrder", "DeleteJob"]);
    for statement in &draft.statements {
        assert_eq!(statement.rate.per_second, Some(100.0));
    }
    assert!(draft.text.contains("-- @rate 100/s"), "{}", draft.text);
}

#[test]
fn a_slow_log_is_a_lower_bound_and_its_limit_that_of_a_page() {
    let mut snapshot = snapshot(SHOP, &[]);
    let observed = ObservedStatement {
        origins: [StatementOrigin::SlowQueryLog].into(),
        count: 60,
        first_ms: Some(0),
        last_ms: Some(60_000),
        ..ObservedStatement::default()
    };
    let text = "SELECT * FROM shop.jobs WHERE queue = ? LIMIT ?".to_owned();
    snapshot.observe(StatementShape { keyspace: String::new(), text }, observed);
    let draft = ModelDraft::new(&snapshot, None).unwrap();
    assert!(!draft.statements[0].sql.contains("LIMIT"), "{}", draft.text);
    assert!(matches!(draft.statements[0].rate.point, OpenPoint::RateIsLowerBound { .. }));
    assert!(draft.text.contains("-- Missing: a full query log"), "{}", draft.text);
}

#[test]
fn measurements_become_volumes() {
    let mut snapshot =
        snapshot(SHOP, &["INSERT INTO readings (sensor, day, at, value) VALUES (?, ?, ?, ?)"]);
    let percentiles = |p50, p99, max| {
        Some(Percentiles {
            p50: Some(p50),
            p99: Some(p99),
            max: Some(max),
            ..Percentiles::default()
        })
    };
    for name in ["n1", "n2", "n3"] {
        let mut node = Node { uptime_seconds: Some(1_000), ..Node::default() };
        let jobs = TableMeasurements {
            partitions: Some(100),
            partition_cells: percentiles(20.0, 2_000.0, 200_000.0),
            partition_bytes: percentiles(2_000.0, 200_000.0, 20_000_000.0),
            mean_partition_bytes: Some(4_000),
            ..TableMeasurements::default()
        };
        let readings = TableMeasurements {
            partitions: Some(1_000),
            writes: Some(50_000),
            partition_cells: percentiles(1_440.0, 1_440.0, 1_440.0),
            partition_bytes: percentiles(40_000.0, 40_000.0, 40_000.0),
            ..TableMeasurements::default()
        };
        let orders = TableMeasurements { partitions: Some(5_000), ..TableMeasurements::default() };
        node.tables.insert(TableName::new("shop", "jobs"), jobs);
        node.tables.insert(TableName::new("shop", "readings"), readings);
        node.tables.insert(TableName::new("shop", "orders"), orders);
        snapshot.nodes.insert(name.to_owned(), node);
    }
    let draft = ModelDraft::new(&snapshot, None).unwrap();
    let text = &draft.text;
    model::sql::read(text, "shop").unwrap();
    // Two cells in a row: 10 rows at p50, 20 on average, and each of 100 partitions on three nodes.
    assert!(text.contains("-- @rows 2k\nCREATE TABLE jobs"), "{text}");
    assert!(text.contains("queue text, -- @distinct 100"), "{text}");
    assert!(text.contains("-- @rows 1.4M  @retain 7776000s\nCREATE TABLE readings"), "{text}");
    assert!(text.contains("-- @rows 5k\nCREATE TABLE orders"), "{text}");
    assert!(text.contains("@replication dc1:3  @nodes 3"), "{text}");
    assert!(
        text.contains("-- unknown: the rows; no source tells the number of partitions"),
        "{text}"
    );
}

#[test]
fn any_type_and_name_can_be_read_again() {
    let native = NativeType::ALL.iter().filter(|it| **it != NativeType::Counter);
    let columns: Vec<String> = native
        .flat_map(|ty| {
            let name = ty.name();
            let collections = if *ty == NativeType::Duration {
                String::new()
            } else {
                format!(", \"S {name}\" set<{name}>, m_{name} map<{name}, {name}>")
            };
            [format!("c_{name} {name}, l_{name} list<{name}>{collections}")]
        })
        .collect();
    let schema = format!(
        "{SHOP} CREATE TYPE shop.deep (a address_list, m map<text, int>);
         CREATE TABLE shop.\"Select\" (\"from\" frozen<list<int>>, \"to\" inet, v vector<float, 3>, t tuple<int, text>, d list<frozen<address>>, {}, PRIMARY KEY (\"from\", \"to\"));",
        columns.join(", ")
    )
    .replace("a address_list, ", "a frozen<address>, ");
    let draft = ModelDraft::new(&snapshot(&schema, &[]), None).unwrap();
    let read = model::sql::read(&draft.text, "shop");
    assert!(read.is_ok(), "{:?}\n{}", read.err(), draft.text);
}

#[test]
fn hostile_statements_do_no_harm() {
    for text in [
        "",
        ";",
        "SELECT",
        "\u{0}",
        "SELECT * FROM shop.users WHERE \"@rows 5\" = ?",
        "SELECT (((((((",
    ] {
        let draft = ModelDraft::new(&snapshot(SHOP, &[text]), None).unwrap();
        assert!(model::sql::read(&draft.text, "shop").is_ok(), "{text}");
    }
    assert!(ModelDraft::new(&Snapshot::default(), None).is_err());
}
