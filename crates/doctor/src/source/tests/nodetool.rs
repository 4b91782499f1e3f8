//! `nodetool` of 5.0.8.

use super::{collect, fixture};
use crate::Snapshot;
use crate::snapshot::{NodeState, Percentiles, ServerVersion, TableMeasurements, TableName};

fn table<'a>(snapshot: &'a Snapshot, name: &str) -> &'a TableMeasurements {
    &snapshot.nodes[""].tables[&TableName::new("shop", name)]
}

#[test]
fn table_statistics_as_text() {
    let snapshot = collect(&[fixture("tablestats_5_0.txt")]);
    let events = table(&snapshot, "events");
    assert_eq!(events.sstable_count, Some(1));
    assert_eq!((events.live_bytes, events.total_bytes), (Some(42_638), Some(42_638)));
    assert_eq!(events.partitions, Some(20));
    assert_eq!((events.reads, events.writes), (Some(1), Some(3000)));
    let bytes = events.partition_bytes.as_ref().unwrap();
    assert_eq!((bytes.min, bytes.max), (Some(5723.0), Some(263_210.0)));
    assert_eq!(events.droppable_tombstone_ratio, Some(0.0));
    assert_eq!(table(&snapshot, "lcs").sstables_by_level.as_ref().unwrap().len(), 9);
    let queue = table(&snapshot, "queue");
    assert_eq!(queue.tombstones_per_read.as_ref().unwrap().max, Some(2299.0));
    // Nothing was measured of a table without data.
    let empty = table(&snapshot, "Mixed");
    assert_eq!((&empty.partition_bytes, empty.compression_ratio), (&None, None));
    assert!(snapshot.nodes[""].tables.contains_key(&TableName::new("shop", "users.users_email")));
}

#[test]
fn table_statistics_may_have_lost_their_indentation() {
    let text = fixture("tablestats_5_0.txt");
    let snapshot = collect(&[text]);
    let expected = &snapshot.nodes[""].tables;
    let flat: Vec<&str> = text.lines().map(str::trim_start).collect();
    for pasted in [flat.join("\n"), text.replace('\t', "    ")] {
        let snapshot = collect(&[&pasted]);
        let found = &snapshot.nodes[""].tables;
        assert_eq!(found.keys().collect::<Vec<_>>(), expected.keys().collect::<Vec<_>>());
        for (table, figures) in found {
            assert_eq!(figures.partition_bytes, expected[table].partition_bytes, "{table:?}");
            assert_eq!(figures.sstable_count, expected[table].sstable_count, "{table:?}");
        }
    }
}

#[test]
fn table_statistics_are_the_same_in_all_formats() {
    let text = collect(&[fixture("tablestats_5_0.txt")]);
    for name in ["tablestats_5_0.json", "tablestats_5_0.yaml", "tablestats_5_0_human.txt"] {
        let other = collect(&[fixture(name)]);
        for table_name in ["events", "lcs"] {
            let (one, two) = (table(&text, table_name), table(&other, table_name));
            assert_eq!(one.sstable_count, two.sstable_count, "{name} {table_name}");
            assert_eq!(
                one.partition_bytes.as_ref().unwrap().max,
                two.partition_bytes.as_ref().unwrap().max,
                "{name}"
            );
            assert_eq!((one.reads, one.writes), (two.reads, two.writes), "{name}");
            assert_eq!(one.sstables_by_level, two.sstables_by_level, "{name}");
            assert_eq!(
                one.tombstones_per_read.is_some(),
                two.tombstones_per_read.is_some(),
                "{name}"
            );
            let (exact, rounded) = (one.live_bytes.unwrap() as f64, two.live_bytes.unwrap() as f64);
            assert!((exact - rounded).abs() / exact < 0.01, "{name}: {exact} {rounded}");
        }
    }
    let sorted = collect(&[fixture("tablestats_5_0_sorted.txt")]);
    assert_eq!(sorted.nodes[""].tables.len(), 3);
    assert!(sorted.nodes[""].tables.keys().all(|name| !name.keyspace.is_empty()));
}

#[test]
fn histograms() {
    let snapshot = collect(&[fixture("tablehistograms_5_0.txt")]);
    let events = table(&snapshot, "events");
    let bytes = events.partition_bytes.as_ref().unwrap();
    assert_eq!(
        (bytes.p50, bytes.p95, bytes.p99, bytes.max),
        (Some(6866.0), Some(6866.0), Some(263_210.0), Some(263_210.0))
    );
    assert_eq!(events.partition_cells.as_ref().unwrap().max, Some(2299.0));
    let read = &events.read_latency.as_ref().unwrap().milliseconds;
    assert_eq!((read.min, read.max), (Some(9.888), Some(11.864)));
    assert_eq!(events.write_latency.as_ref().unwrap().milliseconds.p99, Some(0.179));
    assert!(
        !snapshot.nodes[""].tables.contains_key(&TableName::new("shop", "Mixed")) || {
            let mixed = table(&snapshot, "Mixed");
            mixed.partition_bytes.is_none() && mixed.read_latency.is_none()
        }
    );
}

#[test]
fn histograms_add_to_statistics() {
    for order in [
        ["tablestats_5_0.txt", "tablehistograms_5_0.txt"],
        ["tablehistograms_5_0.txt", "tablestats_5_0.txt"],
    ] {
        let snapshot = collect(&order.map(fixture));
        let bytes = table(&snapshot, "events").partition_bytes.clone().unwrap();
        assert!(matches!(bytes, Percentiles { p99: Some(_), mean: Some(_), .. }), "{order:?}");
    }
}

#[test]
fn thread_pools_and_dropped_messages() {
    for name in ["tpstats_5_0.txt", "tpstats_5_0.json", "tpstats_5_0.yaml"] {
        let snapshot = collect(&[fixture(name)]);
        let node = &snapshot.nodes[""];
        assert_eq!(node.thread_pools["ReadStage"].completed, Some(195), "{name}");
        assert_eq!(node.thread_pools["ReadStage"].all_time_blocked, Some(0), "{name}");
        assert!(node.dropped.values().all(|dropped| dropped.count == 0), "{name}");
        assert!(node.dropped.len() >= 3, "{name}");
    }
}

#[test]
fn compaction() {
    let snapshot =
        collect(&[fixture("compactionstats_5_0.txt"), fixture("getcompactionthroughput_5_0.txt")]);
    let compaction = &snapshot.nodes[""].compaction;
    assert_eq!(
        (compaction.pending, compaction.completed, compaction.concurrent),
        (Some(0), Some(12), Some(2))
    );
    assert_eq!((compaction.throughput_mb, compaction.active), (Some(64.0), Some(0)));
    for name in
        ["compactionhistory_5_0.txt", "compactionhistory_5_0.json", "compactionhistory_5_0.yaml"]
    {
        let snapshot = collect(&[fixture(name)]);
        let history =
            &snapshot.nodes[""].compaction.history[&TableName::new("system_schema", "tables")];
        assert_eq!(
            (history.compactions, history.bytes_in, history.bytes_out),
            (1, 5180, 4220),
            "{name}"
        );
        assert_eq!(history.last_ms, Some(1_795_001_649_295), "{name}");
    }
}

#[test]
fn the_node_and_its_ring() {
    let names = [
        "info_5_0.txt",
        "status_5_0.txt",
        "ring_5_0.txt",
        "describecluster_5_0.txt",
        "netstats_5_0.txt",
    ];
    let snapshot = collect(&names.map(fixture));
    assert_eq!(snapshot.cluster_name.as_deref(), Some("oracle"));
    // The id of the host tells that the address is the node that the files are from.
    let nodes: Vec<_> = snapshot.nodes.keys().collect();
    assert_eq!(nodes, [""]);
    let node = &snapshot.nodes[""];
    assert_eq!(node.uptime_seconds, Some(97));
    assert_eq!(node.heap_max_bytes, Some(512 << 20));
    assert_eq!(node.load_bytes, Some(230_502));
    assert_eq!(
        (node.datacenter.as_deref(), node.rack.as_deref()),
        (Some("datacenter1"), Some("rack1"))
    );
    assert_eq!((node.state, node.owns_percent), (Some(NodeState::Normal), Some(100.0)));
    assert_eq!(node.version, Some(ServerVersion { major: 5, minor: 0, patch: 8 }));
    assert_eq!(node.schema_version.as_deref(), Some("2af2c434-5e4b-3838-9f33-8118e928956e"));
    assert_eq!(node.exceptions, Some(0));
}

#[test]
fn garbage_collection_and_clients() {
    let snapshot = collect(&[fixture("gcstats_5_0.txt"), fixture("clientstats_5_0.txt")]);
    let node = &snapshot.nodes[""];
    let collection = node.garbage_collection.as_ref().unwrap();
    assert_eq!((collection.pauses, collection.max_ms, collection.total_ms), (3, 137.0, 250.0));
    assert_eq!(collection.interval_ms, Some(94_130.0));
    assert_eq!(node.clients.as_ref().unwrap().connections, 0);
}
