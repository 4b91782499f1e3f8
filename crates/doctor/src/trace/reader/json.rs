//! JSON: an object with the session and its events, arrays or lines of rows, as `SELECT JSON`,
//! `DSBulk` and programs write them.

use serde_json::{Map, Value};

use super::record::{Records, TraceRecord, column};

/// Reads JSON; false if the text has none.
pub(super) fn read(text: &str, records: &mut Records) -> bool {
    let inside = text.trim().trim_start_matches("```json").trim_matches('`');
    if let Ok(value) = serde_json::from_str::<Value>(inside.trim()) {
        add(&value, records, 0);
        return records.found;
    }
    for line in text.lines() {
        let line = line.trim().trim_matches(['|', ',']).trim();
        if line.starts_with('{')
            && let Ok(value) = serde_json::from_str::<Value>(line)
        {
            add(&value, records, 0);
        }
    }
    records.found
}

/// Adds the rows of a value.
fn add(value: &Value, records: &mut Records, depth: usize) {
    // A row is at most in: file, session, events.
    if depth > 4 {
        return;
    }
    match value {
        Value::Array(items) => items.iter().for_each(|item| add(item, records, depth + 1)),
        Value::Object(object) => {
            let known = |name: &str| object.keys().any(|key| column(key) == Some(name));
            let is_row = known("activity")
                || known("duration")
                || known("started_at")
                || known("coordinator");
            if is_row {
                let session = object.iter().find(|(key, _)| column(key) == Some("session_id"));
                if let Some((_, Value::String(id))) = session {
                    records.session = Some(id.clone());
                }
                records.add(row(object));
            }
            for (name, inner) in object {
                let is_inner = matches!(inner, Value::Array(_) | Value::Object(_));
                if is_inner && name != "parameters" {
                    add(inner, records, depth + 1);
                }
            }
        }
        _ => {}
    }
}

fn row(object: &Map<String, Value>) -> TraceRecord {
    let mut record = TraceRecord::default();
    for (name, value) in object {
        match value {
            Value::String(text) => record.set(name, text.clone()),
            Value::Number(number) => record.set(name, number.to_string()),
            Value::Object(parameters) if name == "parameters" => {
                let text = |(name, value): (&String, &Value)| {
                    Some((name.clone(), value.as_str()?.to_owned()))
                };
                record.parameters = parameters.iter().filter_map(text).collect();
            }
            _ => {}
        }
    }
    record
}
