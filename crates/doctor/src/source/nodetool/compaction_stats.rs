//! `nodetool compactionstats`: pending tasks by table and running compactions.

use super::super::collector::Target;
use super::super::phrase::Phrase;
use super::super::quantity::{parse_count, parse_number};
use super::super::section::{Format, SectionOutcome, SectionReader};
use crate::snapshot::TableName;

pub(in crate::source) const FORMAT: Format = Format { kind: "nodetool compactionstats", open };

/// The most tables that are kept.
const TABLES_MAX: usize = 100_000;

fn open(line: &str) -> Option<Box<dyn SectionReader>> {
    let is_start = label_of(line).is_some_and(|(label, _)| {
        matches!(label, CompactionLabel::Pending | CompactionLabel::Concurrent)
    });
    is_start.then(|| Box::new(CompactionStatsReader::default()) as Box<dyn SectionReader>)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CompactionLabel {
    Concurrent,
    Pending,
    Completed,
    Throughput,
    Other,
}

/// The labels of figures. Up to 4.x a colon follows, since 5.0 blanks.
const LABELS: [(&str, CompactionLabel); 11] = [
    ("concurrent compactors", CompactionLabel::Concurrent),
    ("pending tasks", CompactionLabel::Pending),
    ("compactions completed", CompactionLabel::Completed),
    ("compaction throughput (MiB/s)", CompactionLabel::Throughput),
    ("data compacted", CompactionLabel::Other),
    ("compactions aborted", CompactionLabel::Other),
    ("compactions reduced", CompactionLabel::Other),
    ("sstables dropped from compaction", CompactionLabel::Other),
    ("15 minute rate", CompactionLabel::Other),
    ("mean rate", CompactionLabel::Other),
    ("active compaction remaining time", CompactionLabel::Other),
];

/// The label of a line, and its value.
fn label_of(line: &str) -> Option<(CompactionLabel, &str)> {
    LABELS.iter().find_map(|(name, label)| {
        let mut phrase = Phrase::new(line.trim_start());
        let start = phrase.rest().get(..name.len())?;
        if !start.eq_ignore_ascii_case(name) {
            return None;
        }
        phrase.skip(start)?;
        Some((*label, phrase.rest().trim_start_matches([':', ' ', '\t']).trim_end()))
    })
}

/// Where the running compactions have their keyspace.
#[derive(Clone, Copy)]
enum RunningTable {
    None,
    Started,
}

struct CompactionStatsReader {
    running: RunningTable,
    active: u64,
    skipped: u64,
}

impl Default for CompactionStatsReader {
    fn default() -> Self {
        Self { running: RunningTable::None, active: 0, skipped: 0 }
    }
}

impl SectionReader for CompactionStatsReader {
    fn is_own_line(&self, line: &str) -> bool {
        line.starts_with("- ")
    }

    fn read_line(&mut self, line: &str, target: &mut Target<'_>) {
        if line.trim().is_empty()
            || Phrase::new(line.trim_start()).skip("Active compaction").is_some()
        {
            return;
        }
        if let Some((label, value)) = label_of(line) {
            let compaction = &mut target.node().compaction;
            match label {
                CompactionLabel::Pending => compaction.pending = parse_count(value),
                CompactionLabel::Concurrent => compaction.concurrent = parse_count(value),
                CompactionLabel::Completed => compaction.completed = parse_count(value),
                CompactionLabel::Throughput => {
                    // `throttling disabled (0)`
                    compaction.throughput_mb = Some(parse_number(value).unwrap_or(0.0));
                }
                CompactionLabel::Other => {}
            }
            return;
        }
        let words: Vec<&str> = line.split_whitespace().collect();
        if words.contains(&"keyspace") && words.contains(&"table") && words.contains(&"total") {
            self.running = RunningTable::Started;
        } else if let RunningTable::Started = self.running {
            self.active += 1;
        } else {
            self.skipped += u64::from(read_pending(line, &words, target).is_none());
        }
    }

    fn finish(&mut self, target: &mut Target<'_>) -> SectionOutcome {
        target.node().compaction.active = Some(self.active);
        SectionOutcome::with_skipped_lines(self.skipped)
    }
}

/// Reads the pending tasks of a table: `- ks.table: 3`, or since 5.0 `ks table 3`.
fn read_pending(line: &str, words: &[&str], target: &mut Target<'_>) -> Option<()> {
    let (table, count) = match (line.strip_prefix("- "), words) {
        (Some(entry), _) => {
            let (name, count) = entry.rsplit_once(':')?;
            let (keyspace, table) = name.split_once('.')?;
            (TableName::new(keyspace, table), parse_count(count)?)
        }
        (None, [keyspace, table, count]) => (TableName::new(keyspace, table), parse_count(count)?),
        _ => return None,
    };
    let node = target.node();
    if node.compaction.pending_by_table.len() < TABLES_MAX {
        node.compaction.pending_by_table.insert(table.clone(), count);
        node.tables.entry(table).or_default().pending_compactions = Some(count);
    }
    Some(())
}
