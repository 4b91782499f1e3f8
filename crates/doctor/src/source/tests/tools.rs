//! Tools for `SSTables`, settings, the schema, query logs.

use super::{collect, fixture};
use crate::snapshot::{StatementOrigin, StatementShape, TableName};

#[test]
fn metadata_of_sstables() {
    let snapshot =
        collect(&[fixture("sstablemetadata_5_0.txt"), fixture("sstablemetadata_5_0_scan.txt")]);
    let sstables = &snapshot.nodes[""].sstables;
    let [queue] = &*sstables[&TableName::new("shop", "queue")] else { panic!() };
    assert_eq!(queue.min_timestamp_us, Some(1_795_001_655_243_045));
    assert_eq!(queue.max_timestamp_us, Some(1_795_001_661_592_393));
    assert_eq!((queue.min_ttl, queue.max_ttl, queue.level), (Some(0), Some(0), Some(0)));
    assert_eq!((queue.rows, queue.cells, queue.partitions), (Some(2500), Some(100), Some(2)));
    assert!(queue.droppable_tombstone_ratio.unwrap() > 23.0);
    assert_eq!(queue.repaired_at_ms, Some(0));
    let [events] = &*sstables[&TableName::new("shop", "events")] else { panic!() };
    assert_eq!(
        (&*events.largest_partitions[0].key, events.largest_partitions[0].value),
        ("sensor 0:2026-11-18", 321_850)
    );
    assert_eq!(events.rows, Some(3000));
}

#[test]
fn partitions_of_sstables() {
    for name in ["sstablepartitions_5_0.txt", "sstablepartitions_5_0.csv"] {
        let snapshot = collect(&[fixture(name)]);
        let events = &snapshot.nodes[""].tables[&TableName::new("shop", "events")];
        let largest =
            events.largest_partitions.iter().max_by_key(|partition| partition.value).unwrap();
        assert_eq!(largest.key, "sensor 0:2026-11-18", "{name}");
        assert!((257_000..258_000).contains(&largest.value), "{name}: {}", largest.value);
    }
    let snapshot = collect(&[fixture("sstablepartitions_5_0.txt")]);
    let queue = &snapshot.nodes[""].tables[&TableName::new("shop", "queue")];
    assert_eq!(queue.most_tombstones[0].value, 2100);
}

#[test]
fn settings() {
    let snapshot = collect(&[fixture("cassandra_5_0.yaml")]);
    let settings = &snapshot.nodes[""].settings;
    assert_eq!(settings["tombstone_warn_threshold"], "1000");
    assert_eq!(settings["compaction_throughput"], "64MiB/s");
    assert_eq!(settings["seed_provider.parameters.seeds"], "127.0.0.1:7000");
    assert_eq!(snapshot.cluster_name.as_deref(), Some("Test Cluster"));
    assert!(settings.values().all(|value| !value.contains("do_not_show")));
    let damaged =
        format!("{}this is not yaml\nconcurrent_writes: 8\n", fixture("cassandra_5_0.yaml"));
    let snapshot = collect(&[&damaged]);
    assert!(snapshot.nodes[""].settings.contains_key("num_tokens"));
}

#[test]
fn the_schema() {
    let dump = "\nCREATE KEYSPACE shop WITH replication = {'class': 'SimpleStrategy', 'replication_factor': '1'}  AND durable_writes = true;\n\n\
        CREATE TABLE shop.users (\n    id int PRIMARY KEY,\n    email text\n) WITH gc_grace_seconds = 864000\n    AND comment = '';\n\
        CREATE INDEX users_email ON shop.users (email);\n";
    let snapshot = collect(&[dump, dump]);
    assert!(snapshot.schema.is_some());
    assert_eq!(
        snapshot.sources.iter().map(|one| (one.kind, one.problem.clone())).collect::<Vec<_>>(),
        [(Some("schema"), None), (Some("schema"), None)]
    );
    let scylla = "CREATE KEYSPACE ks WITH replication = {'class': 'org.apache.cassandra.locator.SimpleStrategy', 'replication_factor': '1'} AND tablets = {'enabled': true};\n\
        CREATE TABLE ks.t (k int PRIMARY KEY) WITH tombstone_gc = {'mode': 'repair'} AND default_time_to_live = 60;\n";
    let snapshot = collect(&[scylla]);
    assert_eq!(snapshot.sources[0].problem, None);
    let broken =
        collect(&["CREATE TABLE nowhere.t (k int PRIMARY KEY);\nCREATE TABLE broken (;\n"]);
    assert!(broken.sources[0].problem.is_some());
}

#[test]
fn full_query_logs() {
    let dump = "Type: single-query\nQuery start time: 1530000000000\nProtocol version: 4\nGenerated timestamp:-9223372036854775808\nGenerated nowInSeconds:1530000000\n\
        Query: SELECT *\nFROM shop.users WHERE id = ?\nValues: \n00000000 00 00 00 05                                      ....\n-----\n\n\
        Type: batch\nQuery start time: 1530000001000\nProtocol version: 4\nGenerated timestamp:1\nGenerated nowInSeconds:1\nBatch type: LOGGED\n\
        Query: INSERT INTO shop.users (id, email) VALUES (1, 'x')\nValues: \nQuery: INSERT INTO shop.users (id, email) VALUES (2, 'y')\nValues: \n\n";
    let snapshot = collect(&[dump]);
    let statements: Vec<_> =
        snapshot.statements.iter().map(|(shape, one)| (&*shape.text, one.count)).collect();
    assert_eq!(
        statements,
        [
            ("INSERT INTO shop.users (id, email) VALUES (?, ?)", 2),
            ("SELECT * FROM shop.users WHERE id = ?", 1)
        ]
    );
    assert_eq!(snapshot.statements.values().last().unwrap().first_ms, Some(1_530_000_000_000));
}

#[test]
fn audit_logs() {
    let entry = |at: u32| {
        format!(
            "user:anonymous|host:127.0.0.1:7000|source:/127.0.0.1|port:5|timestamp:{at}|type:SELECT|category:QUERY|ks:shop|scope:users|operation:SELECT * FROM users\nWHERE id = {at}"
        )
    };
    let file = format!("{}\n{}\n", entry(1000), entry(2000));
    let viewer = format!(
        "Type: AuditLog\nLogMessage: {}\nType: AuditLog\nLogMessage: {}\n",
        entry(1000),
        entry(2000)
    );
    let log = format!(
        "INFO  [N-1] 2026-11-18 11:34:16,350 FileAuditLogger.java:51 - {}\nINFO  [N-1] 2026-11-18 11:34:17,350 FileAuditLogger.java:51 - {}\n",
        entry(1000),
        entry(2000)
    );
    for text in [file, viewer, log] {
        let snapshot = collect(&[&text]);
        let shape = StatementShape {
            keyspace: "shop".into(),
            text: "SELECT * FROM users WHERE id = ?".into(),
        };
        let statement =
            snapshot.statements.get(&shape).unwrap_or_else(|| panic!("{:?}", snapshot.statements));
        assert_eq!(
            (statement.count, statement.first_ms, statement.last_ms),
            (2, Some(1000), Some(2000))
        );
        assert!(statement.origins.contains(&StatementOrigin::AuditLog));
    }
}
