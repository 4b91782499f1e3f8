//! Large partitions, rows and cells.

use super::event_sink::EventSink;
use crate::snapshot::{EventDetails, EventKind, TableName};
use crate::source::phrase::Phrase;
use crate::source::quantity::{parse_bytes, parse_count};

/// The first words after `large`, and what they mean. `ScyllaDB` has all of them.
const SUBJECTS: [(&str, EventKind); 8] = [
    ("partition ", EventKind::LargePartition),
    ("row ", EventKind::LargeRow),
    ("static row ", EventKind::LargeRow),
    ("cell ", EventKind::LargeCell),
    ("static cell ", EventKind::LargeCell),
    ("collection ", EventKind::LargeCell),
    ("static collection ", EventKind::LargeCell),
    ("rows ", EventKind::LargeRow),
];

/// `Writing large partition ks/table:key (123.4MiB) to sstable ...`, `Compacting large partition
/// ks/table:key (123 bytes)`, and of `ScyllaDB` `Writing large cell ks/table: key column (123 bytes/4 rows) to`.
pub(super) fn read_large(message: &str, sink: &mut EventSink<'_, '_>) -> Option<()> {
    let mut phrase = Phrase::new(message);
    let is_compaction = phrase.skip("Compacting large ").is_some();
    if !is_compaction {
        phrase.skip("Writing large ")?;
    }
    let (words, kind) = SUBJECTS.iter().find(|(words, _)| phrase.rest().starts_with(words))?;
    phrase.skip(words)?;
    // A partition was called a row up to 2.0.
    let kind = if is_compaction { EventKind::LargePartition } else { *kind };
    let name = phrase.take_until(":")?;
    let (keyspace, table) = name.split_once('/')?;
    let mut end = phrase;
    let before = end.take_until_last(") to ").or_else(|| end.take_until_last(")"))?;
    let (key, size) = before.rsplit_once('(')?;
    let size = size.split('/').next().unwrap_or_default();
    let key = key.trim();
    let details = EventDetails {
        value: Some(parse_bytes(size)? as f64),
        times: 1,
        key: (!key.is_empty()).then(|| key.to_owned()),
        ..EventDetails::default()
    };
    sink.event(kind, Some(TableName::new(keyspace, table)), details);
    Some(())
}

/// `ScyllaDB`'s `Writing a partition with too many rows [ks/table:key] (123456 rows)`.
pub(super) fn read_many_rows(message: &str, sink: &mut EventSink<'_, '_>) -> Option<()> {
    let mut phrase = Phrase::new(message);
    phrase.take_until("[")?;
    let place = phrase.take_until_last("] (")?;
    let (name, key) = place.split_once(':')?;
    let (keyspace, table) = name.split_once('/')?;
    let rows = phrase.take_count()?;
    let details = EventDetails {
        times: 1,
        live_rows: Some(rows),
        key: Some(key.to_owned()),
        label: Some("rows".to_owned()),
        ..EventDetails::default()
    };
    sink.event(EventKind::LargePartition, Some(TableName::new(keyspace, table)), details);
    Some(())
}

/// `Writing 1234 tombstones to ks/table:key in sstable ...` (4.1).
pub(super) fn read_tombstones(message: &str, sink: &mut EventSink<'_, '_>) -> Option<()> {
    let mut phrase = Phrase::new(message);
    phrase.skip("Writing ")?;
    let tombstones = parse_count(phrase.take_until(" tombstones to ")?)?;
    let name = phrase.take_until(":")?;
    let (keyspace, table) = name.split_once('/')?;
    let key = phrase.take_until_last(" in sstable ").unwrap_or(phrase.rest());
    let details = EventDetails {
        value: Some(tombstones as f64),
        times: 1,
        key: Some(key.to_owned()),
        ..EventDetails::default()
    };
    sink.event(EventKind::PartitionTombstones, Some(TableName::new(keyspace, table)), details);
    Some(())
}
