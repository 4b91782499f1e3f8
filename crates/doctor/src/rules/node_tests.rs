//! The rules on clusters of several nodes: the ring, skew, silent nodes, hints, members.

use cql::Severity;
use schema::Session;

use super::{Finding, Quantity, examine};
use crate::Snapshot;
use crate::snapshot::{
    Node, NodeLink, NodeState, PendingHints, RangeEstimates, TableMeasurements, TableName,
};

/// A quarter of the ring.
const QUARTER: i64 = 1 << 62;

/// Two nodes of one data center: `a` has three quarters of the ring, `b` one.
fn two_nodes() -> Snapshot {
    let schema = "
        CREATE KEYSPACE one WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1};
        CREATE KEYSPACE two WITH replication = {'class': 'NetworkTopologyStrategy', 'dc1': '2'};
        CREATE TABLE one.t (k int, c int, PRIMARY KEY (k, c));
        CREATE TABLE two.t (k int, c int, PRIMARY KEY (k, c));";
    let mut session = Session::default();
    for statement in cql::parse(schema).statements {
        session.run(&statement).expect("the schema is valid");
    }
    let mut snapshot = Snapshot { schema: Some(session.catalog), ..Snapshot::default() };
    for (name, token, host_id) in [("a", 0, "id-a"), ("b", QUARTER, "id-b")] {
        let node = Node {
            datacenter: Some("dc1".to_owned()),
            rack: Some("r1".to_owned()),
            host_id: Some(host_id.to_owned()),
            tokens: vec![token],
            uptime_seconds: Some(1_000),
            ..Node::default()
        };
        snapshot.nodes.insert(name.to_owned(), node);
    }
    snapshot
}

fn node<'a>(snapshot: &'a mut Snapshot, name: &str) -> &'a mut Node {
    snapshot.nodes.get_mut(name).expect("it is there")
}

fn find_one(snapshot: &Snapshot, code: &str) -> Option<Finding> {
    examine(snapshot).into_iter().find(|finding| finding.rule.code == code)
}

fn figure(finding: &Finding, what: &str) -> Quantity {
    let found = finding.evidence.iter().find(|evidence| evidence.what == what);
    found.unwrap_or_else(|| panic!("{what} is missing: {finding:?}")).value.clone()
}

#[test]
fn a_ring_out_of_balance_is_found() {
    let snapshot = two_nodes();
    let finding = find_one(&snapshot, "DR108").expect("75 % against 50 %");
    assert_eq!(finding.nodes, ["a"]);
    assert_eq!(figure(&finding, "share of the data"), Quantity::Percent(75.0));
    assert_eq!(figure(&finding, "against the mean of its data center"), Quantity::Times(1.5));
    // Of the keyspace with two copies, each node has all.
    assert_eq!(figure(&finding, "keyspace"), Quantity::Word("one".to_owned()));
    let mut even = two_nodes();
    node(&mut even, "b").tokens = vec![i64::MIN];
    assert!(find_one(&even, "DR108").is_none());
    let mut unknown = two_nodes();
    node(&mut unknown, "b").tokens.clear();
    assert!(find_one(&unknown, "DR108").is_none());
}

#[test]
fn shares_of_nodetool_are_compared_too() {
    let mut snapshot = Snapshot::default();
    for (name, percent) in [("a", 60.0), ("b", 20.0), ("c", 20.0)] {
        let told = Node { owns_percent: Some(percent), ..Node::default() };
        snapshot.nodes.insert(name.to_owned(), told);
    }
    let finding = find_one(&snapshot, "DR108").expect("60 % against 33 %");
    assert_eq!((finding.nodes.len(), &*finding.nodes[0]), (1, "a"));
    node(&mut snapshot, "a").owns_percent = None;
    assert!(find_one(&snapshot, "DR108").is_none());
}

#[test]
fn a_node_is_compared_with_its_share_of_the_ring() {
    let mut snapshot = two_nodes();
    let mut write = |name: &str, keyspace: &str, writes: u64| {
        let figures = TableMeasurements { writes: Some(writes), ..TableMeasurements::default() };
        node(&mut snapshot, name).tables.insert(TableName::new(keyspace, "t"), figures);
    };
    // As the ring has it, and as two copies have it.
    write("a", "one", 30_000);
    write("b", "one", 10_000);
    write("a", "two", 20_000);
    write("b", "two", 20_000);
    assert!(find_one(&snapshot, "DR006").is_none());
    let mut write = |name: &str, writes: u64| {
        let figures = TableMeasurements { writes: Some(writes), ..TableMeasurements::default() };
        node(&mut snapshot, name).tables.insert(TableName::new("one", "t"), figures);
    };
    write("a", 20_000);
    write("b", 20_000);
    let finding = find_one(&snapshot, "DR006").expect("20,000 where 10,000 were to be expected");
    assert_eq!(finding.nodes, ["b"]);
    assert_eq!(figure(&finding, "against its share of the ring"), Quantity::Times(2.0));
    assert_eq!(figure(&finding, "expected by its tokens"), Quantity::Count(10_000.0));
    // The other was started later and did the same in a sixth of the time.
    node(&mut snapshot, "a").uptime_seconds = Some(300);
    assert!(find_one(&snapshot, "DR006").is_none());
}

#[test]
fn a_silent_node_is_reported() {
    let mut snapshot = two_nodes();
    node(&mut snapshot, "b").state = Some(NodeState::Silent);
    let finding = find_one(&snapshot, "DR104").expect("it does not answer");
    assert_eq!(
        (finding.nodes.as_slice(), finding.severity),
        (&["b".to_owned()][..], Severity::Medium)
    );
    let mut link = |active: u64| {
        let link = NodeLink { active, ..NodeLink::default() };
        node(&mut snapshot, "a").links.insert("b".to_owned(), link);
        snapshot.clone()
    };
    let down = find_one(&link(0), "DR104").expect("it is down");
    assert_eq!((down.severity, down.remedies.len()), (Severity::High, 1));
    let reachable = find_one(&link(2), "DR104").expect("its port is closed");
    assert_eq!(reachable.severity, Severity::Medium);
    assert!(reachable.remedies[0].advice.contains("open its port"), "{reachable:?}");
}

#[test]
fn the_schema_of_a_node_that_is_down_is_out_of_date() {
    let mut snapshot = two_nodes();
    node(&mut snapshot, "a").schema_version = Some("x".to_owned());
    node(&mut snapshot, "b").schema_version = Some("y".to_owned());
    assert!(find_one(&snapshot, "DR102").is_some());
    node(&mut snapshot, "b").state = Some(NodeState::Silent);
    assert!(find_one(&snapshot, "DR102").is_none());
    let link = NodeLink { active: 2, ..NodeLink::default() };
    node(&mut snapshot, "a").links.insert("b".to_owned(), link);
    assert!(find_one(&snapshot, "DR102").is_some(), "others are connected to it");
}

#[test]
fn hints_are_judged_by_their_age() {
    const HOUR: i64 = 3_600_000;
    let keep = |age: i64, is_up: bool| {
        let mut snapshot = two_nodes();
        snapshot.collected_at_ms = Some(100 * HOUR);
        let hints =
            PendingHints { files: 3, oldest_ms: Some(100 * HOUR - age), is_up: Some(is_up) };
        node(&mut snapshot, "a").pending_hints.insert("b".to_owned(), hints);
        find_one(&snapshot, "DR109").expect("hints are pending")
    };
    for (age, is_up, severity) in [
        (HOUR / 60, true, Severity::Low),
        (HOUR, true, Severity::Medium),
        (HOUR, false, Severity::Low),
        (4 * HOUR, false, Severity::High),
    ] {
        let finding = keep(age, is_up);
        assert_eq!(finding.severity, severity, "{age} {is_up}");
        assert_eq!(finding.nodes, ["b"]);
        assert_eq!(figure(&finding, "files of hints"), Quantity::Count(3.0));
        assert_eq!(figure(&finding, "oldest hint"), Quantity::Seconds((age / 1_000) as f64));
    }
}

#[test]
fn members_are_compared() {
    let mut snapshot = two_nodes();
    node(&mut snapshot, "a").peers.insert("id-b".to_owned());
    node(&mut snapshot, "b").peers.insert("id-a".to_owned());
    assert!(find_one(&snapshot, "DR110").is_none());
    node(&mut snapshot, "b").peers.insert("id-gone".to_owned());
    let finding = find_one(&snapshot, "DR110").expect("only b lists it");
    assert_eq!(figure(&finding, "listed"), Quantity::Word("id-gone by 1 of 2".to_owned()));
}

#[test]
fn few_partition_keys_leave_ranges_empty() {
    let mut snapshot = two_nodes();
    let mut estimate = |name: &str, empty: u64, bytes: u64| {
        let ranges =
            RangeEstimates { ranges: 16, empty, is_local: true, ..RangeEstimates::default() };
        let figures = TableMeasurements {
            ranges: Some(ranges),
            live_bytes: Some(bytes),
            ..TableMeasurements::default()
        };
        node(&mut snapshot, name).tables.insert(TableName::new("one", "t"), figures);
        find_one(&snapshot, "DR007")
    };
    assert!(estimate("a", 16, 0).is_none());
    let finding = estimate("b", 13, 200_000_000).expect("3 of 32 ranges");
    assert_eq!(finding.nodes, ["b"]);
    assert_eq!(figure(&finding, "token ranges with rows"), Quantity::Count(3.0));
    assert!(
        finding.remedies[0]
            .cql
            .as_ref()
            .is_some_and(|cql| cql.contains("PRIMARY KEY ((k, shard), c)"))
    );
    assert!(estimate("b", 13, 50_000_000).is_none(), "it is small");
    assert!(estimate("b", 3, 200_000_000).is_none(), "13 of 32 ranges");
}
