//! Guardrails: `Guardrail partition_size violated: Partition ks.table:key on sstable ... has size ...`.

use super::event_sink::EventSink;
use crate::snapshot::{EventDetails, EventKind, TableName};
use crate::source::phrase::Phrase;

/// Guardrails that report what has a kind of its own.
const KINDS: [(&str, EventKind); 11] = [
    ("partition_size", EventKind::LargePartition),
    ("partition_tombstones", EventKind::PartitionTombstones),
    ("collection_size", EventKind::LargeCell),
    ("items_per_collection", EventKind::LargeCell),
    ("column_value_size", EventKind::LargeCell),
    ("partition_keys_in_select", EventKind::LargeIn),
    ("in_select_cartesian_product", EventKind::LargeIn),
    ("sai_sstable_indexes_per_query", EventKind::IndexFanOut),
    ("non_partition_restricted_index_query_enabled", EventKind::IndexFanOut),
    ("tables", EventKind::TooManyTables),
    ("local_data_disk_usage", EventKind::OutOfDiskSpace),
];

/// The words before a measured value.
const VALUES: [&str; 10] = [
    " has size ",
    " of size ",
    " with value ",
    " produces ",
    "partition keys ",
    "number of tables ",
    "number of keyspaces ",
    "number of indexes ",
    " page size ",
    " with ",
];

/// Reads any guardrail.
pub(super) fn read(message: &str, sink: &mut EventSink<'_, '_>) -> Option<()> {
    let mut phrase = Phrase::new(message);
    phrase.skip("Guardrail ")?;
    let name = phrase.take_until(" violated: ")?;
    let kind = KINDS
        .iter()
        .find(|(known, _)| *known == name)
        .map_or(EventKind::Guardrail, |(_, kind)| *kind);
    let text = phrase.rest();
    let mut details = EventDetails {
        times: 1,
        value: find_value(text),
        // The label tells guardrails of one kind apart; that of a partition's size is the kind.
        label: (kind != EventKind::LargePartition && kind != EventKind::PartitionTombstones)
            .then(|| name.to_owned()),
        ..EventDetails::default()
    };
    let table = match find_partition(text) {
        Some((table, key)) => {
            details.key = Some(key.to_owned());
            Some(table)
        }
        None => find_table(text, &mut details),
    };
    sink.event(kind, table, details);
    Some(())
}

/// The table and key of `Partition ks.table:key on sstable ... has ...`.
fn find_partition(text: &str) -> Option<(TableName, &str)> {
    let mut phrase = Phrase::new(text);
    phrase.skip("Partition ")?;
    let name = phrase.take_until(":")?;
    let (keyspace, table) = name.split_once('.')?;
    let key = phrase.take_until_last(" on sstable ")?;
    Some((TableName::new(keyspace, table), key))
}

/// The table of `... in row 1 in table ks.table of size ...`, with the row as key.
fn find_table(text: &str, details: &mut EventDetails) -> Option<TableName> {
    let mut phrase = Phrase::new(text);
    let before = phrase.take_until_last(" table ")?;
    let word = phrase.rest().split([' ', ',']).next().unwrap_or_default();
    let mut row = Phrase::new(before);
    if row.take_until(" in row ").is_some() {
        let mut key = row;
        details.key = key.take_until_last(" in").or(Some(row.rest())).map(str::to_owned);
    }
    let (keyspace, table) = word.trim_end_matches('.').split_once('.')?;
    Some(TableName::new(keyspace, table))
}

/// The measured value.
fn find_value(text: &str) -> Option<f64> {
    VALUES
        .iter()
        .find_map(|words| {
            let mut phrase = Phrase::new(text);
            phrase.take_until_last(words)?;
            phrase.take_count().map(|count| count as f64)
        })
        .or_else(|| {
            // `has 2100 tombstones`
            let mut phrase = Phrase::new(text);
            phrase.take_until_last(" has ")?;
            phrase.take_count().map(|count| count as f64)
        })
}
