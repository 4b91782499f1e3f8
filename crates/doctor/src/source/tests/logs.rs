//! Logs of 5.0.8, and single sentences of other versions.

use super::{collect, fixture};
use crate::Snapshot;
use crate::snapshot::{EventKind, EventSummary, StatementOrigin, TableName};

fn events<'a>(snapshot: &'a Snapshot, kind: EventKind, table: &str) -> &'a EventSummary {
    let groups: Vec<_> = snapshot.nodes[""].log.groups_of(kind).collect();
    let is_named =
        |name: Option<&TableName>| name.map(ToString::to_string).unwrap_or_default() == table;
    let found = groups.iter().find(|(name, ..)| is_named(*name));
    found.unwrap_or_else(|| panic!("{kind:?} of {table}: {groups:?}")).2
}

/// The log of a single message in Cassandra's layout.
fn log(message: &str) -> Snapshot {
    collect(&[&format!("WARN  [ReadStage-1] 2026-11-18 11:34:16,350 File.java:1 - {message}\n")])
}

#[test]
fn the_system_log() {
    let snapshot = collect(&[fixture("system_5_0.log")]);
    let warning = events(&snapshot, EventKind::TombstoneWarning, "shop.queue");
    assert_eq!((warning.count, warning.max), (2, Some(2001.0)));
    assert_eq!(warning.first_ms, Some(1_795_001_656_350));
    let failure =
        events(&snapshot, EventKind::TombstoneFailure, "shop.queue").worst.clone().unwrap();
    assert_eq!(failure.value, Some(2001.0));
    assert_eq!(
        failure.statement.as_deref(),
        Some("SELECT * FROM shop.queue WHERE q = 'bad' LIMIT 5000 ALLOW FILTERING")
    );
    assert!(failure.key.unwrap().starts_with("(bad), "));
    let large = events(&snapshot, EventKind::LargePartition, "shop.events").worst.clone().unwrap();
    assert_eq!((large.value, large.key.as_deref()), (Some(257_704.0), Some("sensor 0:2026-11-18")));
    let tombstones = events(&snapshot, EventKind::PartitionTombstones, "shop.queue");
    assert_eq!((tombstones.count, tombstones.max), (2, Some(2100.0)));
    assert_eq!(events(&snapshot, EventKind::LargeCell, "shop.users").max, Some(1424.0));
    assert_eq!(events(&snapshot, EventKind::BatchSize, "shop.users").max, Some(3239.0));
    assert_eq!(events(&snapshot, EventKind::UnloggedBatch, "shop.users").max, Some(12.0));
    assert_eq!(events(&snapshot, EventKind::LoggedBatchWithoutGrace, "shop.zerograce").count, 1);
    assert_eq!(events(&snapshot, EventKind::AggregationWithoutKey, "shop.events").count, 1);
    assert_eq!(events(&snapshot, EventKind::GcPause, "").max, Some(309.0));
    assert_eq!(events(&snapshot, EventKind::Restart, "").count, 1);
    let node = &snapshot.nodes[""];
    assert_eq!(
        node.version.map(|version| (version.major, version.minor, version.patch)),
        Some((5, 0, 8))
    );
    assert_eq!(node.log.lines, 29);
    assert_eq!(node.log.last_ms, Some(1_795_001_720_864));
}

#[test]
fn the_debug_log_has_the_slow_queries() {
    let snapshot = collect(&[fixture("debug_5_0.log")]);
    let slow = events(&snapshot, EventKind::SlowQuery, "shop.events");
    assert_eq!((slow.count, slow.max), (2, Some(90.0)));
    let (shape, statement) = snapshot
        .statements
        .iter()
        .find(|(shape, _)| shape.text.contains("shop.users WHERE id"))
        .unwrap();
    assert_eq!(shape.text, "SELECT * FROM shop.users WHERE id = ? LIMIT ?");
    assert_eq!(
        (statement.count, statement.max_ms, statement.total_ms, statement.timed),
        (3, Some(33.0), 85.0, 3)
    );
    let roles =
        snapshot.statements.iter().find(|(shape, _)| shape.text.contains("roles")).unwrap().1;
    assert_eq!((roles.count, roles.max_ms, roles.total_ms), (2, Some(335.0), 344.0));
    assert!(
        snapshot
            .statements
            .values()
            .any(|one| one.origins.contains(&StatementOrigin::TombstoneWarning))
    );
    assert!(
        snapshot
            .statements
            .keys()
            .all(|shape| !shape.text.contains("FILTERING") && !shape.text.contains('\''))
    );
}

#[test]
fn what_two_files_report_is_counted_once() {
    let (system, debug) = (fixture("system_5_0.log"), fixture("debug_5_0.log"));
    let snapshot = collect(&[system, debug, system]);
    assert_eq!(events(&snapshot, EventKind::TombstoneWarning, "shop.queue").count, 2);
    assert_eq!(events(&snapshot, EventKind::Restart, "").count, 1);
    // Within one file, two equal lines are two events.
    let line = "WARN  [a] 2026-11-18 11:34:16,350 F.java:1 - Batch for [ks.t] is of size 6.1KiB, exceeding specified threshold of 5KiB by 1KiB.\n";
    assert_eq!(events(&collect(&[&line.repeat(3)]), EventKind::BatchSize, "ks.t").count, 3);
}

#[test]
fn tombstones_of_all_versions() {
    for (message, table, tombstones, live) in [
        (
            "Read 12 live rows and 3400 tombstone cells for query SELECT * FROM ks.t WHERE k = a b LIMIT 10 (see tombstone_warn_threshold)",
            "ks.t",
            3400.0,
            Some(12),
        ),
        (
            "Read 0 live and 1500 tombstone cells in ks.t for key: k1 (see tombstone_warn_threshold). 5000 columns were requested, slices=[-]",
            "ks.t",
            1500.0,
            Some(0),
        ),
        (
            "Read 11 live and 1411 tombstoned cells in cma.records (see tombstone_warn_threshold). 5000 columns was requested, slices=[-]",
            "cma.records",
            1411.0,
            Some(11),
        ),
        (
            "Read 98 live cells and 12600 dead cells/tombstones for shop.orders <partition-range-scan> (-inf, +inf) (see tombstone_warn_threshold)",
            "shop.orders",
            12_600.0,
            Some(98),
        ),
        (
            "Read 1 live rows and 2000 dead rows/tombstones for ks.t partition key \"k 1\" {key: k 1, token: 5} (see tombstone_warn_threshold)",
            "ks.t",
            2000.0,
            Some(1),
        ),
        (
            "2 nodes scanned up to 1200 tombstones and issued tombstone warnings for query SELECT * FROM ks.t WHERE k = 1 (see tombstone_warn_threshold)",
            "ks.t",
            1200.0,
            None,
        ),
    ] {
        let snapshot = log(message);
        let worst = events(&snapshot, EventKind::TombstoneWarning, table).worst.clone().unwrap();
        assert_eq!((worst.value, worst.live_rows), (Some(tombstones), live), "{message}");
    }
    let aborted = log(
        "Scanned over 100001 tombstones in ks.t for key: x; query aborted (see tombstone_failure_threshold)",
    );
    assert_eq!(events(&aborted, EventKind::TombstoneFailure, "ks.t").count, 1);
    let exception = "ERROR [ReadStage-1] 2026-11-18 11:34:16,350 F.java:1 - Uncaught exception on thread Thread[ReadStage-1,5,main]\n\
        org.apache.cassandra.db.filter.TombstoneOverwhelmingException: Scanned over 100001 tombstones during query 'SELECT * FROM ks.t WHERE k = 1' (last scanned row token was 1 and partion key was (1)); query aborted\n\
        \tat org.apache.cassandra.db.ReadCommand.x(ReadCommand.java:1)\n";
    let snapshot = collect(&[exception]);
    assert_eq!(events(&snapshot, EventKind::TombstoneFailure, "ks.t").max, Some(100_001.0));
}

#[test]
fn partitions_of_all_versions() {
    for (message, kind, value, key) in [
        (
            "Writing large partition ks/t:a:b (123.500MiB) to sstable /d/nb-1-big-Data.db",
            EventKind::LargePartition,
            129_499_136.0,
            Some("a:b"),
        ),
        (
            "Compacting large partition ks/t:key (1) (104858889 bytes)",
            EventKind::LargePartition,
            104_858_889.0,
            Some("key (1)"),
        ),
        (
            "Writing large partition ks/t:  (1200031 bytes/100001 rows) to me-big-Data.db",
            EventKind::LargePartition,
            1_200_031.0,
            None,
        ),
        (
            "Writing large row ks/t: pk ck (12000000 bytes) to me-big-Data.db",
            EventKind::LargeRow,
            12_000_000.0,
            Some("pk ck"),
        ),
        (
            "Writing large collection ks/t: tags (2000000 bytes) to me-big-Data.db",
            EventKind::LargeCell,
            2_000_000.0,
            Some("tags"),
        ),
        (
            "Writing 150000 tombstones to ks/t:key in sstable /d/nb-1-big-Data.db",
            EventKind::PartitionTombstones,
            150_000.0,
            Some("key"),
        ),
    ] {
        let worst = events(&log(message), kind, "ks.t").worst.clone().unwrap();
        assert_eq!((worst.value, worst.key.as_deref()), (Some(value), key), "{message}");
    }
}

#[test]
fn the_state_of_a_node() {
    for (message, kind, value, label) in [
        (
            "MUTATION messages were dropped in last 5000 ms: 12 internal and 3 cross node. Mean internal dropped latency: 2100 ms",
            EventKind::DroppedMessages,
            Some(15.0),
            Some("MUTATION"),
        ),
        (
            "_TRACE messages were dropped in last 5000 ms: 2 for internal timeout and 1 for cross node timeout",
            EventKind::DroppedMessages,
            Some(3.0),
            Some("_TRACE"),
        ),
        (
            "8 prepared statements discarded in the last minute because cache limit reached (10 MiB)",
            EventKind::PreparedStatementsEvicted,
            Some(8.0),
            None,
        ),
        (
            "ConcurrentMarkSweep GC in 1309ms.  CMS Old Gen: 1 -> 0",
            EventKind::GcPause,
            Some(1309.0),
            Some("ConcurrentMarkSweep"),
        ),
        (
            "InetAddress /10.0.0.7:7000 is now DOWN",
            EventKind::NodeDown,
            None,
            Some("10.0.0.7:7000"),
        ),
        ("[repair #a] Session completed successfully", EventKind::RepairCompleted, None, None),
        (
            "[repair #a] Cannot proceed on repair because a neighbor (/10.0.0.7) is dead: session failed",
            EventKind::RepairFailed,
            None,
            None,
        ),
        (
            "Guardrail allow_filtering violated: Querying with ALLOW FILTERING is not allowed.",
            EventKind::Guardrail,
            None,
            Some("allow_filtering"),
        ),
        (
            "Guardrail partition_keys_in_select violated: Query with partition keys in IN clause on table users, with number of partition keys 60 exceeds warning threshold of 10.",
            EventKind::LargeIn,
            Some(60.0),
            Some("partition_keys_in_select"),
        ),
        (
            "Guardrail tables violated: Creating table t9, current number of tables 6 exceeds warning threshold of 5.",
            EventKind::TooManyTables,
            Some(6.0),
            Some("tables"),
        ),
    ] {
        let snapshot = log(message);
        let groups: Vec<_> = snapshot.nodes[""].log.groups_of(kind).collect();
        let [(_, found, summary)] = *groups else {
            panic!("{message}: {:?}", snapshot.nodes[""].log)
        };
        assert_eq!((found, summary.max), (label, value), "{message}");
    }
}

#[test]
fn messages_that_only_begin_alike_are_no_events() {
    for quiet in [
        "InetAddress /10.0.0.7:7000 is now UP",
        "Shenandoah Cycles GC in 300ms.",
        "Writing Memtable-x@1(1 serialized bytes)",
        "G1 something else",
        "[repair #a] new session",
    ] {
        assert!(log(quiet).nodes[""].log.groups.is_empty(), "{quiet}");
    }
}

#[test]
fn thread_pools_after_a_pause() {
    let line = |text: &str| {
        format!("INFO  [Service Thread] 2026-11-18 11:34:16,350 StatusLogger.java:47 - {text}\n")
    };
    let text = [
        line(
            "Pool Name                    Active   Pending      Completed   Blocked  All Time Blocked",
        ),
        line(
            "MutationStage                    32     12345       63234342         0                 0",
        ),
        line(
            "ReadStage                         0         0         123456         0                 0",
        ),
    ];
    let snapshot = collect(&[&text.concat()]);
    let groups: Vec<_> = snapshot.nodes[""].log.groups_of(EventKind::BusyThreadPool).collect();
    assert_eq!(groups.len(), 1);
    assert_eq!((groups[0].1, groups[0].2.max), (Some("MutationStage"), Some(12_345.0)));
}

#[test]
fn entries_of_other_layouts_follow_one_another() {
    let line = |second: u32, text: &str| {
        format!(
            "2026-11-18T11:34:{second}.350Z stdout F DEBUG [x] 2026-11-18 11:34:{second},350 F.java:1 - {text}\n"
        )
    };
    let text = [
        line(10, "something"),
        line(
            11,
            "2 operations were slow in the last 5000 msecs:\n<SELECT * FROM ks.t WHERE k = 1>, time 600 msec - slow timeout 500 msec",
        ),
        line(12, "the end"),
    ];
    let snapshot = collect(&[&text.concat()]);
    assert_eq!(events(&snapshot, EventKind::SlowQuery, "ks.t").max, Some(600.0));
    let log = &snapshot.nodes[""].log;
    assert_eq!((log.lines, log.last_ms.unwrap() - log.first_ms.unwrap()), (4, 2000));
}

#[test]
fn scylla() {
    let text = "INFO  2024-12-03 13:05:00,004 [shard 0] init - Scylla version 5.4.1-0.20231231.3d22f42cf9c3 with build-id 1 starting ...\n\
        WARN  2024-12-03 13:05:02,004 [shard 1:  mt] large_data - Writing large partition ks/t: k1 (1200031 bytes) to me-big-Data.db\n\
        WARN  2024-12-03 13:05:03,004 [shard 1] seastar_memory - oversized allocation: 1048576 bytes. This is non-fatal, but could lead to latency\n";
    let snapshot = collect(&[text]);
    let node = &snapshot.nodes[""];
    assert_eq!(node.product, Some(crate::snapshot::Product::Scylla));
    assert_eq!(events(&snapshot, EventKind::LargePartition, "ks.t").max, Some(1_200_031.0));
    assert_eq!(events(&snapshot, EventKind::LargeAllocation, "").max, Some(1_048_576.0));
}
