//! The readers on output of a real Cassandra 5.0.8 (`fixtures`), on the layouts of other versions and
//! on damaged input.

mod damage;
mod logs;
mod nodetool;
mod other_versions;
mod tools;

use super::Collector;
use crate::Snapshot;

/// All files of `fixtures`, with the kind that each is.
const FIXTURES: [(&str, &str, &str); 29] = [
    (
        "clientstats_5_0.txt",
        include_str!("../fixtures/clientstats_5_0.txt"),
        "nodetool clientstats",
    ),
    (
        "compactionhistory_5_0.json",
        include_str!("../fixtures/compactionhistory_5_0.json"),
        "nodetool compactionhistory",
    ),
    (
        "compactionhistory_5_0.txt",
        include_str!("../fixtures/compactionhistory_5_0.txt"),
        "nodetool compactionhistory",
    ),
    (
        "compactionhistory_5_0.yaml",
        include_str!("../fixtures/compactionhistory_5_0.yaml"),
        "nodetool compactionhistory",
    ),
    (
        "compactionstats_5_0.txt",
        include_str!("../fixtures/compactionstats_5_0.txt"),
        "nodetool compactionstats",
    ),
    ("debug_5_0.log", include_str!("../fixtures/debug_5_0.log"), "log"),
    (
        "describecluster_5_0.txt",
        include_str!("../fixtures/describecluster_5_0.txt"),
        "nodetool describecluster",
    ),
    ("gcstats_5_0.txt", include_str!("../fixtures/gcstats_5_0.txt"), "nodetool gcstats"),
    (
        "getcompactionthroughput_5_0.txt",
        include_str!("../fixtures/getcompactionthroughput_5_0.txt"),
        "nodetool getcompactionthroughput",
    ),
    ("info_5_0.txt", include_str!("../fixtures/info_5_0.txt"), "nodetool info"),
    ("netstats_5_0.txt", include_str!("../fixtures/netstats_5_0.txt"), "nodetool netstats"),
    (
        "profileload_5_0.txt",
        include_str!("../fixtures/profileload_5_0.txt"),
        "nodetool toppartitions or profileload",
    ),
    ("ring_5_0.txt", include_str!("../fixtures/ring_5_0.txt"), "nodetool ring"),
    (
        "sstablemetadata_5_0.txt",
        include_str!("../fixtures/sstablemetadata_5_0.txt"),
        "sstablemetadata",
    ),
    (
        "sstablemetadata_5_0_scan.txt",
        include_str!("../fixtures/sstablemetadata_5_0_scan.txt"),
        "sstablemetadata",
    ),
    (
        "sstablepartitions_5_0.csv",
        include_str!("../fixtures/sstablepartitions_5_0.csv"),
        "sstablepartitions",
    ),
    (
        "sstablepartitions_5_0.txt",
        include_str!("../fixtures/sstablepartitions_5_0.txt"),
        "sstablepartitions",
    ),
    ("status_5_0.txt", include_str!("../fixtures/status_5_0.txt"), "nodetool status"),
    ("system_5_0.log", include_str!("../fixtures/system_5_0.log"), "log"),
    (
        "tablehistograms_5_0.txt",
        include_str!("../fixtures/tablehistograms_5_0.txt"),
        "nodetool tablehistograms",
    ),
    ("tablestats_5_0.json", include_str!("../fixtures/tablestats_5_0.json"), "nodetool tablestats"),
    ("tablestats_5_0.txt", include_str!("../fixtures/tablestats_5_0.txt"), "nodetool tablestats"),
    ("tablestats_5_0.yaml", include_str!("../fixtures/tablestats_5_0.yaml"), "nodetool tablestats"),
    (
        "tablestats_5_0_human.txt",
        include_str!("../fixtures/tablestats_5_0_human.txt"),
        "nodetool tablestats",
    ),
    (
        "tablestats_5_0_sorted.txt",
        include_str!("../fixtures/tablestats_5_0_sorted.txt"),
        "nodetool tablestats",
    ),
    ("tpstats_5_0.json", include_str!("../fixtures/tpstats_5_0.json"), "nodetool tpstats"),
    ("tpstats_5_0.txt", include_str!("../fixtures/tpstats_5_0.txt"), "nodetool tpstats"),
    ("tpstats_5_0.yaml", include_str!("../fixtures/tpstats_5_0.yaml"), "nodetool tpstats"),
    ("cassandra_5_0.yaml", include_str!("../fixtures/cassandra_5_0.yaml"), "cassandra.yaml"),
];

/// The text of a fixture.
fn fixture(name: &str) -> &'static str {
    FIXTURES.iter().find(|(known, ..)| *known == name).expect("a fixture").1
}

/// Reads texts as files of one node.
fn collect(texts: &[&str]) -> Snapshot {
    let mut collector = Collector::new();
    for (at, text) in texts.iter().enumerate() {
        collector.read(&format!("file{at}"), "", text.as_bytes());
    }
    collector.finish()
}

#[test]
fn every_fixture_is_recognised_whatever_its_name() {
    for (name, text, kind) in FIXTURES {
        let mut collector = Collector::new();
        collector.read("x", "node1", text.as_bytes());
        let snapshot = collector.finish();
        let found: Vec<_> =
            snapshot.sources.iter().map(|source| (source.kind, &source.problem)).collect();
        assert_eq!(found, [(Some(kind), &None)], "{name}");
    }
}

#[test]
fn several_outputs_in_one_file_are_told_apart() {
    let order = [
        "status_5_0.txt",
        "tpstats_5_0.txt",
        "info_5_0.txt",
        "tablestats_5_0.json",
        "netstats_5_0.txt",
        "compactionstats_5_0.txt",
        "tablestats_5_0.txt",
        "gcstats_5_0.txt",
        "sstablepartitions_5_0.txt",
        "describecluster_5_0.txt",
        "tablehistograms_5_0.txt",
        "getcompactionthroughput_5_0.txt",
        "compactionhistory_5_0.txt",
        "ring_5_0.txt",
        "system_5_0.log",
    ];
    let text: Vec<String> =
        order.iter().map(|name| format!("$ some command\n{}\n", fixture(name))).collect();
    let snapshot = collect(&[&text.concat()]);
    let kinds: Vec<_> = snapshot.sources.iter().filter_map(|source| source.kind).collect();
    let kind_of = |name: &&str| FIXTURES.iter().find(|(known, ..)| known == name).unwrap().2;
    let mut expected: Vec<_> = order.iter().map(kind_of).collect();
    // The second output of a kind joins the first.
    let mut seen = Vec::new();
    expected.retain(|kind| {
        !seen.contains(kind) && {
            seen.push(*kind);
            true
        }
    });
    assert_eq!(kinds, expected);
    assert!(
        snapshot.sources.iter().all(|source| source.problem.is_none()),
        "{:?}",
        snapshot.sources
    );
}

#[test]
fn headings_name_the_nodes() {
    let stats = fixture("compactionstats_5_0.txt");
    let text = format!(
        "=== 10.0.0.1 ===\n{stats}\n=== 10.0.0.2 ===\n{}",
        stats.replace("0          ", "7          ")
    );
    let snapshot = collect(&[&text]);
    let pending: Vec<_> =
        snapshot.nodes.iter().map(|(name, node)| (&**name, node.compaction.pending)).collect();
    assert_eq!(pending, [("10.0.0.1", Some(0)), ("10.0.0.2", Some(7))]);
    // The name of the folder counts more.
    let mut collector = Collector::new();
    collector.read("all.txt", "node9", text.as_bytes());
    assert_eq!(collector.finish().nodes.keys().collect::<Vec<_>>(), ["node9"]);
}

#[test]
fn what_is_not_recognised_is_recorded_without_a_kind() {
    let snapshot = collect(&["some notes\nabout nothing\n", ""]);
    assert!(snapshot.sources.iter().all(|source| source.kind.is_none()));
    assert_eq!(snapshot.sources.len(), 2);
    assert!(snapshot.nodes.is_empty());
    let mut collector = Collector::new();
    collector.read(
        "20200101-00.cq4",
        "",
        &b"\x00\x00@\xc1\x03\x00\x00\xb9\x06header\xb6\x07SCQStore\x82"[..],
    );
    collector.read("system.log.gz", "", &b"\x1f\x8b\x08\x00\x00"[..]);
    let snapshot = collector.finish();
    let found: Vec<_> = snapshot.sources.iter().map(|source| source.kind.unwrap()).collect();
    assert_eq!(found, ["full query log or audit log", "gzip archive"]);
    assert!(snapshot.sources.iter().all(|source| source.problem.is_some()));
}
