//! Formats, and how their parts of a file are found.

use super::collector::Target;
use super::nodetool;
use super::{audit_log, document, gc_log, log, query_log, schema_dump, sstable};

/// A format of output.
pub(super) struct Format {
    /// What a part of a file in this format is called.
    pub(super) kind: &'static str,
    /// Opens a part of a file if a line is the first of one.
    pub(super) open: fn(line: &str) -> Option<Box<dyn SectionReader>>,
}

/// Reads a part of a file.
pub(super) trait SectionReader {
    /// Whether a line belongs to the part for sure, so that no other format is asked about it.
    fn is_own_line(&self, _line: &str) -> bool {
        false
    }

    /// Reads a line; the first one is the one that opened the part.
    fn read_line(&mut self, line: &str, target: &mut Target<'_>);

    /// The end of the part.
    fn finish(&mut self, target: &mut Target<'_>) -> SectionOutcome;
}

/// What became of a part of a file.
pub(super) struct SectionOutcome {
    /// What it turned out to be, if the format does not tell.
    pub(super) kind: Option<&'static str>,
    /// Whether it was of the format after all.
    pub(super) is_recognised: bool,
    /// What could not be read.
    pub(super) problem: Option<String>,
}

impl SectionOutcome {
    /// All was read.
    pub(super) fn complete() -> Self {
        Self { kind: None, is_recognised: true, problem: None }
    }

    /// It was something else.
    pub(super) fn foreign() -> Self {
        Self { kind: None, is_recognised: false, problem: None }
    }

    /// A part could not be read.
    pub(super) fn with_problem(problem: impl Into<String>) -> Self {
        Self { kind: None, is_recognised: true, problem: Some(problem.into()) }
    }

    /// Some lines could not be read, or none.
    pub(super) fn with_skipped_lines(lines: u64) -> Self {
        match lines {
            0 => Self::complete(),
            1 => Self::with_problem("1 line could not be read"),
            _ => Self::with_problem(format!("{lines} lines could not be read")),
        }
    }
}

/// All formats. Those whose first line could be many things come last.
const FORMATS: [&Format; 22] = [
    &log::FORMAT,
    &gc_log::FORMAT,
    &nodetool::table_stats::FORMAT,
    &nodetool::table_histograms::FORMAT,
    &nodetool::thread_pool_stats::FORMAT,
    &nodetool::compaction_stats::FORMAT,
    &nodetool::compaction_history::FORMAT,
    &nodetool::top_partitions::FORMAT,
    &nodetool::info::FORMAT,
    &nodetool::ring_state::FORMAT,
    &nodetool::cluster_description::FORMAT,
    &nodetool::throughput::FORMAT,
    &nodetool::gc_stats::FORMAT,
    &nodetool::client_stats::FORMAT,
    &nodetool::net_stats::FORMAT,
    &query_log::FORMAT,
    &audit_log::FORMAT,
    &sstable::metadata::FORMAT,
    &sstable::partitions::FORMAT,
    &schema_dump::FORMAT,
    &document::JSON_FORMAT,
    &document::YAML_FORMAT,
];

/// Opens the part of a file that a line begins. `open` is the kind of the part before it: a format
/// whose first line could be many things does not interrupt another one.
pub(super) fn open(
    line: &str,
    open: Option<&str>,
) -> Option<(&'static Format, Box<dyn SectionReader>)> {
    if line.trim_start().is_empty() {
        return None;
    }
    FORMATS
        .iter()
        .filter(|format| open.is_none() || format.kind != document::YAML_FORMAT.kind)
        .find_map(|format| Some((*format, (format.open)(line)?)))
}

/// The kinds of binary files by their beginning, and what to do with them.
const BINARY_FILES: [(&[u8], &str, &str); 4] = [
    (
        b"SCQStore",
        "full query log or audit log",
        "it is binary; run `fqltool dump` or `auditlogviewer` and collect their output",
    ),
    (
        b"STStore",
        "full query log or audit log",
        "it is binary; run `fqltool dump` or `auditlogviewer` and collect their output",
    ),
    (b"\x1f\x8b", "gzip archive", "unpack it"),
    (b"PK\x03\x04", "zip archive", "unpack it"),
];

/// What a binary file is, if its first line tells.
pub(super) fn find_binary(line: &[u8], end: usize) -> Option<(&'static str, &'static str)> {
    let start = &line[..line.len().min(256)];
    if end > start.len() + 1 {
        return None;
    }
    let found = BINARY_FILES.iter().find(|(mark, ..)| {
        // The mark of a queue follows a binary header; the others are the first bytes.
        if mark.len() > 4 {
            memchr::memmem::find(start, mark).is_some()
        } else {
            start.starts_with(mark)
        }
    });
    found.map(|(_, kind, problem)| (*kind, *problem))
}
