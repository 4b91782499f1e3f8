//! `nodetool compactionhistory`, as text, JSON or YAML.

use super::super::collector::Target;
use super::super::document::DocumentValue;
use super::super::phrase::Phrase;
use super::super::quantity::parse_count;
use super::super::section::{Format, SectionOutcome, SectionReader};
use super::super::timestamp::parse_timestamp;
use crate::snapshot::TableName;

pub(in crate::source) const FORMAT: Format = Format { kind: "nodetool compactionhistory", open };

/// The most tables that are kept.
const TABLES_MAX: usize = 100_000;

fn open(line: &str) -> Option<Box<dyn SectionReader>> {
    Phrase::new(line).skip("Compaction History:")?;
    Some(Box::new(CompactionHistoryReader::default()))
}

#[derive(Default)]
struct CompactionHistoryReader {
    is_started: bool,
    skipped: u64,
}

impl SectionReader for CompactionHistoryReader {
    fn read_line(&mut self, line: &str, target: &mut Target<'_>) {
        let words: Vec<&str> = line.split_whitespace().collect();
        if words.first() == Some(&"id") {
            self.is_started = true;
        } else if self.is_started && !words.is_empty() {
            // Up to 3.11 the columns are the same, with the time as a number of milliseconds.
            let read = match *words {
                [_, keyspace, table, at, bytes_in, bytes_out, ..] => {
                    add(keyspace, table, at, (bytes_in, bytes_out), target)
                }
                _ => None,
            };
            self.skipped += u64::from(read.is_none());
        }
    }

    fn finish(&mut self, _target: &mut Target<'_>) -> SectionOutcome {
        SectionOutcome::with_skipped_lines(self.skipped)
    }
}

fn add(
    keyspace: &str,
    table: &str,
    at: &str,
    (bytes_in, bytes_out): (&str, &str),
    target: &mut Target<'_>,
) -> Option<()> {
    let at_ms = parse_timestamp(at.as_bytes()).or_else(|| at.parse().ok());
    let (bytes_in, bytes_out) = (parse_count(bytes_in)?, parse_count(bytes_out)?);
    let history = &mut target.node().compaction.history;
    let name = TableName::new(keyspace, table);
    if history.len() >= TABLES_MAX && !history.contains_key(&name) {
        return Some(());
    }
    let known = history.entry(name).or_default();
    known.compactions += 1;
    known.bytes_in = known.bytes_in.saturating_add(bytes_in);
    known.bytes_out = known.bytes_out.saturating_add(bytes_out);
    known.last_ms = known.last_ms.max(at_ms);
    Some(())
}

/// Whether a document is the output of this command.
pub(in crate::source) fn is_document(document: &DocumentValue) -> bool {
    document.find("CompactionHistory").is_some()
}

/// Reads a document.
pub(in crate::source) fn read_document(
    document: &DocumentValue,
    target: &mut Target<'_>,
) -> Option<String> {
    let mut skipped = 0;
    let entries = document.find("CompactionHistory")?;
    // A list of one element is read as that element.
    let single = std::slice::from_ref(entries);
    let entries = if entries.elements().is_empty() { single } else { entries.elements() };
    for entry in entries.iter().filter(|entry| !entry.entries().is_empty()) {
        let text = |name: &str| entry.find(name).and_then(DocumentValue::text).unwrap_or_default();
        let bytes = (text("bytes_in"), text("bytes_out"));
        let added = add(
            text("keyspace_name"),
            text("columnfamily_name"),
            text("compacted_at"),
            bytes,
            target,
        );
        skipped += u64::from(added.is_none());
    }
    SectionOutcome::with_skipped_lines(skipped).problem
}
