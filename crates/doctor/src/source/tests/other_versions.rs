//! Layouts of 3.11, 4.x and `ScyllaDB`, written after their sources.

use super::collect;
use crate::snapshot::{NodeState, TableName};

#[test]
fn histograms_of_3_11_have_another_order() {
    for text in [
        "No SSTables exists, unable to calculate 'Partition Size' and 'Cell Count' percentiles\nks/empty histograms\nPercentile  SSTables     Write Latency      Read Latency    Partition Size        Cell Count\n                              (micros)          (micros)           (bytes)                  \n50%             0.00              0.00              0.00               NaN               NaN\nMax             0.00              0.00              0.00               NaN               NaN\n\nks/t histograms\nPercentile  SSTables     Write Latency      Read Latency    Partition Size        Cell Count\n                              (micros)          (micros)           (bytes)                  \n50%             1.00             35.43            263.21              1331                29\n99%             4.00            545.79          12108.97         129557750           2816159\nMin             0.00              4.77             11.87               104                 0\nMax             5.00          89970.66        1629722.00         155469300           4055269\n\n",
        "ks/t histograms\nPercentile  SSTables     Write Latency      Read Latency    Partition Size        Cell Count\n                              (micros)          (micros)           (bytes)                  \n50%             1.00             35.43            263.21              1331                29\n99%             4.00            545.79          12108.97         129557750           2816159\nMin             0.00              4.77             11.87               104                 0\nMax             5.00          89970.66        1629722.00         155469300           4055269\n",
    ] {
        let snapshot = collect(&[text]);
        let table = &snapshot.nodes[""].tables[&TableName::new("ks", "t")];
        assert_eq!(table.sstables_per_read.as_ref().unwrap().p99, Some(4.0));
        assert_eq!(table.partition_bytes.as_ref().unwrap().max, Some(155_469_300.0));
        assert_eq!(table.read_latency.as_ref().unwrap().milliseconds.p99, Some(12.10897));
        assert_eq!(table.write_latency.as_ref().unwrap().milliseconds.p50, Some(0.03543));
        assert!(snapshot.sources[0].problem.is_none());
    }
    let overflow = "Row sizes are larger than 1996099046, unable to calculate percentiles\nks/t histograms\nPercentile  SSTables     Write Latency      Read Latency    Partition Size        Cell Count\n50%             1.00             35.43            263.21               NaN                29\nMax             5.00             89.66            162.00        9223372036854776000           4055269\n";
    let snapshot = collect(&[overflow]);
    let table = &snapshot.nodes[""].tables[&TableName::new("ks", "t")];
    let bytes = table.partition_bytes.as_ref().unwrap();
    assert!(bytes.is_overflowed && bytes.p50.is_none());
    assert!(!table.partition_cells.as_ref().unwrap().is_overflowed);
}

#[test]
fn statistics_of_3_11_and_scylla() {
    let text = "Total number of tables: 37\n----------------\nKeyspace : shop\n\tRead Count: 1\n\tRead Latency: 1.5E+00 ms\n\tPending Flushes: 0\n\t\tTable: events\n\t\tSSTable count: 4\n\t\tSSTables in each level: [101/100, 3, 0]\n\t\tSpace used (live): 1.5 GiB\n\t\tSSTable Compression Ratio: 0.35\n\t\tNumber of partitions (estimate): 12\n\t\tLocal read count: 10\n\t\tLocal read latency: 1.250 ms\n\t\tPercent repaired: 12.5\n\t\tCompacted partition minimum bytes: 51\n\t\tCompacted partition maximum bytes: 155469300\n\t\tCompacted partition mean bytes: 1234\n\t\tAverage tombstones per slice (last five minutes): 12.5\n\t\tMaximum tombstones per slice (last five minutes): 1109\n\t\tDropped Mutations: 2 bytes\n\t\tTop partitions by size (last update: 2026-11-18T11:34:09Z):\n\t\t  Key        Size\n\t\t  a key:1    1.5 GiB\n\t\t  b          1.2 MiB\n\t\tTop partitions by tombstone count (last update: 2026-11-18T11:34:09Z):\n\t\t  Key    Count\n\t\t  x      12345\n\n----------------\n";
    let snapshot = collect(&[text]);
    let table = &snapshot.nodes[""].tables[&TableName::new("shop", "events")];
    assert_eq!(table.sstables_by_level, Some(vec![101, 3, 0]));
    assert_eq!(table.live_bytes, Some(1_610_612_736));
    assert_eq!(table.read_latency.as_ref().unwrap().milliseconds.mean, Some(1.25));
    assert_eq!(table.dropped_mutations, Some(2));
    assert_eq!(table.tombstones_per_read.as_ref().unwrap().mean, Some(12.5));
    let largest: Vec<_> =
        table.largest_partitions.iter().map(|one| (&*one.key, one.value)).collect();
    assert_eq!(largest, [("a key:1", 1_610_612_736), ("b", 1_258_291)]);
    assert_eq!((&*table.most_tombstones[0].key, table.most_tombstones[0].value), ("x", 12_345));
    assert_eq!(snapshot.sources[0].problem, None);
}

#[test]
fn pools_of_3_11() {
    let text = "Pool Name                         Active   Pending      Completed   Blocked  All time blocked\nReadStage                              3        12       89012345         0                 0\nNative-Transport-Requests             12        40        1234567         2               512\n\nMessage type           Dropped\nREAD                         7\nMUTATION                 12345\n";
    let snapshot = collect(&[text]);
    let node = &snapshot.nodes[""];
    assert_eq!(node.thread_pools["Native-Transport-Requests"].all_time_blocked, Some(512));
    assert_eq!(node.dropped["MUTATION"].count, 12_345);
    assert_eq!(snapshot.sources[0].problem, None);
}

#[test]
fn compaction_statistics_of_3_11() {
    let text = "pending tasks: 15\n- ks.t: 12\n- ks.other: 3\n\nid                                   compaction type keyspace table completed total     unit  progress\nf83f0670-e343-11f1-b843-17903b7865d8 Compaction      ks       t     123       456       bytes 26.97%\nActive compaction remaining time :   0h00m12s\n";
    let snapshot = collect(&[text]);
    let compaction = &snapshot.nodes[""].compaction;
    assert_eq!((compaction.pending, compaction.active), (Some(15), Some(1)));
    assert_eq!(compaction.pending_by_table[&TableName::new("ks", "t")], 12);
    assert_eq!(snapshot.sources[0].problem, None);
    let new = "concurrent compactors            2\npending tasks                    7\nks                               t          5\nks                               u          2\ncompactions completed            12\n";
    let snapshot = collect(&[new]);
    assert_eq!(snapshot.nodes[""].compaction.pending_by_table.len(), 2);
}

#[test]
fn several_nodes() {
    let status = "Datacenter: dc1\n===============\nStatus=Up/Down\n|/ State=Normal/Leaving/Joining/Moving\n--  Address    Load       Tokens       Owns (effective)  Host ID                               Rack\nUN  10.0.0.1   225.1 GiB  256          66.7%             948f9c05-569b-4e84-885e-e90fa8775b01  r1\nDN  10.0.0.2   ?          256          33.3%             948f9c05-569b-4e84-885e-e90fa8775b02  r2\nUJ  10.0.0.3   1.1 MiB    256          ?                 948f9c05-569b-4e84-885e-e90fa8775b03  r3\n";
    let cluster = "Cluster Information:\n\tName: prod\n\tSnitch: org.apache.cassandra.locator.GossipingPropertyFileSnitch\n\tSchema versions:\n\t\t2af2c434-5e4b-3838-9f33-8118e928956e: [10.0.0.1]\n\n\t\t3af2c434-5e4b-3838-9f33-8118e928956e: [10.0.0.3]\n\n\t\tUNREACHABLE: [10.0.0.2]\n\n";
    let mut collector = crate::source::Collector::new();
    collector.read("status", "node-10.0.0.1", status.as_bytes());
    collector.read("cluster", "node-10.0.0.1", cluster.as_bytes());
    collector.read("tp", "node-10.0.0.1", &b"Pool Name   Active Pending Completed Blocked All time blocked\nReadStage 0 0 5 0 0\n"[..]);
    let snapshot = collector.finish();
    let nodes: Vec<_> = snapshot.nodes.keys().map(String::as_str).collect();
    assert_eq!(nodes, ["10.0.0.2", "10.0.0.3", "node-10.0.0.1"]);
    assert_eq!(snapshot.nodes["10.0.0.2"].state, Some(NodeState::Down));
    assert_eq!(snapshot.nodes["10.0.0.3"].state, Some(NodeState::Joining));
    let own = &snapshot.nodes["node-10.0.0.1"];
    assert_eq!((own.owns_percent, own.state), (Some(66.7), Some(NodeState::Normal)));
    assert_ne!(own.schema_version, snapshot.nodes["10.0.0.3"].schema_version);
    assert_eq!(snapshot.cluster_name.as_deref(), Some("prod"));
}

#[test]
fn hot_partitions() {
    let text = "Frequency of reads by partition:\n   Table       Partition       Count +/-\n   shop.events sensor 0:today  1234  12\n   shop.users  17              5     0\n\nFrequency of writes by partition:\n   Nothing recorded during sampling period...\n\n";
    let snapshot = collect(&[text]);
    let events = &snapshot.nodes[""].tables[&TableName::new("shop", "events")];
    assert_eq!(
        (&*events.hottest_partitions[0].key, events.hottest_partitions[0].value),
        ("sensor 0:today", 1234)
    );
    assert_eq!(snapshot.sources[0].problem, None);
    let old = "READS Sampler:\n  Cardinality: ~2 (256 capacity)\n  Top 10 partitions:\n\tPartition     Count       +/-\n\ta                12         0\n";
    assert!(collect(&[old]).sources[0].problem.is_some());
}

#[test]
fn garbage_collection_logs() {
    let unified = "[2026-11-18T11:00:00.000+0000][info][gc] Using G1\n[2026-11-18T11:00:01.000+0000][info][gc,start] GC(0) Pause Young (Normal) (G1 Evacuation Pause)\n[2026-11-18T11:00:01.100+0000][info][gc] GC(0) Pause Young (Normal) (G1 Evacuation Pause) 24M->4M(256M) 100.5ms\n[2026-11-18T11:01:00.000+0000][info][gc] GC(1) Pause Full (System.gc()) 24M->4M(256M) 1200.0ms\n";
    let old = "OpenJDK 64-Bit Server VM (25.252-b09) for linux-amd64 JRE\n2020-01-01T00:00:00.000+0000: 0.5: [GC pause (G1 Evacuation Pause) (young), 0.1005 secs]\n   [Parallel Time: 3.1 ms, GC Workers: 2]\n2020-01-01T00:01:00.000+0000: 60.5: [Full GC (Allocation Failure)  1K->2K(3K), 1.2 secs]\n";
    for text in [unified, old] {
        let snapshot = collect(&[text]);
        let collection = snapshot.nodes[""].garbage_collection.clone().unwrap();
        assert_eq!(
            (collection.pauses, collection.max_ms, collection.total_ms),
            (2, 1200.0, 1300.5)
        );
        assert_eq!(collection.interval_ms, Some(60_000.0));
    }
}
