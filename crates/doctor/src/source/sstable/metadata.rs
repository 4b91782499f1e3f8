//! `sstablemetadata`.

use super::super::collector::Target;
use super::super::phrase::rest_after;
use super::super::quantity::{parse_count, parse_number};
use super::super::section::{Format, SectionOutcome, SectionReader};
use super::super::table_path::find_table;
use super::add_sstable;
use crate::snapshot::{LargestPartition, SstableFacts};

pub(in crate::source) const FORMAT: Format = Format { kind: "sstablemetadata", open };

fn open(line: &str) -> Option<Box<dyn SectionReader>> {
    path_of(line).map(|_| Box::new(MetadataReader::default()) as Box<dyn SectionReader>)
}

/// The file whose metadata follow.
fn path_of(line: &str) -> Option<&str> {
    rest_after(line, "SSTable: ").map(str::trim).filter(|path| !path.is_empty())
}

#[derive(Default)]
struct MetadataReader {
    facts: Option<SstableFacts>,
    is_in_largest: bool,
    nameless: u64,
}

impl SectionReader for MetadataReader {
    fn is_own_line(&self, line: &str) -> bool {
        line.starts_with(' ') || path_of(line).is_some()
    }

    fn read_line(&mut self, line: &str, target: &mut Target<'_>) {
        if let Some(path) = path_of(line) {
            self.close_file(target);
            self.facts = Some(SstableFacts { path: path.to_owned(), ..SstableFacts::default() });
            return;
        }
        let Some(facts) = &mut self.facts else { return };
        if self.is_in_largest
            && let Some(partition) = read_partition(line)
        {
            if facts.largest_partitions.len() < super::PARTITIONS_MAX {
                facts.largest_partitions.push(partition);
            }
            return;
        }
        self.is_in_largest = false;
        // A progress bar stands before the first figure of a scan.
        let line = line.rsplit('\r').next().unwrap_or(line);
        let Some((label, value)) = line.split_once(':') else { return };
        self.is_in_largest = label == "Largest Partitions";
        set(facts, label.trim(), value.trim());
    }

    fn finish(&mut self, target: &mut Target<'_>) -> SectionOutcome {
        self.close_file(target);
        match self.nameless {
            0 => SectionOutcome::complete(),
            files => SectionOutcome::with_problem(format!(
                "the paths of {files} SSTables do not tell their tables"
            )),
        }
    }
}

impl MetadataReader {
    fn close_file(&mut self, target: &mut Target<'_>) {
        self.is_in_largest = false;
        let Some(facts) = self.facts.take() else { return };
        match find_table(&facts.path) {
            Some(table) => add_sstable(table, facts, target),
            None => self.nameless += 1,
        }
    }
}

/// Sets a field. The order of a value and its explanation in parentheses differs between versions.
fn set(facts: &mut SstableFacts, label: &str, value: &str) {
    let first = value.split(' ').next().unwrap_or_default();
    match label {
        "Minimum timestamp" => facts.min_timestamp_us = find_timestamp(value),
        "Maximum timestamp" => facts.max_timestamp_us = find_timestamp(value),
        "TTL min" => facts.min_ttl = parse_count(first),
        "TTL max" => facts.max_ttl = parse_count(first),
        "Estimated droppable tombstones" => facts.droppable_tombstone_ratio = parse_number(first),
        "SSTable Level" => facts.level = parse_count(first),
        "Repaired at" => facts.repaired_at_ms = first.parse().ok(),
        "totalRows" | "Rows" => facts.rows = parse_count(first),
        "totalColumnsSet" | "Cells" => facts.cells = parse_count(first),
        "Estimated cardinality" | "Partitions" => facts.partitions = parse_count(first),
        _ => {}
    }
}

/// The microseconds since 1970 in a value, which has the date as well.
fn find_timestamp(value: &str) -> Option<i64> {
    let words = value.split([' ', '(', ')']);
    words.filter(|word| word.len() >= 10 && !word.contains('/')).find_map(|word| word.parse().ok())
}

/// `  [key] 321850 (314.3 kB)`
fn read_partition(line: &str) -> Option<LargestPartition> {
    let rest = line.trim_start().strip_prefix('[')?;
    let (key, size) = rest.rsplit_once("] ")?;
    let value = parse_count(size.split(' ').next()?)?;
    Some(LargestPartition { key: key.to_owned(), value })
}
