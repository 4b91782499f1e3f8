//! Rows of system tables as servers return them, and the snapshot that they become.

use std::sync::Arc;

use cql::types::{Frozenness, NativeType, Type};

use super::{SystemCollector, SystemRows, list_queries};
use crate::snapshot::{NodeState, RangeEstimates, StatementOrigin, TableName};

/// A value; none here is null.
type Cell = Vec<u8>;

fn text(value: &str) -> Cell {
    value.as_bytes().to_vec()
}

fn bigint(value: i64) -> Cell {
    value.to_be_bytes().to_vec()
}

fn int(value: i32) -> Cell {
    value.to_be_bytes().to_vec()
}

/// A list of elements, or the keys and values of a map in turn.
fn elements(count: i32, values: &[&str]) -> Cell {
    let mut bytes = count.to_be_bytes().to_vec();
    for value in values {
        bytes.extend(i32::try_from(value.len()).expect("short").to_be_bytes());
        bytes.extend(value.as_bytes());
    }
    bytes
}

fn rows(columns: &[(&str, Type)], rows: Vec<Vec<Cell>>) -> SystemRows {
    let columns = columns.iter().map(|(name, ty)| ((*name).to_owned(), ty.clone())).collect();
    let cells = |row: Vec<Cell>| row.into_iter().map(Some).collect();
    SystemRows { columns, rows: rows.into_iter().map(cells).collect() }
}

fn native(ty: NativeType) -> Type {
    Type::Native(ty)
}

fn add(collector: &mut SystemCollector, table: &str, node: &str, rows: &SystemRows) {
    let query = list_queries().find(|query| query.table == table);
    collector.add(query.unwrap_or_else(|| panic!("{table} is not read")), node, rows);
}

fn texts() -> Type {
    Type::Set(Arc::new(native(NativeType::Text)), Frozenness::No)
}

const HOST: [u8; 16] = [7; 16];
const HOST_TEXT: &str = "07070707-0707-0707-0707-070707070707";

/// A row of peers about the node at 10.0.0.2.
fn peer() -> SystemRows {
    rows(
        &[
            ("peer", native(NativeType::Inet)),
            ("host_id", native(NativeType::Uuid)),
            ("data_center", native(NativeType::Text)),
            ("release_version", native(NativeType::Text)),
            ("tokens", texts()),
            ("native_address", native(NativeType::Inet)),
            ("native_port", native(NativeType::Int)),
        ],
        vec![vec![
            vec![192, 168, 0, 2],
            HOST.to_vec(),
            text("dc1"),
            text("4.1.10"),
            elements(2, &["-5", "7"]),
            vec![10, 0, 0, 2],
            int(9042),
        ]],
    )
}

#[test]
fn a_silent_node_is_known_from_its_peers() {
    let mut collector = SystemCollector::default();
    collector.add_silence("10.0.0.2");
    add(&mut collector, "system.peers_v2", "10.0.0.1", &peer());
    let snapshot = collector.finish(None);
    assert_eq!(snapshot.nodes.len(), 2);
    let silent = &snapshot.nodes["10.0.0.2"];
    assert_eq!(silent.state, Some(NodeState::Silent));
    assert_eq!(
        (silent.datacenter.as_deref(), silent.tokens.as_slice()),
        (Some("dc1"), &[-5, 7][..])
    );
    assert_eq!(silent.internode_address.as_deref(), Some("192.168.0.2"));
    assert!(silent.is_told_by_others);
    assert!(snapshot.nodes["10.0.0.1"].peers.contains(HOST_TEXT));
}

#[test]
fn a_node_is_found_by_its_id_or_its_port() {
    let mut collector = SystemCollector::default();
    collector.snapshot.nodes.entry("10.0.0.2:9042".to_owned()).or_default();
    add(&mut collector, "system.peers_v2", "10.0.0.1:9042", &peer());
    add(&mut collector, "system.peers", "10.0.0.1:9042", &peer());
    let names: Vec<&String> = collector.snapshot.nodes.keys().collect();
    assert_eq!(names, ["10.0.0.1:9042", "10.0.0.2:9042"]);
    let hints = rows(
        &[
            ("host_id", native(NativeType::Uuid)),
            ("files", native(NativeType::Int)),
            ("oldest", native(NativeType::Timestamp)),
            ("status", native(NativeType::Text)),
        ],
        vec![vec![HOST.to_vec(), int(2), bigint(1_000), text("DOWN")]],
    );
    add(&mut collector, "system_views.pending_hints", "10.0.0.1:9042", &hints);
    let kept = &collector.snapshot.nodes["10.0.0.1:9042"].pending_hints["10.0.0.2:9042"];
    assert_eq!((kept.files, kept.oldest_ms, kept.is_up), (2, Some(1_000), Some(false)));
}

/// Rows of estimates: kind of range, partitions and their mean size.
fn estimates(values: &[(&str, i64, i64)]) -> SystemRows {
    let columns = [
        ("keyspace_name", native(NativeType::Text)),
        ("table_name", native(NativeType::Text)),
        ("range_type", native(NativeType::Text)),
        ("partitions_count", native(NativeType::Bigint)),
        ("mean_partition_size", native(NativeType::Bigint)),
    ];
    let row = |(kind, count, mean): &(&str, i64, i64)| {
        vec![text("shop"), text("orders"), text(kind), bigint(*count), bigint(*mean)]
    };
    rows(&columns, values.iter().map(row).collect())
}

#[test]
fn ranges_are_added_up_once() {
    let mut collector = SystemCollector::default();
    let node = |collector: &mut SystemCollector, name: &str, center: &str| {
        collector.snapshot.nodes.entry(name.to_owned()).or_default().datacenter =
            Some(center.to_owned());
    };
    for (name, center) in [("a", "dc1"), ("b", "dc1"), ("c", "dc2")] {
        node(&mut collector, name, center);
    }
    let local = "local_primary";
    let of_a = [(local, 100, 50), (local, 300, 10), (local, 0, 0), ("primary", 999, 999)];
    add(&mut collector, "system.table_estimates", "a", &estimates(&of_a));
    add(&mut collector, "system.table_estimates", "b", &estimates(&[(local, 200, 10)]));
    add(&mut collector, "system.table_estimates", "c", &estimates(&[(local, 640, 10)]));
    let snapshot = collector.finish(None);
    let table = TableName::new("shop", "orders");
    let of_a =
        RangeEstimates { ranges: 3, empty: 1, partitions: 400, bytes: 8_000, is_local: true };
    assert_eq!(snapshot.nodes["a"].ranges(&table), Some(&of_a));
    assert_eq!(snapshot.nodes["a"].tables[&table].mean_partition_bytes, Some(20));
    // Both data centers have all partitions, and estimate 600 and 640.
    assert_eq!(snapshot.estimate_partitions(&table), Some(640));
}

#[test]
fn a_node_that_does_not_tell_counts_as_the_others() {
    let mut collector = SystemCollector::default();
    add(&mut collector, "system.size_estimates", "a", &estimates(&[("", 100, 1), ("", 20, 1)]));
    collector.add_silence("b");
    let snapshot = collector.finish(None);
    assert_eq!(snapshot.estimate_partitions(&TableName::new("shop", "orders")), Some(240));
    assert_eq!(snapshot.estimate_partitions(&TableName::new("shop", "users")), None);
}

#[test]
fn a_table_that_the_limit_cut_has_no_estimate() {
    let mut cut = estimates(&vec![("", 1, 1); 10_000]);
    if let Some(first) = cut.rows.first_mut() {
        first[1] = Some(text("first"));
    }
    let mut collector = SystemCollector::default();
    add(&mut collector, "system.size_estimates", "a", &cut);
    let snapshot = collector.finish(None);
    assert_eq!(snapshot.estimate_partitions(&TableName::new("shop", "first")), Some(1));
    assert_eq!(snapshot.estimate_partitions(&TableName::new("shop", "orders")), None);
}

#[test]
fn traces_give_figures_and_no_values() {
    const VALUE: &str = "patient-4711";
    let sessions = rows(
        &[
            ("session_id", native(NativeType::Uuid)),
            ("duration", native(NativeType::Int)),
            (
                "parameters",
                Type::Map(
                    Arc::new((native(NativeType::Text), native(NativeType::Text))),
                    Frozenness::No,
                ),
            ),
        ],
        vec![vec![
            HOST.to_vec(),
            int(84_000),
            elements(
                2,
                &[
                    "query",
                    "SELECT * FROM lab.inbox WHERE box = 'patient-4711'",
                    "bound_var_0_box",
                    VALUE,
                ],
            ),
        ]],
    );
    let event = |elapsed: i32, activity: &str, source: u8| {
        vec![
            HOST.to_vec(),
            text(activity),
            vec![10, 0, 0, source],
            int(elapsed),
            text("ReadStage-1"),
        ]
    };
    let events = rows(
        &[
            ("session_id", native(NativeType::Uuid)),
            ("activity", native(NativeType::Text)),
            ("source", native(NativeType::Inet)),
            ("source_elapsed", native(NativeType::Int)),
            ("thread", native(NativeType::Text)),
        ],
        vec![
            event(100, "Executing single-partition query on inbox", 1),
            event(200, "Merged data from memtables and 12 sstables", 1),
            event(300, "Read 100 live rows and 60000 tombstone cells", 1),
            event(100, "Executing single-partition query on inbox", 2),
            event(300, "Read 100 live rows and 59000 tombstone cells", 2),
        ],
    );
    let mut collector = SystemCollector::default();
    add(&mut collector, "system_traces.sessions", "a", &sessions);
    add(&mut collector, "system_traces.events", "a", &events);
    let snapshot = collector.finish(None);
    assert!(!format!("{snapshot:?}").contains(VALUE));
    let (shape, seen) = snapshot.statements.iter().next().expect("a statement");
    assert_eq!(shape.text, "SELECT * FROM lab.inbox WHERE box = ?");
    assert!(seen.origins.contains(&StatementOrigin::Trace));
    // On the replica that met most, not on both together.
    assert_eq!((seen.max_tombstones, seen.live_rows), (Some(60_000), Some(100)));
    assert_eq!((seen.max_sstables, seen.max_ms), (Some(12), Some(84.0)));
    let codes: Vec<_> = crate::rules::examine(&snapshot).iter().map(|it| it.rule.code).collect();
    assert!(codes.contains(&"DR020") && codes.contains(&"DR080"), "{codes:?}");
}
