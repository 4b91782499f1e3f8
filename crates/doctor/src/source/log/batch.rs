//! Batches and aggregations.

#![expect(clippy::unnecessary_wraps, reason = "the readers of all sentences have one signature")]

use super::event_sink::EventSink;
use crate::snapshot::{EventDetails, EventKind, TableName};
use crate::source::phrase::{Phrase, has_words};
use crate::source::quantity::parse_bytes;

/// The tables of a list: `[ks.a, ks.b]`.
fn tables(list: &str) -> Vec<TableName> {
    let inside = list.trim().trim_start_matches('[').trim_end_matches(']');
    let names = inside.split(", ").filter_map(|name| name.split_once('.'));
    names.map(|(keyspace, table)| TableName::new(keyspace, table)).collect()
}

/// Counts an event for each table, or without a table if none is named.
fn report(
    kind: EventKind,
    tables: Vec<TableName>,
    details: &EventDetails,
    sink: &mut EventSink<'_, '_>,
) {
    if tables.is_empty() {
        sink.event(kind, None, details.clone());
    }
    for table in tables {
        sink.event(kind, Some(table), details.clone());
    }
}

/// `Batch for [ks.a, ks.b] is of size 3.164KiB, exceeding specified threshold of 1.000KiB by 2.164KiB.`
pub(super) fn read_size(message: &str, sink: &mut EventSink<'_, '_>) -> Option<()> {
    let mut phrase = Phrase::new(message);
    phrase.take_until(" for ")?;
    let tables = tables(phrase.take_until(" is of size ")?);
    let size = parse_bytes(phrase.take_until(", exceeding")?)?;
    let is_refused = has_words(phrase.rest(), "fail_threshold");
    let details = EventDetails {
        value: Some(size as f64),
        times: 1,
        label: is_refused.then(|| "refused".to_owned()),
        ..EventDetails::default()
    };
    report(EventKind::BatchSize, tables, &details, sink);
    Some(())
}

/// `Unlogged batch covering 12 partitions detected against table [ks.a]. You should use ...`
pub(super) fn read_unlogged(message: &str, sink: &mut EventSink<'_, '_>) -> Option<()> {
    let mut phrase = Phrase::new(message);
    phrase.skip("Unlogged batch covering ")?;
    let partitions = phrase.take_count()?;
    phrase.take_until("against table")?;
    let list = phrase.take_until("]").map_or("", |list| list.trim_start_matches('s'));
    let details =
        EventDetails { value: Some(partitions as f64), times: 1, ..EventDetails::default() };
    report(EventKind::UnloggedBatch, tables(list), &details, sink);
    Some(())
}

/// `Executing a LOGGED BATCH on table [ks.a], configured with a gc_grace_seconds of 0. ...`
pub(super) fn read_without_grace(message: &str, sink: &mut EventSink<'_, '_>) -> Option<()> {
    let mut phrase = Phrase::new(message);
    phrase.take_until("[")?;
    let list = phrase.take_until("]")?;
    let details = EventDetails { times: 1, ..EventDetails::default() };
    report(EventKind::LoggedBatchWithoutGrace, tables(list), &details, sink);
    Some(())
}

/// `Aggregation query used without partition key[ on table ks.a, aggregation type: ...]`; since 4.1 both
/// are logged, the one with the table once in a while.
pub(super) fn read_aggregation(message: &str, sink: &mut EventSink<'_, '_>) -> Option<()> {
    let mut phrase = Phrase::new(message);
    let is_in = has_words(message, "on multiple partition keys");
    let found =
        phrase.take_until(" on table ").and_then(|_| phrase.take_until(", aggregation type"));
    let label = is_in.then(|| "several partitions (IN)".to_owned());
    let details = EventDetails { times: 1, label, ..EventDetails::default() };
    report(EventKind::AggregationWithoutKey, found.map(tables).unwrap_or_default(), &details, sink);
    Some(())
}
