//! system.log and debug.log of Cassandra, and the log of `ScyllaDB`.
//!
//! Of a line only the head is looked at, and where its message begins; most messages are dismissed by
//! their first bytes (`sentence`). Lines that follow an entry of interest belong to it.

mod batch;
mod cluster_state;
mod entry;
mod event_sink;
mod guardrail;
mod line_head;
mod partition;
mod sentence;
mod slow_operation;
mod tombstone;

use memchr::memmem::Finder;

use super::collector::Target;
use super::section::{Format, SectionOutcome, SectionReader};
use entry::PendingEntry;
pub(super) use event_sink::EventSink;
use sentence::{Sentence, SentenceIndex};

pub(super) const FORMAT: Format = Format { kind: "log", open };

/// The lines after the heading of the thread pools in which their rows are looked for.
const STATUS_LINES_MAX: u32 = 120;

fn open(line: &str) -> Option<Box<dyn SectionReader>> {
    line_head::is_log_line(line).then(|| Box::new(LogReader::new()) as Box<dyn SectionReader>)
}

struct LogReader {
    separator: Finder<'static>,
    sentences: SentenceIndex,
    /// An entry that the next lines may continue.
    pending: Option<PendingEntry>,
    /// The head of the last entry, for its time.
    last_head: Vec<u8>,
    first_ms: Option<i64>,
    lines: u64,
    /// How many more lines may be rows of thread pools.
    status_lines: u32,
    has_entries: bool,
}

impl LogReader {
    fn new() -> Self {
        Self {
            separator: Finder::new(" - "),
            sentences: SentenceIndex::new(),
            pending: None,
            last_head: Vec::with_capacity(line_head::HEAD_BYTES_MAX),
            first_ms: None,
            lines: 0,
            status_lines: 0,
            has_entries: false,
        }
    }

    /// Reads the first line of an entry.
    fn read_entry(&mut self, line: &str, target: &mut Target<'_>) {
        self.flush(target);
        let head = line_head::head_of(line);
        self.last_head.clear();
        self.last_head.extend_from_slice(head);
        if !self.has_entries {
            self.has_entries = true;
            self.first_ms = line_head::find_time(head);
        }
        let message = line_head::message_of(line, &self.separator);
        if self.status_lines > 0 {
            self.status_lines -= 1;
            if cluster_state::read_pool_row(message, &mut self.sink(line, target)).is_some() {
                return;
            }
        }
        let Some(sentence) = self.sentences.find(message) else { return };
        if sentence.is_status_heading {
            self.status_lines = STATUS_LINES_MAX;
        }
        if sentence.has_continuation {
            self.pending = Some(PendingEntry::new(sentence, head, message));
        } else {
            (sentence.read)(message, &mut self.sink(line, target));
        }
    }

    /// Reads a line without a head: it continues the entry before it.
    fn read_continuation(&mut self, line: &str, target: &mut Target<'_>) {
        if let Some(pending) = &mut self.pending {
            pending.push(line);
            return;
        }
        // The reason of an error follows the name of its class.
        let is_exception = line.as_bytes().first().is_some_and(u8::is_ascii_alphabetic);
        if is_exception && let Some(sentence) = sentence::find_exception(line) {
            let head = std::mem::take(&mut self.last_head);
            let at_ms = line_head::find_time(&head);
            (sentence.0)(sentence.1, &mut EventSink::new(at_ms, &[&head, line.as_bytes()], target));
            self.last_head = head;
        }
    }

    fn sink<'a, 't>(&self, line: &str, target: &'a mut Target<'t>) -> EventSink<'a, 't> {
        EventSink::new(line_head::find_time(&self.last_head), &[line.as_bytes()], target)
    }

    fn flush(&mut self, target: &mut Target<'_>) {
        if let Some(pending) = self.pending.take() {
            let (head, text) = (&pending.head, &pending.text);
            let at_ms = line_head::find_time(head);
            let read: fn(&str, &mut EventSink<'_, '_>) -> Option<()> = pending.sentence.read;
            read(text, &mut EventSink::new(at_ms, &[head, text.as_bytes()], target));
        }
    }
}

impl SectionReader for LogReader {
    fn is_own_line(&self, line: &str) -> bool {
        // What no other format begins with is a part of an entry.
        line_head::has_level(line)
            || line.starts_with(['\t', '<', ' '])
            || self.pending.is_some()
            || line_head::is_log_line(line)
    }

    fn read_line(&mut self, line: &str, target: &mut Target<'_>) {
        self.lines += 1;
        if line_head::has_level(line) || line_head::is_log_line(line) {
            self.read_entry(line, target);
        } else {
            self.read_continuation(line, target);
        }
    }

    fn finish(&mut self, target: &mut Target<'_>) -> SectionOutcome {
        self.flush(target);
        let last_ms = line_head::find_time(&self.last_head);
        let log = &mut target.node().log;
        log.lines += self.lines;
        log.first_ms = [log.first_ms, self.first_ms].into_iter().flatten().min();
        log.last_ms = log.last_ms.max(last_ms);
        SectionOutcome::complete()
    }
}
