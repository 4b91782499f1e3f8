//! Full query logs, as `fqltool dump` prints them.

use super::collector::Target;
use super::log::EventSink;
use super::phrase::rest_after;
use super::section::{Format, SectionOutcome, SectionReader};
use super::statement::shape_statement;
use crate::snapshot::{ObservedStatement, StatementOrigin};

pub(super) const FORMAT: Format = Format { kind: "full query log", open };

/// The most bytes of a statement that are kept.
const STATEMENT_BYTES_MAX: usize = 1 << 20;

fn open(line: &str) -> Option<Box<dyn SectionReader>> {
    is_record(line).then(|| Box::new(QueryLogReader::default()) as Box<dyn SectionReader>)
}

fn is_record(line: &str) -> bool {
    matches!(line.trim_end(), "Type: single-query" | "Type: single" | "Type: batch")
}

#[derive(Default)]
struct QueryLogReader {
    at_ms: Option<i64>,
    query: Option<String>,
    queries: u64,
    /// The position of a record in the file, which tells records apart.
    records: u64,
}

impl SectionReader for QueryLogReader {
    fn is_own_line(&self, line: &str) -> bool {
        // Values are printed in hexadecimal; a statement may have several lines.
        self.query.is_some()
            || is_record(line)
            || !line.starts_with(|sign: char| sign.is_ascii_uppercase())
    }

    fn read_line(&mut self, line: &str, target: &mut Target<'_>) {
        if is_record(line) {
            self.close_query(target);
            self.records += 1;
            self.at_ms = None;
        } else if line.trim_end() == "Values:" {
            self.close_query(target);
        } else if let Some(query) = &mut self.query {
            if query.len() + line.len() < STATEMENT_BYTES_MAX {
                query.push('\n');
                query.push_str(line);
            }
        } else if let Some(query) = rest_after(line, "Query: ") {
            self.query = Some(query.to_owned());
        } else if let Some((label, value)) = line.split_once(':')
            && label == "Query start time"
        {
            self.at_ms = value.trim().parse().ok();
        }
    }

    fn finish(&mut self, target: &mut Target<'_>) -> SectionOutcome {
        self.close_query(target);
        match self.queries {
            0 => SectionOutcome::with_problem("it contains no query"),
            _ => SectionOutcome::complete(),
        }
    }
}

impl QueryLogReader {
    fn close_query(&mut self, target: &mut Target<'_>) {
        let Some(query) = self.query.take() else { return };
        self.queries += 1;
        let at = self.at_ms.unwrap_or(0);
        let identity = format!("{at} {} {}", self.records, self.queries);
        let mut sink = EventSink::new(self.at_ms, &[identity.as_bytes(), query.as_bytes()], target);
        let shaped = shape_statement("", &query);
        sink.statement(StatementOrigin::FullQueryLog, shaped, ObservedStatement::default());
    }
}
