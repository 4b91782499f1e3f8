//! Traces as people paste them: the table that cqlsh prints with TRACING ON or for SELECTs from
//! `system_traces`, and JSON.

mod json;
mod record;
mod table;
#[cfg(test)]
mod tests;

use record::{Records, TraceRecord};

use super::event::Trace;

/// Why a text is no trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TraceTextError {
    /// It is empty.
    Empty,
    /// It has neither a table with the columns `activity` and `source_elapsed`, nor JSON with them.
    NoTrace,
    /// It has a table or JSON of that kind, but without events.
    NoEvents,
}

/// Events of a text beyond these are not read: a trace of a scan over thousands of ranges has
/// fewer.
pub(super) const EVENTS_MAX: usize = 200_000;

/// Reads all traces of a text, in the order in which they begin.
pub fn read(text: &str) -> Result<Vec<Trace>, TraceTextError> {
    if text.trim().is_empty() {
        return Err(TraceTextError::Empty);
    }
    let mut records = Records::default();
    if !json::read(text, &mut records) {
        table::read(text, &mut records);
    }
    if !records.found {
        return Err(TraceTextError::NoTrace);
    }
    let traces = records.into_traces();
    if traces.is_empty() { Err(TraceTextError::NoEvents) } else { Ok(traces) }
}

/// Builds a trace from the rows of `system_traces.sessions` and `system_traces.events`, each a list
/// of column names with their values as text.
pub fn from_rows(rows: impl IntoIterator<Item = Vec<(String, String)>>) -> Vec<Trace> {
    let mut records = Records::default();
    for row in rows {
        let mut record = TraceRecord::default();
        for (name, value) in row {
            record.set(&name, value);
        }
        records.add(record);
    }
    records.into_traces()
}
