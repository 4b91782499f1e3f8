//! Audit logs: the lines of the file logger, also within system.log, and the output of
//! `auditlogviewer`.

use super::collector::Target;
use super::log::EventSink;
use super::phrase::rest_after;
use super::section::{Format, SectionOutcome, SectionReader};
use super::statement::shape_statement;
use super::timestamp::parse_timestamp;
use crate::snapshot::{ObservedStatement, StatementOrigin};

pub(super) const FORMAT: Format = Format { kind: "audit log", open };

/// The most bytes of an entry that are kept.
const ENTRY_BYTES_MAX: usize = 1 << 20;

fn open(line: &str) -> Option<Box<dyn SectionReader>> {
    entry_of(line).map(|_| Box::new(AuditLogReader::default()) as Box<dyn SectionReader>)
}

/// The entry that a line begins.
fn entry_of(line: &str) -> Option<&str> {
    let entry = rest_after(line, "LogMessage: ").unwrap_or(line);
    let is_entry = entry.starts_with("user:") && entry.contains("|type:");
    is_entry.then_some(entry)
}

#[derive(Default)]
struct AuditLogReader {
    entry: Option<String>,
    entries: u64,
}

impl SectionReader for AuditLogReader {
    fn is_own_line(&self, line: &str) -> bool {
        // A statement may have any lines; an entry ends where the next one begins.
        self.entry.is_some() || rest_after(line, "Type: ").is_some()
    }

    fn read_line(&mut self, line: &str, target: &mut Target<'_>) {
        if let Some(entry) = entry_of(line) {
            self.close_entry(target);
            self.entry = Some(entry.to_owned());
        } else if rest_after(line, "Type: ").is_some() {
            self.close_entry(target);
        } else if let Some(entry) = &mut self.entry
            && entry.len() + line.len() < ENTRY_BYTES_MAX
        {
            entry.push('\n');
            entry.push_str(line);
        }
    }

    fn finish(&mut self, target: &mut Target<'_>) -> SectionOutcome {
        self.close_entry(target);
        SectionOutcome::complete()
    }
}

impl AuditLogReader {
    fn close_entry(&mut self, target: &mut Target<'_>) {
        if let Some(entry) = self.entry.take() {
            self.entries += 1;
            let identity = self.entries.to_string();
            let texts = [identity.as_bytes(), entry.as_bytes()];
            read_entry(&entry, &mut EventSink::new(None, &texts, target));
        }
    }
}

/// Reads `user:u|host:h|source:s|port:1|timestamp:1|type:SELECT|category:QUERY|ks:k|scope:t|operation:...`.
pub(super) fn read_entry(entry: &str, sink: &mut EventSink<'_, '_>) -> Option<()> {
    let (fields, operation) = entry.split_once("|operation:")?;
    let mut keyspace = "";
    let mut is_statement = false;
    for field in fields.split('|') {
        match field.split_once(':') {
            Some(("ks", name)) => keyspace = name,
            Some(("type", kind)) => {
                is_statement = matches!(kind, "SELECT" | "UPDATE" | "DELETE" | "INSERT");
            }
            Some(("timestamp", at)) => {
                let at_ms = at.parse().ok().or_else(|| parse_timestamp(at.as_bytes()));
                sink.at_ms = at_ms.or(sink.at_ms);
            }
            _ => {}
        }
    }
    if is_statement {
        let shaped = shape_statement(keyspace, operation);
        sink.statement(StatementOrigin::AuditLog, shaped, ObservedStatement::default());
    }
    Some(())
}
