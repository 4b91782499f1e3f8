//! Reads that were slow or timed out on a replica (`MonitoringTask` in debug.log).

#![expect(clippy::unnecessary_wraps, reason = "the readers of all sentences have one signature")]

use super::event_sink::EventSink;
use crate::snapshot::{EventDetails, EventKind, ObservedStatement, StatementOrigin};
use crate::source::phrase::Phrase;
use crate::source::statement::shape_read_command;

/// `12 operations were slow in the last 5003 msecs:` and a line for each.
pub(super) fn read_slow(message: &str, sink: &mut EventSink<'_, '_>) -> Option<()> {
    for operation in operations(message) {
        read_operation(operation, false, sink);
    }
    Some(())
}

/// `3 operations timed out in the last 5003 msecs:` and a line for each.
pub(super) fn read_timeouts(message: &str, sink: &mut EventSink<'_, '_>) -> Option<()> {
    for operation in operations(message) {
        read_operation(operation, true, sink);
    }
    Some(())
}

/// The notice in system.log; what was slow is in debug.log only.
pub(super) fn read_slow_notice(_message: &str, sink: &mut EventSink<'_, '_>) -> Option<()> {
    let label = Some("details are in debug.log".to_owned());
    let details = EventDetails { times: 1, label, ..EventDetails::default() };
    sink.event(EventKind::SlowQuery, None, details);
    Some(())
}

/// The operations of a list. Each begins with `<` at the start of a line and may have line breaks.
fn operations(entry: &str) -> impl Iterator<Item = &str> {
    let list = entry.split_once("\n<").map_or("", |(_, list)| list);
    list.split("\n<")
}

/// Reads `SELECT ...>, time 46 msec - slow timeout 1 msec` or
/// `SELECT ...>, was slow 2 times: avg/min/max 172/9/335 msec - slow timeout 1 msec`, or the same for
/// timeouts: `SELECT ...>, total time 46 msec, timeout 10 msec`,
/// `SELECT ...> timed out 2 times, avg/min/max 172/9/335 msec, timeout 10 msec`.
fn read_operation(text: &str, is_timeout: bool, sink: &mut EventSink<'_, '_>) -> Option<()> {
    let mut phrase = Phrase::new(text);
    let query = phrase.take_until_last(">")?;
    let (times, total, max) = read_durations(phrase)?;
    let shaped = shape_read_command(query);
    let kind = if is_timeout { EventKind::ReadTimeout } else { EventKind::SlowQuery };
    let details = EventDetails {
        value: Some(max),
        times,
        statement: Some(query.to_owned()),
        ..EventDetails::default()
    };
    sink.event(kind, shaped.table.clone(), details);
    let observed = ObservedStatement {
        count: times,
        max_ms: Some(max),
        total_ms: total,
        timed: times,
        aborted: if is_timeout { times } else { 0 },
        ..ObservedStatement::default()
    };
    sink.statement(StatementOrigin::SlowQueryLog, shaped, observed);
    Some(())
}

/// How often the operation happened, and the total and largest duration in milliseconds.
fn read_durations(phrase: Phrase<'_>) -> Option<(u64, f64, f64)> {
    let mut several = phrase;
    if several.take_until(" times").is_some() {
        let mut times = phrase;
        let _ = times.take_until("was slow ").or_else(|| times.take_until("timed out "))?;
        let times = times.take_count()?;
        several.take_until("avg/min/max ")?;
        let average = several.take_count()?;
        several.skip("/")?;
        several.take_count()?;
        several.skip("/")?;
        let max = several.take_count()?;
        return Some((times, (average * times) as f64, max as f64));
    }
    let mut once = phrase;
    once.take_until("time ")?;
    let duration = once.take_count()? as f64;
    Some((1, duration, duration))
}
