//! The rules on small snapshots: what each finds, and what it leaves alone.

use std::collections::BTreeSet;

use schema::Session;

use super::{Finding, all, entries, examine, find};
use crate::Snapshot;
use crate::snapshot::{
    DroppedMessages, EventDetails, EventKind, LargestPartition, LogEvent, Node, NodeState,
    ObservedStatement, Percentiles, ServerVersion, StatementOrigin, StatementShape,
    TableMeasurements, TableName, ThreadPool,
};

const SCHEMA: &str = "
CREATE KEYSPACE shop WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 3};
CREATE TABLE shop.users (id int PRIMARY KEY, email text, country text, tags set<text>);
CREATE INDEX users_email ON shop.users (email);
CREATE TABLE shop.events (user int, at timestamp, body text, PRIMARY KEY (user, at)) WITH default_time_to_live = 86400;
CREATE TABLE shop.jobs (queue int, id timeuuid, body text, PRIMARY KEY (queue, id));
CREATE TABLE shop.windows (k int, at timestamp, v text, PRIMARY KEY (k, at)) WITH default_time_to_live = 864000
  AND compaction = {'class': 'TimeWindowCompactionStrategy', 'compaction_window_unit': 'MINUTES', 'compaction_window_size': '10'};
";

#[test]
fn every_page_has_its_head() {
    assert!(entries().count() > 30, "the rules are missing");
    assert_eq!(all().count(), entries().count(), "a page has no proper head");
    for rule in all() {
        assert!(find(rule.code).is_some_and(|found| found.name == rule.name), "{}", rule.code);
    }
}

#[test]
fn nothing_is_found_where_nothing_was_collected() {
    assert!(examine(&Snapshot::default()).is_empty());
    let mut snapshot = shop();
    snapshot.nodes.insert("a".to_owned(), Node::default());
    let found = codes(&snapshot);
    // The schema alone shows a time series that expires without windows.
    assert_eq!(found, BTreeSet::from(["DR082"]));
}

fn shop() -> Snapshot {
    let mut session = Session::default();
    for statement in cql::parse(SCHEMA).statements {
        session.run(&statement).expect("the schema is valid");
    }
    Snapshot { schema: Some(session.catalog), ..Snapshot::default() }
}

fn codes(snapshot: &Snapshot) -> BTreeSet<&'static str> {
    examine(snapshot).iter().map(|finding| finding.rule.code).collect()
}

fn find_one(snapshot: &Snapshot, code: &str) -> Option<Finding> {
    examine(snapshot).into_iter().find(|finding| finding.rule.code == code)
}

fn measure(snapshot: &mut Snapshot, node: &str, table: &str, figures: TableMeasurements) {
    let node = snapshot.nodes.entry(node.to_owned()).or_default();
    node.tables.insert(TableName::new("shop", table), figures);
}

fn see(snapshot: &mut Snapshot, text: &str, statement: ObservedStatement) {
    let shape = StatementShape { keyspace: String::new(), text: text.to_owned() };
    snapshot.observe(shape, statement);
}

fn observation() -> ObservedStatement {
    ObservedStatement {
        origins: BTreeSet::from([StatementOrigin::AuditLog]),
        count: 5,
        ..ObservedStatement::default()
    }
}

fn bytes(max: f64, p50: f64) -> Option<Percentiles> {
    Some(Percentiles { max: Some(max), p50: Some(p50), ..Percentiles::default() })
}

#[test]
fn partitions_are_judged_by_their_stage() {
    use cql::Severity::{Critical, High, Medium};
    for (size, expected) in [
        (99e6, None),
        (105e6, Some(Medium)),
        (151e6, Some(High)),
        (600e6, Some(High)),
        (3e9, Some(Critical)),
    ] {
        let mut snapshot = shop();
        let figures = TableMeasurements {
            partition_bytes: bytes(size, size),
            ..TableMeasurements::default()
        };
        measure(&mut snapshot, "a", "events", figures);
        let severity = find_one(&snapshot, "DR001").map(|finding| finding.severity);
        assert_eq!(severity, expected, "{size}");
    }
    let mut snapshot = shop();
    let listed = LargestPartition { key: "alice".to_owned(), value: 200_000_000 };
    let figures =
        TableMeasurements { largest_partitions: vec![listed], ..TableMeasurements::default() };
    measure(&mut snapshot, "a", "events", figures);
    let finding = find_one(&snapshot, "DR001").expect("a large partition");
    assert_eq!(finding.key.as_deref(), Some("alice"));
    assert!(
        finding.remedies[0]
            .cql
            .as_ref()
            .is_some_and(|cql| cql.contains("PRIMARY KEY ((user, bucket), at)"))
    );
}

#[test]
fn proposed_tables_are_valid() {
    let mut snapshot = shop();
    let figures =
        TableMeasurements { partition_bytes: bytes(1e9, 1e3), ..TableMeasurements::default() };
    for table in ["events", "users", "jobs"] {
        measure(&mut snapshot, "a", table, figures.clone());
    }
    see(&mut snapshot, "SELECT * FROM shop.users WHERE country = ? ALLOW FILTERING", observation());
    see(&mut snapshot, "SELECT * FROM shop.users WHERE email = ?", observation());
    see(&mut snapshot, "UPDATE shop.users SET tags = tags + ? WHERE id = ?", observation());
    let mut checked = 0;
    for finding in examine(&snapshot) {
        for cql in finding.remedies.iter().filter_map(|remedy| remedy.cql.as_ref()) {
            let mut session = Session {
                catalog: snapshot.schema.clone().expect("a schema"),
                ..Session::default()
            };
            let parsed = cql::parse(cql);
            assert!(parsed.errors.is_empty(), "{cql}");
            for statement in &parsed.statements {
                if let Err(refusal) = session.run(statement) {
                    panic!("{cql}: {refusal:?}");
                }
                checked += 1;
            }
        }
    }
    assert!(checked >= 6, "{checked}");
}

#[test]
fn statements_are_judged_by_their_plans() {
    let mut snapshot = shop();
    see(&mut snapshot, "SELECT * FROM shop.users WHERE country = ? ALLOW FILTERING", observation());
    see(&mut snapshot, "SELECT * FROM shop.users WHERE email = ?", observation());
    see(&mut snapshot, "SELECT count(*) FROM shop.users", observation());
    let many = ObservedStatement { max_in_values: Some(500), ..observation() };
    see(&mut snapshot, "SELECT * FROM shop.users WHERE id IN (?)", many);
    let found = codes(&snapshot);
    for code in ["DR040", "DR041", "DR044", "DR045"] {
        assert!(found.contains(code), "{code}: {found:?}");
    }
    // Of a small table, all of this is harmless but the IN.
    let small = TableMeasurements { partitions: Some(50), ..TableMeasurements::default() };
    measure(&mut snapshot, "a", "users", small);
    let found = codes(&snapshot);
    assert!(
        !found.contains("DR040") && !found.contains("DR041") && !found.contains("DR044"),
        "{found:?}"
    );
    let mut healthy = shop();
    see(&mut healthy, "SELECT * FROM shop.users WHERE id = ?", observation());
    see(
        &mut healthy,
        "SELECT * FROM shop.events WHERE user = ? AND body = ? ALLOW FILTERING",
        observation(),
    );
    see(
        &mut healthy,
        "SELECT * FROM shop.users WHERE id IN (?)",
        ObservedStatement { max_in_values: Some(5), ..observation() },
    );
    assert_eq!(codes(&healthy), BTreeSet::from(["DR082"]));
}

#[test]
fn queues_need_polls_deletions_and_tombstones() {
    let mut snapshot = shop();
    see(&mut snapshot, "SELECT * FROM shop.jobs WHERE queue = ? LIMIT ?", observation());
    assert!(!codes(&snapshot).contains("DR021"));
    see(&mut snapshot, "DELETE FROM shop.jobs WHERE queue = ? AND id = ?", observation());
    assert!(codes(&snapshot).contains("DR021"), "the shape of a queue");
    let few =
        TableMeasurements { tombstones_per_read: bytes(3.0, 1.0), ..TableMeasurements::default() };
    measure(&mut snapshot, "a", "jobs", few);
    assert!(!codes(&snapshot).contains("DR021"), "few tombstones are well");
    let many = TableMeasurements {
        tombstones_per_read: bytes(5_000.0, 100.0),
        ..TableMeasurements::default()
    };
    measure(&mut snapshot, "a", "jobs", many);
    let found = codes(&snapshot);
    assert!(found.contains("DR021") && found.contains("DR020"), "{found:?}");
}

#[test]
fn time_windows_want_rows_that_do_not_change() {
    let mut snapshot = shop();
    see(&mut snapshot, "INSERT INTO shop.windows (k, at, v) VALUES (?, ?, ?)", observation());
    assert!(!codes(&snapshot).contains("DR083"));
    see(&mut snapshot, "DELETE FROM shop.windows WHERE k = ? AND at = ?", observation());
    assert!(codes(&snapshot).contains("DR083"));
    let files = TableMeasurements { sstable_count: Some(300), ..TableMeasurements::default() };
    measure(&mut snapshot, "a", "windows", files);
    assert!(codes(&snapshot).contains("DR084"), "1,440 windows");
    see(&mut snapshot, "UPDATE shop.events SET body = ? WHERE user = ? AND at = ?", observation());
    assert!(codes(&snapshot).contains("DR082"), "an update is an upsert");
    see(&mut snapshot, "DELETE FROM shop.events WHERE user = ? AND at = ?", observation());
    assert!(!codes(&snapshot).contains("DR082"), "rows that are deleted want no windows");
}

#[test]
fn logs_are_evidence() {
    let mut snapshot = shop();
    let node = snapshot.nodes.entry("a".to_owned()).or_default();
    let table = Some(TableName::new("shop", "events"));
    for (kind, value) in [
        (EventKind::LargePartition, 150e6),
        (EventKind::TombstoneFailure, 100_001.0),
        (EventKind::UnloggedBatch, 60.0),
        (EventKind::BatchSize, 60_000.0),
        (EventKind::GcPause, 6_000.0),
        (EventKind::LargeIn, 600.0),
        (EventKind::CounterTimeout, 1.0),
        (EventKind::AggregationWithoutKey, 1.0),
        (EventKind::CorruptSstable, 1.0),
    ] {
        let details = EventDetails { value: Some(value), times: 1, ..EventDetails::default() };
        node.log.add(&LogEvent { kind, at_ms: Some(1_000), table: table.clone(), details });
    }
    let found = codes(&snapshot);
    for code in ["DR001", "DR020", "DR045", "DR047", "DR060", "DR061", "DR063", "DR101", "DR105"] {
        assert!(found.contains(code), "{code}: {found:?}");
    }
}

#[test]
fn nodes_are_compared() {
    let mut snapshot = shop();
    for (name, version, schema, bytes) in
        [("a", 4, "x", 1_000_000_000), ("b", 4, "x", 1_000_000_000), ("c", 5, "y", 5_000_000_000)]
    {
        let figures = TableMeasurements { live_bytes: Some(bytes), ..TableMeasurements::default() };
        measure(&mut snapshot, name, "events", figures);
        let node = snapshot.nodes.entry(name.to_owned()).or_default();
        node.version = Some(ServerVersion { major: version, minor: 0, patch: 0 });
        node.schema_version = Some(schema.to_owned());
        let threshold = if name == "a" { "1000" } else { "5000" };
        node.settings.insert("tombstone_warn_threshold".to_owned(), threshold.to_owned());
    }
    let found = codes(&snapshot);
    for code in ["DR006", "DR102", "DR106", "DR120", "DR122", "DR123"] {
        assert!(found.contains(code), "{code}: {found:?}");
    }
}

#[test]
fn figures_of_tables_are_judged() {
    let percentiles = |p50: f64, p99: f64, max: f64| {
        let (p50, p99, max) = (Some(p50), Some(p99), Some(max));
        Some(Percentiles { p50, p99, max, ..Percentiles::default() })
    };
    let sick = TableMeasurements {
        partition_bytes: percentiles(1e3, 1e4, 50e6),
        partition_cells: percentiles(3.0, 10.0, 6_000.0),
        sstables_per_read: percentiles(5.0, 35.0, 50.0),
        sstables_by_level: Some(vec![64, 4, 30]),
        droppable_tombstone_ratio: Some(0.6),
        hottest_partitions: [("a", 900), ("b", 50), ("c", 50)]
            .map(|(key, value)| LargestPartition { key: key.to_owned(), value })
            .to_vec(),
        most_tombstones: vec![LargestPartition { key: "a".to_owned(), value: 200_000 }],
        ..TableMeasurements::default()
    };
    let mut snapshot = shop();
    measure(&mut snapshot, "a", "users", sick);
    let found = codes(&snapshot);
    for code in ["DR002", "DR004", "DR005", "DR022", "DR024", "DR080", "DR085"] {
        assert!(found.contains(code), "{code}: {found:?}");
    }
    let well = TableMeasurements {
        partition_bytes: percentiles(1e3, 1e4, 2e4),
        partition_cells: percentiles(3.0, 10.0, 40.0),
        sstables_per_read: percentiles(1.0, 4.0, 8.0),
        sstables_by_level: Some(vec![2, 4, 30]),
        droppable_tombstone_ratio: Some(0.05),
        tombstones_per_read: percentiles(0.0, 10.0, 90.0),
        ..TableMeasurements::default()
    };
    let mut snapshot = shop();
    measure(&mut snapshot, "a", "users", well);
    assert_eq!(codes(&snapshot), BTreeSet::from(["DR082"]));
}

#[test]
fn nodes_are_judged() {
    let mut snapshot = shop();
    for name in ["a", "b", "c"] {
        snapshot.nodes.insert(name.to_owned(), Node::default());
    }
    snapshot.collected_at_ms = Some(2_000_000_000_000);
    let node = snapshot.nodes.entry("a".to_owned()).or_default();
    node.state = Some(NodeState::Down);
    node.compaction.pending = Some(500);
    let pool = ThreadPool { pending: Some(5_000), ..ThreadPool::default() };
    node.thread_pools.insert("ReadStage".to_owned(), pool);
    for verb in ["MUTATION_REQ", "COUNTER_MUTATION_REQ"] {
        let dropped = DroppedMessages { count: 50, p99_ms: None };
        node.dropped.insert(verb.to_owned(), dropped);
    }
    node.regular_executed = Some(100_000);
    node.prepared_executed = Some(1_000);
    node.repaired_at_ms.insert(TableName::new("shop", "jobs"), 1_000_000_000_000);
    node.settings.insert("max_hint_window".to_owned(), "3000h".to_owned());
    for kind in [EventKind::Guardrail, EventKind::ReadTimeout] {
        let details = EventDetails { times: 20, ..EventDetails::default() };
        node.log.add(&LogEvent { kind, at_ms: None, table: None, details });
    }
    let found = codes(&snapshot);
    for code in
        ["DR023", "DR046", "DR063", "DR081", "DR100", "DR103", "DR104", "DR107", "DR121", "DR125"]
    {
        assert!(found.contains(code), "{code}: {found:?}");
    }
    assert!(!found.contains("DR124"), "three replicas");
}
