//! Traces, as cqlsh prints them.

use cql::TraceId;
use cql::types::Type;
use cql::value::{self, Uuid, Value};
use engine::{Outcome, Parameters};

use super::cell::{Cell, Look, MAGENTA, RESET};
use super::table::Page;
use super::{Shell, Stop, moment};

/// A row of a trace: what was done, when, by whom, after how many microseconds, for whom.
type Event = [String; 5];

impl Shell<'_> {
    /// Prints what `system_traces` knows of a session.
    pub(crate) fn print_trace(&mut self, id: TraceId) -> Result<(), Stop> {
        let events = self.trace(id);
        if events.is_empty() {
            return Err(Stop::Failed(format!("Session {id} wasn't found.")));
        }
        let color = self.screen.color();
        let look = Look::table(color);
        let names = ["activity", "timestamp", "source", "source_elapsed", "client"];
        let row = |event: &Event| -> Vec<Cell> {
            event.iter().map(|text| look.name(text, super::cell::YELLOW)).collect()
        };
        let page = Page {
            names: names.map(|name| look.name(name, MAGENTA)).to_vec(),
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

    fn trace(&mut self, id: TraceId) -> Vec<Event> {
        let sessions = self.values(&format!(
            "SELECT request, started_at, coordinator, duration, client \
             FROM system_traces.sessions WHERE session_id = {id}"
        ));
        let Some(session) = sessions.first() else { return Vec::new() };
        let client = shown(session.get(4));
        let coordinator = shown(session.get(2));
        let started = match session.get(1) {
            Some(Value::Timestamp(millis)) => *millis * 1_000,
            _ => 0,
        };
        let mut events = vec![[
            shown(session.first()),
            point(started),
            coordinator.clone(),
            "0".to_owned(),
            client.clone(),
        ]];
        let rows = self.values(&format!(
            "SELECT activity, thread, event_id, source, source_elapsed \
             FROM system_traces.events WHERE session_id = {id}"
        ));
        for row in rows {
            let at = match row.get(2) {
                Some(Value::Timeuuid(id)) => micros_of(*id),
                _ => started,
            };
            let activity = format!("{} [{}]", shown(row.first()), shown(row.get(1)));
            events.push([
                activity,
                point(at),
                shown(row.get(3)),
                shown(row.get(4)),
                client.clone(),
            ]);
        }
        if let Some(Value::Int(duration)) = session.get(3) {
            let end = point(started + i64::from(*duration));
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

    fn values(&mut self, text: &str) -> Vec<Vec<Value>> {
        let parameters = Parameters { page_size: None, ..Parameters::default() };
        let Ok(Outcome::Rows(rows)) =
            self.session.query(text, &parameters).map(|answer| answer.outcome)
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

fn shown(value: Option<&Value>) -> String {
    match value {
        Some(Value::Text(text) | Value::Ascii(text)) => text.clone(),
        Some(Value::Inet(address)) => address.to_string(),
        Some(Value::Int(number)) => number.to_string(),
        _ => "--".to_owned(),
    }
}

/// Microseconds since 1970, as a point in time.
fn point(micros: i64) -> String {
    let seconds = moment::print(micros.div_euclid(1_000), "%Y-%m-%d %H:%M:%S");
    format!("{seconds}.{:06}", micros.rem_euclid(1_000_000))
}

/// The time in an id of version 1, in microseconds since 1970.
fn micros_of(id: Uuid) -> i64 {
    let [low @ .., _, _, _, _, _, _, _, _, _, _, _, _] = id.0;
    let [_, _, _, _, middle @ .., _, _, _, _, _, _, _, _, _, _] = id.0;
    let [_, _, _, _, _, _, high @ .., _, _, _, _, _, _, _, _] = id.0;
    let low = i64::from(u32::from_be_bytes(low));
    let middle = i64::from(u16::from_be_bytes(middle));
    let high = i64::from(u16::from_be_bytes(high) & 0x0fff);
    let ticks = (high << 48) | (middle << 32) | low;
    (ticks - 0x01b2_1dd2_1381_4000) / 10
}
