//! [`TraceRecord`]: one row of any of the forms, and how rows become traces.

use std::collections::BTreeMap;

use cql::value::Uuid;

use super::EVENTS_MAX;
use crate::trace::event::{Trace, TraceEvent};
use crate::trace::moment::{parse_timestamp, timeuuid_micros};

/// The last row of cqlsh's table.
const COMPLETE: &str = "Request complete";

/// The values of a row, by the names of their columns.
#[derive(Clone, Debug, Default)]
pub(super) struct TraceRecord {
    values: BTreeMap<&'static str, String>,
    pub(super) parameters: BTreeMap<String, String>,
}

/// The rows of a text.
#[derive(Debug, Default)]
pub(super) struct Records {
    /// Whether something that looks like a trace was found, even without events.
    pub(super) found: bool,
    /// The session of rows that do not name theirs.
    pub(super) session: Option<String>,
    traces: Vec<Trace>,
    /// The places of sessions among them.
    positions: BTreeMap<Option<String>, usize>,
    events: usize,
}

/// The names that columns have, first ours.
const COLUMNS: [&[&str]; 14] = [
    &["session_id", "sessionid", "trace_id", "traceid", "tracingid", "tracing_id"],
    &["event_id", "eventid"],
    &["activity", "description", "name"],
    &["source", "source_address"],
    &["source_elapsed", "sourceelapsed", "sourceelapsedmicros", "source_elapsed_micros"],
    &["thread", "thread_name", "threadname"],
    &["timestamp", "datetime", "time"],
    &["client", "client_address"],
    &["coordinator", "coordinator_address"],
    &["duration", "durationmicros", "duration_micros"],
    &["request", "request_type", "requesttype"],
    &["started_at", "startedat"],
    &["command"],
    &["query", "statement"],
];

/// Our name of a column, `None` for a column that is not needed.
pub(super) fn column(name: &str) -> Option<&'static str> {
    let name = name.trim().to_ascii_lowercase();
    COLUMNS.iter().find(|names| names.contains(&&*name)).and_then(|names| names.first().copied())
}

impl TraceRecord {
    /// Sets a value. A column that is not needed, and the texts for null, are ignored.
    pub(super) fn set(&mut self, name: &str, value: String) {
        if let Some(parameter) = name.strip_prefix("parameters.") {
            self.parameters.insert(parameter.to_owned(), value);
            return;
        }
        let is_null = matches!(value.trim(), "" | "--" | "null" | "None");
        if let Some(name) = column(name)
            && !is_null
        {
            self.values.insert(name, value.trim().to_owned());
        }
    }

    /// Whether a column has a number, or the dashes that cqlsh prints for none.
    pub(super) fn has_number(&self, name: &str) -> bool {
        self.values.get(name).is_some_and(|value| value.parse::<u64>().is_ok())
    }

    fn take(&mut self, name: &str) -> Option<String> {
        self.values.remove(name)
    }

    fn number(&mut self, name: &str) -> Option<u64> {
        self.take(name)?.parse().ok()
    }
}

impl Records {
    /// Adds a row: of the events, of the sessions, or of cqlsh's table, which has both.
    pub(super) fn add(&mut self, mut record: TraceRecord) {
        if self.events >= EVENTS_MAX {
            return;
        }
        self.found = true;
        let session = record.take("session_id").or_else(|| self.session.clone());
        let position = *self.positions.entry(session.clone()).or_insert(self.traces.len());
        if position == self.traces.len() {
            self.traces.push(Trace { session, ..Trace::default() });
        }
        let Some(trace) = self.traces.get_mut(position) else { return };
        trace.parameters.append(&mut record.parameters);
        if let Some(query) = record.take("query") {
            trace.parameters.insert("query".to_owned(), query);
        }
        if let Some(client) = record.take("client") {
            trace.client = Some(client);
        }
        match record.take("activity") {
            Some(activity) => {
                self.events += 1;
                add_event(trace, &activity, record);
            }
            None => add_session(trace, record),
        }
    }

    /// The traces with events, each in the order of time.
    pub(super) fn into_traces(mut self) -> Vec<Trace> {
        self.traces.retain(|trace| !trace.events.is_empty());
        for trace in &mut self.traces {
            trace.sort();
        }
        self.traces
    }
}

/// Adds a row about the session as a whole.
fn add_session(trace: &mut Trace, mut record: TraceRecord) {
    let started = record.take("started_at").and_then(|text| parse_timestamp(&text));
    trace.started = started.or(trace.started);
    trace.coordinator = record.take("coordinator").or_else(|| trace.coordinator.take());
    trace.duration = record.number("duration").or(trace.duration);
    trace.request = record.take("request").or_else(|| trace.request.take());
}

/// Adds a row with an activity. In cqlsh's table, the first row is the request and the last one its
/// end; both stand for the session and have no thread.
fn add_event(trace: &mut Trace, activity: &str, mut record: TraceRecord) {
    let at = record.take("event_id").and_then(|id| timeuuid_micros(Uuid::parse(&id)?));
    let at = at.or_else(|| record.take("timestamp").and_then(|text| parse_timestamp(&text)));
    let source = record.take("source").unwrap_or_default();
    let elapsed = record.number("source_elapsed");
    let (sentence, thread) = match record.take("thread") {
        Some(thread) => (activity, thread),
        None => split_thread(activity),
    };
    if thread.is_empty() && sentence == COMPLETE {
        trace.duration = elapsed.or(trace.duration);
        return;
    }
    if thread.is_empty() && trace.events.is_empty() && elapsed == Some(0) && trace.request.is_none()
    {
        trace.request = Some(sentence.to_owned());
        trace.coordinator = Some(source);
        trace.started = at;
        return;
    }
    let source = source.trim_start_matches('/').to_owned();
    let mut event = TraceEvent::new(sentence.to_owned(), source, thread);
    (event.elapsed, event.at) = (elapsed, at);
    trace.events.push(event);
}

/// Splits `Parsing SELECT ... [Native-Transport-Requests-1]`.
fn split_thread(activity: &str) -> (&str, String) {
    let split = activity.strip_suffix(']').and_then(|text| text.rsplit_once(" ["));
    split.map_or((activity, String::new()), |(sentence, thread)| {
        (sentence.trim_end(), thread.to_owned())
    })
}
