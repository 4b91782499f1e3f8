//! The state of the node: pauses, dropped messages, versions, schema, repair, disks.

#![expect(clippy::unnecessary_wraps, reason = "the readers of all sentences have one signature")]

use super::event_sink::EventSink;
use crate::snapshot::{EventDetails, EventKind, Product, ServerVersion, TableName};
use crate::source::phrase::{Phrase, has_words};
use crate::source::quantity::parse_count;

/// An event without figures.
fn report(
    kind: EventKind,
    table: Option<TableName>,
    label: Option<&str>,
    sink: &mut EventSink<'_, '_>,
) {
    let label = label.map(str::to_owned);
    sink.event(kind, table, EventDetails { times: 1, label, ..EventDetails::default() });
}

/// A message that says nothing itself.
pub(super) fn ignore(_message: &str, _sink: &mut EventSink<'_, '_>) -> Option<()> {
    None
}

/// `G1 Young Generation GC in 309ms.  G1 Eden Space: ...`
pub(super) fn read_pause(message: &str, sink: &mut EventSink<'_, '_>) -> Option<()> {
    let mut phrase = Phrase::new(message);
    let collector = phrase.take_until(" GC in ")?;
    report_pause(collector, phrase.take_count()?, sink)
}

/// `GC for ParNew: 309 ms for 1 collections, ...` (up to 2.0)
pub(super) fn read_old_pause(message: &str, sink: &mut EventSink<'_, '_>) -> Option<()> {
    let mut phrase = Phrase::new(message);
    phrase.skip("GC for ")?;
    let collector = phrase.take_until(": ")?;
    report_pause(collector, phrase.take_count()?, sink)
}

fn report_pause(collector: &str, milliseconds: u64, sink: &mut EventSink<'_, '_>) -> Option<()> {
    // Cycles that run beside the program are no pauses.
    if collector.len() > 60
        || has_words(collector, "Cycles")
        || has_words(collector, "Concurrent GC")
    {
        return None;
    }
    let details = EventDetails {
        value: Some(milliseconds as f64),
        times: 1,
        label: Some(collector.to_owned()),
        ..EventDetails::default()
    };
    sink.event(EventKind::GcPause, None, details);
    Some(())
}

/// `MUTATION_REQ messages were dropped in last 5000 ms: 12 internal and 3 cross node. ...`
pub(super) fn read_dropped(message: &str, sink: &mut EventSink<'_, '_>) -> Option<()> {
    let mut phrase = Phrase::new(message);
    let verb = phrase.take_until(" messages were dropped")?;
    phrase.take_until(" ms: ")?;
    let internal = phrase.take_count()?;
    let cross_node = phrase.take_until(" and ").and_then(|_| phrase.take_count()).unwrap_or(0);
    let details = EventDetails {
        value: Some((internal + cross_node) as f64),
        times: 1,
        label: Some(verb.to_owned()),
        ..EventDetails::default()
    };
    sink.event(EventKind::DroppedMessages, None, details);
    Some(())
}

/// `12 prepared statements discarded in the last minute because cache limit reached (10 MB)`
pub(super) fn read_evicted(message: &str, sink: &mut EventSink<'_, '_>) -> Option<()> {
    let count = Phrase::new(message).take_count()?;
    let details = EventDetails { value: Some(count as f64), times: 1, ..EventDetails::default() };
    sink.event(EventKind::PreparedStatementsEvicted, None, details);
    Some(())
}

/// A row of the thread pools that are logged after a pause: the name and five counts.
pub(super) fn read_pool_row(message: &str, sink: &mut EventSink<'_, '_>) -> Option<()> {
    let mut words = message.split_ascii_whitespace();
    let pool = words.next()?;
    let counts: Vec<u64> = words.map_while(parse_count).collect();
    let [_, pending, _, blocked, ..] = *counts else { return None };
    if pending == 0 && blocked == 0 {
        return Some(());
    }
    let details = EventDetails {
        value: Some((pending + blocked) as f64),
        times: 1,
        label: Some(pool.to_owned()),
        ..EventDetails::default()
    };
    sink.event(EventKind::BusyThreadPool, None, details);
    Some(())
}

/// `InetAddress /10.0.0.1:7000 is now DOWN`
pub(super) fn read_down(message: &str, sink: &mut EventSink<'_, '_>) -> Option<()> {
    let mut phrase = Phrase::new(message);
    phrase.skip("InetAddress ")?;
    let address = phrase.take_until(" is now DOWN")?;
    let address = address.rsplit('/').next().unwrap_or_default();
    report(EventKind::NodeDown, None, Some(address), sink);
    Some(())
}

/// `Cassandra version: 5.0.8`
pub(super) fn read_version(message: &str, sink: &mut EventSink<'_, '_>) -> Option<()> {
    let mut phrase = Phrase::new(message);
    phrase.skip("Cassandra version: ")?;
    set_version(Product::Cassandra, phrase.rest(), sink)
}

/// `Scylla version 5.4.1-0.20231231.3d22f42cf9c3 with build-id ... starting ...`
pub(super) fn read_scylla_version(message: &str, sink: &mut EventSink<'_, '_>) -> Option<()> {
    let mut phrase = Phrase::new(message);
    phrase.skip("Scylla version ")?;
    set_version(Product::Scylla, phrase.rest(), sink)
}

fn set_version(product: Product, text: &str, sink: &mut EventSink<'_, '_>) -> Option<()> {
    let version = ServerVersion::parse(text)?;
    report(EventKind::Restart, None, None, sink);
    let node = sink.target().node();
    node.product = Some(product);
    node.version = Some(version);
    Some(())
}

/// Nodes with different schemas.
pub(super) fn read_disagreement(_message: &str, sink: &mut EventSink<'_, '_>) -> Option<()> {
    report(EventKind::SchemaDisagreement, None, None, sink);
    Some(())
}

/// `[repair #...] Session completed successfully` and its failures; `Repair session ... finished`.
pub(super) fn read_repair(message: &str, sink: &mut EventSink<'_, '_>) -> Option<()> {
    const ENDS: [(&str, EventKind); 7] = [
        ("ession completed successfully", EventKind::RepairCompleted),
        ("ession completed with the following error", EventKind::RepairFailed),
        (": session failed", EventKind::RepairFailed),
        (" sync failed", EventKind::RepairFailed),
        (" failed with error ", EventKind::RepairFailed),
        (" finished", EventKind::RepairCompleted),
        (" is fully synced", EventKind::RepairCompleted),
    ];
    let (_, kind) = ENDS.iter().find(|(words, _)| has_words(message, words))?;
    report(*kind, None, None, sink);
    Some(())
}

/// `Compaction interrupted: Compaction@id(ks, table, 1/2)bytes`
pub(super) fn read_interrupted_compaction(
    message: &str,
    sink: &mut EventSink<'_, '_>,
) -> Option<()> {
    let mut phrase = Phrase::new(message);
    let table = phrase.take_until("(").and_then(|_| phrase.take_until(")")).and_then(|place| {
        let (keyspace, rest) = place.split_once(", ")?;
        let table = rest.split(',').next()?;
        Some(TableName::new(keyspace.trim(), table.trim()))
    });
    report(EventKind::CompactionAborted, table, None, sink);
    Some(())
}

/// Not enough space on a disk.
pub(super) fn read_disk_space(_message: &str, sink: &mut EventSink<'_, '_>) -> Option<()> {
    report(EventKind::OutOfDiskSpace, None, None, sink);
    Some(())
}

/// `Corrupted: .../ks/table-id/nb-1-big-Data.db`, `Corrupt sstable ...; skipped`.
pub(super) fn read_corruption(message: &str, sink: &mut EventSink<'_, '_>) -> Option<()> {
    let path = message.split_whitespace().find(|word| word.contains('/'));
    let table = path.and_then(crate::source::table_path::find_table);
    report(EventKind::CorruptSstable, table, None, sink);
    Some(())
}

/// Hints that could not be delivered or read.
pub(super) fn read_hints(_message: &str, sink: &mut EventSink<'_, '_>) -> Option<()> {
    report(EventKind::HintsDropped, None, None, sink);
    Some(())
}

/// A read without enough answers.
pub(super) fn read_timeout(_message: &str, sink: &mut EventSink<'_, '_>) -> Option<()> {
    report(EventKind::ReadTimeout, None, None, sink);
    Some(())
}

/// A write without enough answers.
pub(super) fn read_write_timeout(message: &str, sink: &mut EventSink<'_, '_>) -> Option<()> {
    let is_counter = has_words(message, "COUNTER");
    let kind = if is_counter { EventKind::CounterTimeout } else { EventKind::WriteTimeout };
    report(kind, None, None, sink);
    Some(())
}

/// `ScyllaDB`'s `seastar_memory - oversized allocation: 1048576 bytes. ...`
pub(super) fn read_allocation(message: &str, sink: &mut EventSink<'_, '_>) -> Option<()> {
    let mut phrase = Phrase::new(message);
    phrase.skip("oversized allocation: ")?;
    let bytes = phrase.take_count()?;
    let details = EventDetails { value: Some(bytes as f64), times: 1, ..EventDetails::default() };
    sink.event(EventKind::LargeAllocation, None, details);
    Some(())
}
