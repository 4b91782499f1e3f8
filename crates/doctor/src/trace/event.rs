//! [`Trace`]: a session of `system_traces` with its events.

use std::collections::BTreeMap;

use super::step::{RequestStep, Step};

/// The trace of one request. What the text does not tell is absent.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Trace {
    /// The id of the session.
    pub session: Option<String>,
    /// The kind of request, such as `Execute CQL3 query`.
    pub request: Option<String>,
    /// Statement, consistency level, page size and bound values, where they are known.
    pub parameters: BTreeMap<String, String>,
    /// The address of the client.
    pub client: Option<String>,
    /// The address of the coordinator.
    pub coordinator: Option<String>,
    /// The start, in microseconds since 1970.
    pub started: Option<i64>,
    /// The time until the request was complete, in microseconds.
    pub duration: Option<u64>,
    /// The events, in the order of time.
    pub events: Vec<TraceEvent>,
}

/// An event of a trace.
#[derive(Clone, Debug, PartialEq)]
pub struct TraceEvent {
    /// The sentence.
    pub sentence: String,
    /// What it says.
    pub step: Step,
    /// The address of the node.
    pub source: String,
    /// The thread; empty if unknown.
    pub thread: String,
    /// Microseconds since the node began to work on the request.
    pub elapsed: Option<u64>,
    /// The time by the clock of the node, in microseconds since 1970.
    pub at: Option<i64>,
}

impl TraceEvent {
    /// An event with its sentence read.
    pub fn new(sentence: String, source: String, thread: String) -> Self {
        let step = Step::parse(&sentence);
        Self { sentence, step, source, thread, elapsed: None, at: None }
    }
}

impl Trace {
    /// The text of the statement, if the trace has it.
    pub fn statement(&self) -> Option<&str> {
        let parsed = self.events.iter().find_map(|event| match &event.step {
            Step::Request(RequestStep::Parsing { statement }) => statement.as_deref(),
            _ => None,
        });
        self.parameters.get("query").map(String::as_str).or(parsed)
    }

    /// Brings the events into the order of time: by the clock, then by the time that passed on the
    /// node.
    pub(super) fn sort(&mut self) {
        self.events.sort_by_key(|event| (event.at, event.elapsed));
    }
}
