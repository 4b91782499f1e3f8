//! `nodetool tpstats`: thread pools and dropped messages, as text, JSON or YAML.

use super::super::collector::Target;
use super::super::document::DocumentValue;
use super::super::phrase::Phrase;
use super::super::quantity::{parse_count, parse_number};
use super::super::section::{Format, SectionOutcome, SectionReader};
use crate::snapshot::{DroppedMessages, ThreadPool};

pub(in crate::source) const FORMAT: Format = Format { kind: "nodetool tpstats", open };

/// The most pools and verbs that are kept.
const NAMES_MAX: usize = 10_000;

fn open(line: &str) -> Option<Box<dyn SectionReader>> {
    let is_start = heading_of(line) == Some(PoolTable::Pools);
    is_start.then(|| Box::new(ThreadPoolStatsReader::default()) as Box<dyn SectionReader>)
}

/// The two tables of the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PoolTable {
    Pools,
    Dropped,
}

/// The table that a heading begins. `nodetool netstats` has pools with other columns.
fn heading_of(line: &str) -> Option<PoolTable> {
    let words: Vec<&str> = line.split_whitespace().take(5).collect();
    match *words {
        ["Pool", "Name", "Active", "Pending", "Completed"]
            if !line.trim_end().ends_with("Dropped") =>
        {
            Some(PoolTable::Pools)
        }
        ["Message", "type", "Dropped", ..] => Some(PoolTable::Dropped),
        _ => None,
    }
}

#[derive(Default)]
struct ThreadPoolStatsReader {
    table: Option<PoolTable>,
    rows: u64,
    skipped: u64,
}

impl SectionReader for ThreadPoolStatsReader {
    fn is_own_line(&self, line: &str) -> bool {
        heading_of(line) == Some(PoolTable::Dropped)
    }

    fn read_line(&mut self, line: &str, target: &mut Target<'_>) {
        if let Some(table) = heading_of(line) {
            self.table = Some(table);
            return;
        }
        if Phrase::new(line).skip("Latencies waiting").is_some() || line.trim().is_empty() {
            return;
        }
        // Names of pools have no blanks, except those of ScyllaDB's shards.
        let words: Vec<&str> = line.split_whitespace().collect();
        let read = match self.table {
            Some(PoolTable::Pools) => read_pool(&words, target),
            Some(PoolTable::Dropped) => read_dropped(&words, target),
            None => None,
        };
        self.rows += u64::from(read.is_some());
        self.skipped += u64::from(read.is_none());
    }

    fn finish(&mut self, _target: &mut Target<'_>) -> SectionOutcome {
        match self.rows {
            0 => SectionOutcome::with_problem("it contains no thread pool"),
            _ => SectionOutcome::with_skipped_lines(self.skipped),
        }
    }
}

/// Reads a row of the pools: the name and five counts.
fn read_pool(words: &[&str], target: &mut Target<'_>) -> Option<()> {
    let (name, counts) = words.split_at_checked(words.len().checked_sub(5)?)?;
    let [active, pending, completed, blocked, all_time_blocked] = *counts else { return None };
    if name.is_empty() {
        return None;
    }
    completed.parse::<u64>().ok()?;
    let pool = ThreadPool {
        active: parse_count(active),
        pending: parse_count(pending),
        completed: parse_count(completed),
        blocked: parse_count(blocked),
        all_time_blocked: parse_count(all_time_blocked),
    };
    add_pool(name.join(" "), pool, target);
    Some(())
}

fn add_pool(name: String, pool: ThreadPool, target: &mut Target<'_>) {
    let pools = &mut target.node().thread_pools;
    if pools.len() < NAMES_MAX {
        pools.insert(name, pool);
    }
}

/// Reads a row of the dropped messages: the verb, the count and since 4.0 the median, the 95th and
/// 99th percentile and the maximum of the time in the queue, in microseconds.
fn read_dropped(words: &[&str], target: &mut Target<'_>) -> Option<()> {
    let [verb, count, latencies @ ..] = words else { return None };
    let count = parse_count(count)?;
    let p99_ms = latencies.get(2).and_then(|text| parse_number(text)).map(|micros| micros / 1e3);
    add_dropped(verb, count, p99_ms, target);
    Some(())
}

fn add_dropped(verb: &str, count: u64, p99_ms: Option<f64>, target: &mut Target<'_>) {
    let dropped = &mut target.node().dropped;
    if dropped.len() < NAMES_MAX {
        let p99_ms = p99_ms.filter(|_| count > 0);
        dropped.insert(verb.to_owned(), DroppedMessages { count, p99_ms });
    }
}

/// Whether a document is the output of this command.
pub(in crate::source) fn is_document(document: &DocumentValue) -> bool {
    document.find("ThreadPools").is_some() || document.find("DroppedMessage").is_some()
}

/// Reads a document.
pub(in crate::source) fn read_document(
    document: &DocumentValue,
    target: &mut Target<'_>,
) -> Option<String> {
    let of = |name: &str| document.find(name).map_or(&[][..], DocumentValue::entries);
    for (name, figures) in of("ThreadPools") {
        let pool = ThreadPool {
            active: figures.count("ActiveTasks"),
            pending: figures.count("PendingTasks"),
            completed: figures.count("CompletedTasks"),
            blocked: figures.count("CurrentlyBlockedTasks"),
            all_time_blocked: figures.count("TotalBlockedTasks"),
        };
        add_pool(name.clone(), pool, target);
    }
    let latencies = document.find("WaitLatencies");
    for (verb, count) in of("DroppedMessage") {
        let Some(count) = count.text().and_then(parse_count) else { continue };
        let latencies = latencies.and_then(|latencies| latencies.find(verb));
        // The percentiles are 50, 75, 95, 98, 99, then the minimum and the maximum.
        let p99 = latencies.and_then(|latencies| latencies.elements().get(4));
        let p99 = p99.and_then(DocumentValue::text).and_then(parse_number);
        add_dropped(verb, count, p99.map(|micros| micros / 1e3), target);
    }
    of("ThreadPools").is_empty().then(|| "it contains no thread pool".to_owned())
}
