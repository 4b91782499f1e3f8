//! Prints traces as in cqlsh.

use cql::TraceId;
use cql::types::Type;
use cql::value::{self, Uuid, Value};
use engine::{Parameters, ResultMessage};

use super::cell::{Cell, CellFormat, MAGENTA, RESET};
use super::table::ResultPage;
use super::{Shell, ShellError, timestamp};

/// A row of a trace: activity, timestamp, source, elapsed microseconds, client.
type TraceEvent = [String; 5];

impl Shell<'_> {
    /// Prints the trace of a session from `system_traces`.
    pub(crate) fn print_trace(&mut self, id: TraceId) -> Result<(), ShellError> {
        let events = self.load_trace(id);
        if events.is_empty() {
            return Err(ShellError::Failed(format!("Session {id} wasn't found.")));
        }
        let color = self.screen.has_color();
        let format = CellFormat::for_tables(color);
        let names = ["activity", "timestamp", "source", "source_elapsed", "client"];
        let row = |event: &TraceEvent| -> Vec<Cell> {
            event.iter().map(|text| format.name(text, super::cell::YELLOW)).collect()
        };
        let page = ResultPage {
            names: names.map(|name| format.name(name, MAGENTA)).to_vec(),
            rows: events.iter().map(row).collect(),
        };
        let is_terminal = self.screen.is_terminal;
        let out = self.screen.results();
        let title = "Tracing session: ";
        if color {
            writeln!(out, "\n{MAGENTA}{title}{RESET}{id}\n")?;
        } else {
            writeln!(out, "\n{title}{id}\n")?;
        }
        page.print(true, out)?;
        if is_terminal {
            writeln!(out)?;
        }
        Ok(writeln!(out)?)
    }

    fn load_trace(&mut self, id: TraceId) -> Vec<TraceEvent> {
        let sessions = self.query_values(&format!(
            "SELECT request, started_at, coordinator, duration, client \
             FROM system_traces.sessions WHERE session_id = {id}"
        ));
        let Some(session) = sessions.first() else { return Vec::new() };
        let client = value_text(session.get(4));
        let coordinator = value_text(session.get(2));
        let started = match session.get(1) {
            Some(Value::Timestamp(millis)) => *millis * 1_000,
            _ => 0,
        };
        let mut events = vec![[
            value_text(session.first()),
            format_micros(started),
            coordinator.clone(),
            "0".to_owned(),
            client.clone(),
        ]];
        let rows = self.query_values(&format!(
            "SELECT activity, thread, event_id, source, source_elapsed \
             FROM system_traces.events WHERE session_id = {id}"
        ));
        for row in rows {
            let at = match row.get(2) {
                Some(Value::Timeuuid(id)) => uuid_micros(*id),
                _ => started,
            };
            let activity = format!("{} [{}]", value_text(row.first()), value_text(row.get(1)));
            events.push([
                activity,
                format_micros(at),
                value_text(row.get(3)),
                value_text(row.get(4)),
                client.clone(),
            ]);
        }
        if let Some(Value::Int(duration)) = session.get(3) {
            let end = format_micros(started + i64::from(*duration));
            events.push([
                "Request complete".to_owned(),
                end,
                coordinator,
                duration.to_string(),
                client,
            ]);
        }
        events
    }

    fn query_values(&mut self, text: &str) -> Vec<Vec<Value>> {
        let parameters = Parameters { page_size: None, ..Parameters::default() };
        let Ok(ResultMessage::Rows(rows)) =
            self.session.query(text, &parameters).map(|result| result.outcome)
        else {
            return Vec::new();
        };
        let read = |ty: &Type, bytes: Option<&[u8]>| {
            bytes.and_then(|bytes| value::decode(ty, bytes).ok()).unwrap_or(Value::Null)
        };
        let row = |row: Vec<Option<&[u8]>>| {
            rows.columns.iter().zip(row).map(|(column, bytes)| read(&column.ty, bytes)).collect()
        };
        rows.iter().map(row).collect()
    }
}

fn value_text(value: Option<&Value>) -> String {
    match value {
        Some(Value::Text(text) | Value::Ascii(text)) => text.clone(),
        Some(Value::Inet(address)) => address.to_string(),
        Some(Value::Int(number)) => number.to_string(),
        _ => "--".to_owned(),
    }
}

/// Formats microseconds since 1970.
fn format_micros(micros: i64) -> String {
    let seconds = timestamp::print(micros.div_euclid(1_000), "%Y-%m-%d %H:%M:%S");
    format!("{seconds}.{:06}", micros.rem_euclid(1_000_000))
}

/// The timestamp of a version 1 UUID, in microseconds since 1970.
fn uuid_micros(id: Uuid) -> i64 {
    let [low @ .., _, _, _, _, _, _, _, _, _, _, _, _] = id.0;
    let [_, _, _, _, middle @ .., _, _, _, _, _, _, _, _, _, _] = id.0;
    let [_, _, _, _, _, _, high @ .., _, _, _, _, _, _, _, _] = id.0;
    let low = i64::from(u32::from_be_bytes(low));
    let middle = i64::from(u16::from_be_bytes(middle));
    let high = i64::from(u16::from_be_bytes(high) & 0x0fff);
    let ticks = (high << 48) | (middle << 32) | low;
    (ticks - 0x01b2_1dd2_1381_4000) / 10
}
