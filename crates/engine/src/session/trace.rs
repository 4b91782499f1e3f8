//! Traces of statements in `system_traces`.

use std::collections::BTreeMap;

use cql::{Consistency, TraceId, obfuscate_password};
use schema::bind::{BoundKind, BoundStatement};

use crate::error::Result;
use crate::execute::write;
use crate::execute::{Activity, Execution};
use crate::node::Node;
use crate::node::ids::time_id;
use crate::request::{MarkerValue, MarkerValues, Parameters};
use crate::session::statement::{StatementOrigin, StatementTimes};
use crate::session::system;

/// The TTL of traces: a day.
const TTL: i32 = 86_400;
/// The maximum length of marker values in traces; longer ones are cut.
const VALUE_MAX: usize = 1000;

/// A traced statement.
#[derive(Clone, Copy)]
pub(crate) struct TracedStatement<'a> {
    pub(crate) text: &'a str,
    pub(crate) origin: StatementOrigin,
    /// The bound statement; `None` if it was refused before.
    pub(crate) bound: Option<&'a BoundStatement>,
    pub(crate) parameters: &'a Parameters<'a>,
    /// The start of its execution, in microseconds since 1970.
    pub(crate) started_at: i64,
}

/// Records the events before a statement is executed.
pub(crate) fn begin(execution: &Execution<'_>, text: &str, times: Option<StatementTimes>) {
    if let Some(StatementTimes { parsed_at, bound_at }) = times {
        let text = || obfuscate_password(text).into_owned();
        execution.trace_at(parsed_at, || Activity::Parse { text: text() });
        execution.trace_at(bound_at, || Activity::Prepare);
    }
}

/// The events of a statement that was refused when it was parsed, or when it was bound.
pub(crate) fn list_refusal_events(
    text: &str,
    parsed_at: i64,
    bound_at: Option<i64>,
) -> Vec<(i64, Activity)> {
    let text = obfuscate_password(text).into_owned();
    let parsed = (parsed_at, Activity::Parse { text });
    std::iter::once(parsed).chain(bound_at.map(|at| (at, Activity::Prepare))).collect()
}

/// Stores the trace of a statement and returns its id.
pub(crate) fn store(
    node: &Node,
    traced: TracedStatement<'_>,
    events: &[(i64, Activity)],
) -> Result<TraceId> {
    let session = node.next_time_id();
    let schema = node.schema();
    let mut mutations = Vec::with_capacity(events.len() + 1);
    if let Some(handle) = schema.table("system_traces", "sessions") {
        let values = session_values(node, traced);
        let values: Vec<_> =
            values.iter().map(|(name, value)| (*name, Some(value.as_slice()))).collect();
        mutations.push(write::server_row::build_insert(node, handle, &[&session], &values, TTL)?);
    }
    if let Some(handle) = schema.table("system_traces", "events") {
        let address = system::inet(node.identity.address);
        let mut last_tick = i64::MIN;
        for (at, activity) in events {
            let (elapsed, text) = (elapsed_micros(at - traced.started_at), activity.to_string());
            let values = [
                ("activity", Some(text.as_bytes())),
                ("source", Some(&*address)),
                ("source_elapsed", Some(&elapsed)),
                ("source_port", Some(&system::STORAGE_PORT.to_be_bytes())),
                ("thread", Some(activity.thread().as_bytes())),
            ];
            let event = time_id(last_tick.max(at.saturating_mul(10)), node.identity.host_id);
            last_tick = last_tick.max(at.saturating_mul(10)).saturating_add(1);
            mutations.push(write::server_row::build_insert(
                node,
                handle,
                &[&session, &event],
                &values,
                TTL,
            )?);
        }
    }
    match node.store.apply(&mutations) {
        // The statement itself succeeded: a read must not fail because its trace has no room.
        Ok(()) | Err(storage::Error::OutOfMemory { .. }) => Ok(TraceId(session)),
        Err(failure) => Err(failure.into()),
    }
}

fn session_values(node: &Node, traced: TracedStatement<'_>) -> Vec<(&'static str, Vec<u8>)> {
    let address = system::inet(node.identity.address);
    let request = match (traced.bound.map(|bound| &bound.kind), traced.origin) {
        (Some(BoundKind::Batch(_)), StatementOrigin::Prepared) => "Execute batch of CQL3 queries",
        (_, StatementOrigin::Prepared) => "Execute CQL3 prepared query",
        (_, StatementOrigin::Query) => "Execute CQL3 query",
    };
    let duration = node.clock.now_micros() - traced.started_at;
    let parameters = parameters(traced);
    vec![
        ("client", address.clone()),
        ("command", b"QUERY".to_vec()),
        ("coordinator", address),
        ("coordinator_port", system::STORAGE_PORT.to_be_bytes().to_vec()),
        ("duration", elapsed_micros(duration).to_vec()),
        ("parameters", system::encode_text_map(&parameters)),
        ("request", request.as_bytes().to_vec()),
        ("started_at", traced.started_at.div_euclid(1000).to_be_bytes().to_vec()),
    ]
}

fn elapsed_micros(elapsed: i64) -> [u8; 4] {
    i32::try_from(elapsed.max(0)).unwrap_or(i32::MAX).to_be_bytes()
}

/// The parameters of the statement.
fn parameters(traced: TracedStatement<'_>) -> BTreeMap<String, String> {
    let own = traced.parameters;
    let serial = own.serial_consistency.unwrap_or(Consistency::Serial);
    let mut all = BTreeMap::from([
        ("consistency_level".to_owned(), own.consistency.to_string()),
        ("query".to_owned(), obfuscate_password(traced.text).into_owned()),
        ("serial_consistency_level".to_owned(), serial.to_string()),
    ]);
    if let Some(size) = own.page_rows() {
        all.insert("page_size".to_owned(), size.to_string());
    }
    if let MarkerValues::Positional(values) = &own.values {
        let markers = traced.bound.iter().flat_map(|bound| &bound.markers);
        for (at, (marker, value)) in markers.zip(values).enumerate() {
            let Some(marker) = marker else { continue };
            let name = format!("bound_var_{at}_{}", marker.receiver.name);
            let mut text = match value {
                MarkerValue::Bytes(bytes) => {
                    cql::value::literal(&marker.receiver.ty, Some(bytes)).unwrap_or_default()
                }
                MarkerValue::Null | MarkerValue::Unset => "null".to_owned(),
            };
            if let Some((end, _)) = text.char_indices().nth(VALUE_MAX) {
                text.truncate(end);
                text.push_str("...'");
            }
            all.insert(name, text);
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use crate::Database;
    use crate::Options;
    use crate::Parameters;
    use crate::ResultMessage;
    use crate::Session;

    fn rows(session: &mut Session, text: &str) -> Vec<Vec<String>> {
        let answer = session.query(text, &Parameters::default()).unwrap();
        let ResultMessage::Rows(rows) = answer.outcome else { panic!("no rows") };
        let literal = |(column, value): (&crate::ResultColumn, Option<&[u8]>)| {
            cql::value::literal(&column.ty, value).unwrap()
        };
        rows.iter().map(|row| rows.columns.iter().zip(row).map(literal).collect()).collect()
    }

    #[test]
    fn a_trace_is_there_when_the_answer_is() {
        let mut session = Database::open_in_memory(Options::default()).unwrap().session();
        let plain = Parameters::default();
        let keyspace = "CREATE KEYSPACE k WITH replication = {'class': 'SimpleStrategy', \
                        'replication_factor': 1}";
        for statement in [keyspace, "CREATE TABLE k.t (k int PRIMARY KEY, v int)"] {
            session.query(statement, &plain).unwrap();
        }
        let traced = Parameters { tracing: true, ..Parameters::default() };
        session.query("INSERT INTO k.t (k, v) VALUES (1, 2)", &traced).unwrap();
        let answer = session.query("SELECT * FROM k.t WHERE k = 1", &traced).unwrap();
        let id = answer.trace_id.unwrap();
        let session_row = rows(
            &mut session,
            &format!(
                "SELECT command, request, parameters FROM system_traces.sessions WHERE session_id = {id}"
            ),
        );
        assert_eq!(
            session_row,
            [[
                "'QUERY'",
                "'Execute CQL3 query'",
                "{'consistency_level': 'LOCAL_ONE', 'page_size': '5000', \
               'query': 'SELECT * FROM k.t WHERE k = 1', 'serial_consistency_level': 'SERIAL'}"
            ]]
        );
        let events = rows(
            &mut session,
            &format!("SELECT activity FROM system_traces.events WHERE session_id = {id}"),
        );
        assert_eq!(
            events.concat(),
            [
                "'Parsing SELECT * FROM k.t WHERE k = 1'",
                "'Preparing statement'",
                "'Executing single-partition query on t'",
                "'Acquiring sstable references'",
                "'Merging memtable contents'",
                "'Read 1 live rows and 0 tombstone cells'",
            ]
        );
        let durations = rows(
            &mut session,
            "SELECT duration FROM system_traces.sessions WHERE duration >= 0 ALLOW FILTERING",
        );
        assert_eq!(durations.len(), 2);
    }
}
