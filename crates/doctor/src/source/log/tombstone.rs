//! Reads of many tombstones.

use super::event_sink::EventSink;
use crate::snapshot::{EventDetails, EventKind, ObservedStatement, StatementOrigin, TableName};
use crate::source::phrase::Phrase;
use crate::source::statement::shape_read_command;

/// What servers call the tombstones of a read: Cassandra, up to 2.0, and `ScyllaDB`.
const TOMBSTONES: [&str; 5] = [
    " tombstone cells ",
    " tombstoned cells ",
    " dead rows/tombstones ",
    " dead cells/tombstones ",
    " tombstones ",
];

/// `Read 12 live rows and 3400 tombstone cells for query SELECT ...; token 1 (see ...)`; up to 3.0
/// `Read 12 live and 3400 tombstone cells in ks.table for key: k (see ...)`; `ScyllaDB` has
/// `Read 12 live rows and 3400 dead rows/tombstones for ks.table partition key "k" {...} (see ...)`.
pub(super) fn read_warning(message: &str, sink: &mut EventSink<'_, '_>) -> Option<()> {
    let mut phrase = Phrase::new(message);
    phrase.skip("Read ")?;
    let live = phrase.take_count()?;
    phrase.take_until(" and ")?;
    let tombstones = phrase.take_count()?;
    TOMBSTONES.iter().find_map(|words| phrase.skip(words))?;
    let reading = Reading { tombstones, live: Some(live), is_aborted: false };
    if phrase.skip("in ").is_some() {
        return read_old(phrase, &reading, sink);
    }
    phrase.skip("for ")?;
    if phrase.skip("query ").is_none() {
        return read_scylla(phrase, &reading, sink);
    }
    let mut end = phrase;
    let query = end.take_until_last("; token ").or_else(|| end.take_until_last(" (see "));
    reading.report(query.unwrap_or(phrase.rest()), None, sink);
    Some(())
}

/// `Scanned over 100001 tombstones during query 'SELECT ...' (last scanned row token was 1 and partion
/// key was (k)); query aborted`; up to 3.0 `Scanned over 100001 tombstones in ks.table for key: k`.
pub(super) fn read_failure(message: &str, sink: &mut EventSink<'_, '_>) -> Option<()> {
    let mut phrase = Phrase::new(message);
    phrase.skip("Scanned over ")?;
    let tombstones = phrase.take_count()?;
    let reading = Reading { tombstones, live: None, is_aborted: true };
    if phrase.skip(" tombstones in ").is_some() {
        return read_old(phrase, &reading, sink);
    }
    phrase.take_until("query")?;
    let quoted = phrase.skip(" '").is_some();
    let mut end = phrase;
    let query = if quoted {
        end.take_until_last("' (last scanned row ")
    } else {
        end.take_until_last("; query aborted")
    };
    let key = end.take_until(" key was (").and_then(|_| {
        let mut key = end;
        key.take_until_last("); query aborted")
    });
    reading.report(query.unwrap_or(phrase.rest()), key, sink);
    Some(())
}

/// `2 nodes scanned up to 1200 tombstones and issued tombstone warnings for query SELECT ... (see ...)`:
/// what the coordinator says about the replicas.
pub(super) fn read_nodes(message: &str, sink: &mut EventSink<'_, '_>) -> Option<()> {
    let mut phrase = Phrase::new(message);
    phrase.take_until(" nodes scanned ")?;
    let is_aborted = phrase.skip("over ").is_some();
    if !is_aborted {
        phrase.skip("up to ")?;
    }
    let tombstones = phrase.take_count()?;
    phrase.take_until("query ")?;
    let query = phrase.take_until_last(" (see ").unwrap_or(phrase.rest());
    Reading { tombstones, live: None, is_aborted }.report(query, None, sink);
    Some(())
}

/// The rest of an old message: the table and the key.
fn read_old(mut phrase: Phrase<'_>, reading: &Reading, sink: &mut EventSink<'_, '_>) -> Option<()> {
    let name = phrase.take_until(" for key: ").unwrap_or(phrase.rest());
    let (keyspace, table) = name.split_once('.')?;
    let table = table.split([' ', ';']).next().unwrap_or_default();
    let key = phrase.take_until(" (see ").or_else(|| phrase.take_until("; ")).map(str::to_owned);
    let details = EventDetails { key, ..reading.details() };
    sink.event(reading.kind(), Some(TableName::new(keyspace, table)), details);
    Some(())
}

/// The rest of a message of `ScyllaDB`: the table, and the key or `<partition-range-scan>`.
fn read_scylla(
    mut phrase: Phrase<'_>,
    reading: &Reading,
    sink: &mut EventSink<'_, '_>,
) -> Option<()> {
    let (keyspace, table) = phrase.take_until(" ")?.split_once('.')?;
    let key = phrase.skip("partition key \"").and_then(|()| phrase.take_until("\" "));
    let details = EventDetails { key: key.map(str::to_owned), ..reading.details() };
    sink.event(reading.kind(), Some(TableName::new(keyspace, table)), details);
    Some(())
}

/// What a read met.
struct Reading {
    tombstones: u64,
    live: Option<u64>,
    is_aborted: bool,
}

impl Reading {
    fn kind(&self) -> EventKind {
        if self.is_aborted { EventKind::TombstoneFailure } else { EventKind::TombstoneWarning }
    }

    fn details(&self) -> EventDetails {
        EventDetails {
            value: Some(self.tombstones as f64),
            times: 1,
            live_rows: self.live,
            ..EventDetails::default()
        }
    }

    fn report(&self, query: &str, key: Option<&str>, sink: &mut EventSink<'_, '_>) {
        let shaped = shape_read_command(query);
        let details = EventDetails {
            statement: Some(query.trim().to_owned()),
            key: key.map(str::to_owned),
            ..self.details()
        };
        sink.event(self.kind(), shaped.table.clone(), details);
        let observed = ObservedStatement {
            max_tombstones: Some(self.tombstones),
            live_rows: self.live,
            aborted: u64::from(self.is_aborted),
            ..ObservedStatement::default()
        };
        sink.statement(StatementOrigin::TombstoneWarning, shaped, observed);
    }
}
