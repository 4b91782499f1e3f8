//! Traces that were recorded: the statements, and what their reads met. Of the events only figures are
//! kept, since their sentences contain values of users.

use std::collections::{BTreeMap, BTreeSet};

use cql::value::Value;

use super::rows::{SystemRow, SystemRows};
use super::{RowReader, SystemQuery};
use crate::Snapshot;
use crate::snapshot::{ObservedStatement, StatementOrigin};
use crate::source::shape_statement;
use crate::trace::{TraceAnalysis, analyse, from_rows};

/// The rows of events in one answer.
const EVENTS_MAX: usize = 10_000;
/// The columns of an event that its analysis needs.
const EVENT_COLUMNS: [&str; 6] =
    ["session_id", "event_id", "activity", "source", "source_elapsed", "thread"];

pub(super) const QUERIES: &[SystemQuery] = &[
    SystemQuery {
        table: "system_traces.sessions",
        cql: "SELECT session_id, coordinator, duration, parameters, started_at FROM system_traces.sessions LIMIT 1000",
        is_per_node: false,
        read: RowReader::Trace(TraceRows::add_sessions),
    },
    SystemQuery {
        table: "system_traces.events",
        cql: "SELECT session_id, event_id, activity, source, source_elapsed, thread FROM system_traces.events LIMIT 10000",
        is_per_node: false,
        read: RowReader::Trace(TraceRows::add_events),
    },
];

/// The sessions and events that were read.
#[derive(Debug, Default)]
pub struct TraceRows {
    sessions: Vec<TraceSession>,
    /// The events of each session, as columns with their values.
    events: BTreeMap<String, Vec<Vec<(String, String)>>>,
}

/// A traced request; the values of its markers are in the map of its parameters, and are not taken.
#[derive(Debug)]
struct TraceSession {
    id: String,
    coordinator: Option<String>,
    duration: Option<u64>,
    started_ms: Option<i64>,
    query: String,
    consistency: Option<String>,
}

impl TraceRows {
    fn add_sessions(&mut self, rows: &SystemRows) {
        for row in rows.iter() {
            let mut parameters: BTreeMap<String, String> =
                row.map("parameters").into_iter().collect();
            let (Some(id), Some(query)) = (row.text("session_id"), parameters.remove("query"))
            else {
                continue;
            };
            self.sessions.push(TraceSession {
                id,
                coordinator: row.text("coordinator"),
                duration: row.count("duration"),
                started_ms: row.integer("started_at"),
                query,
                consistency: parameters.remove("consistency_level"),
            });
        }
    }

    /// Both tables are in the order of the tokens of their sessions: where the LIMIT cut the events,
    /// those of the last session are incomplete.
    fn add_events(&mut self, rows: &SystemRows) {
        let mut last = None;
        for row in rows.iter() {
            let Some(id) = row.text("session_id") else { continue };
            self.events.entry(id.clone()).or_default().push(event_cells(row));
            last = Some(id);
        }
        if rows.rows.len() >= EVENTS_MAX
            && let Some(last) = last
        {
            self.events.remove(&last);
        }
    }

    /// Adds the statements with what they met.
    pub(super) fn observe(mut self, snapshot: &mut Snapshot) {
        for session in &self.sessions {
            let ms = session.duration.map(|micros| micros as f64 / 1_000.0);
            let mut seen = ObservedStatement {
                origins: BTreeSet::from([StatementOrigin::Trace]),
                count: 1,
                first_ms: session.started_ms,
                last_ms: session.started_ms,
                max_ms: ms,
                total_ms: ms.unwrap_or(0.0),
                timed: u64::from(ms.is_some()),
                consistency: session.consistency.clone().into_iter().collect(),
                ..ObservedStatement::default()
            };
            if let Some(events) = self.events.remove(&session.id) {
                let coordinator = session.coordinator.clone();
                for mut trace in from_rows(events) {
                    trace.coordinator.clone_from(&coordinator);
                    trace.duration = session.duration;
                    note_reads(&analyse(&trace), &mut seen);
                }
            }
            let shaped = shape_statement("", &session.query);
            seen.max_in_values = shaped.in_values;
            snapshot.observe(shaped.shape, seen);
        }
    }
}

/// What the reads of a trace met, on the replica that met most: each replica reads its own copy.
fn note_reads(analysis: &TraceAnalysis, seen: &mut ObservedStatement) {
    let most = analysis.nodes.values().max_by_key(|node| node.tombstones);
    seen.max_tombstones = most.and_then(|node| node.tombstones).max(analysis.reads.aborted);
    seen.live_rows = most.and_then(|node| node.live);
    seen.aborted += u64::from(analysis.reads.aborted.is_some());
    seen.max_sstables = analysis.reads.sstables_max;
}

/// The columns of an event as texts.
fn event_cells(row: SystemRow<'_>) -> Vec<(String, String)> {
    let text = |name: &str| match row.value(name)? {
        Value::Int(number) => Some(number.to_string()),
        _ => row.text(name),
    };
    let cells = EVENT_COLUMNS.iter().filter_map(|name| Some(((*name).to_owned(), text(name)?)));
    cells.collect()
}
