//! `sstablepartitions`, as text or CSV.

use super::super::collector::Target;
use super::super::phrase::{Phrase, rest_after};
use super::super::quantity::{parse_bytes, parse_count};
use super::super::section::{Format, SectionOutcome, SectionReader};
use super::super::table_path::find_table;
use super::{add_sstable, insert_partition};
use crate::snapshot::{LargestPartition, SstableFacts, TableName};

pub(in crate::source) const FORMAT: Format = Format { kind: "sstablepartitions", open };

/// The heading of the CSV begins so; a row has this many fields.
const CSV_START: &str = "key,keyBinary,live,offset,size,";
const CSV_FIELDS: usize = 23;

fn open(line: &str) -> Option<Box<dyn SectionReader>> {
    let is_start = line.starts_with(CSV_START) || file_of(line).is_some();
    is_start.then(|| Box::new(SstablePartitionsReader::default()) as Box<dyn SectionReader>)
}

/// The table of `Processing ks.table-id #1 (big-nb) (369 KiB uncompressed, 35 KiB on disk)`.
fn file_of(line: &str) -> Option<TableName> {
    let mut phrase = Phrase::new(line);
    phrase.skip("Processing ")?;
    let name = phrase.take_until(" ")?;
    let (keyspace, table) = name.split_once('.')?;
    let (table, _) = table.rsplit_once('-')?;
    Phrase::new(phrase.rest()).take_until(" uncompressed, ")?;
    Some(TableName::new(keyspace, table))
}

#[derive(Default)]
struct SstablePartitionsReader {
    is_csv: bool,
    table: Option<TableName>,
    facts: SstableFacts,
    tombstones: Vec<LargestPartition>,
    skipped: u64,
}

impl SectionReader for SstablePartitionsReader {
    fn is_own_line(&self, line: &str) -> bool {
        line.starts_with(' ') || self.is_csv
    }

    fn read_line(&mut self, line: &str, target: &mut Target<'_>) {
        if line.starts_with(CSV_START) {
            self.is_csv = true;
        } else if self.is_csv {
            if !line.is_empty() {
                self.skipped += u64::from(read_csv(line, target).is_none());
            }
        } else if let Some(table) = file_of(line) {
            self.close_file(target);
            self.table = Some(table);
        } else if let Some(rest) = rest_after(line.trim_start(), "Partition: '") {
            self.skipped += u64::from(self.read_partition(rest).is_none());
        } else if let Some(path) = rest_after(line.trim_start(), "File: ") {
            path.trim().clone_into(&mut self.facts.path);
        } else if let Some(count) = rest_after(line.trim_start(), "count ") {
            self.facts.partitions = parse_count(count);
        }
    }

    fn finish(&mut self, target: &mut Target<'_>) -> SectionOutcome {
        self.close_file(target);
        SectionOutcome::with_skipped_lines(self.skipped)
    }
}

impl SstablePartitionsReader {
    /// Reads `key' (6b) live, size: 53.338 KiB, rows: 2100, cells: 0, tombstones: 2100 (row:2100, ...)`.
    fn read_partition(&mut self, text: &str) -> Option<()> {
        let mut phrase = Phrase::new(text);
        let key = phrase.take_until_last("' (")?;
        phrase.take_until("size: ")?;
        let size = phrase.rest().split(',').next().unwrap_or_default();
        let partition = |value: u64| LargestPartition { key: key.to_owned(), value };
        insert_partition(&mut self.facts.largest_partitions, partition(parse_bytes(size)?));
        if phrase.take_until("tombstones: ").is_some() {
            insert_partition(&mut self.tombstones, partition(phrase.take_count()?));
        }
        Some(())
    }

    fn close_file(&mut self, target: &mut Target<'_>) {
        let facts = std::mem::take(&mut self.facts);
        let tombstones = std::mem::take(&mut self.tombstones);
        let Some(table) = self.table.take() else { return };
        let figures = target.node().tables.entry(table.clone()).or_default();
        for partition in &facts.largest_partitions {
            insert_partition(&mut figures.largest_partitions, partition.clone());
        }
        for partition in tombstones.into_iter().filter(|partition| partition.value > 0) {
            insert_partition(&mut figures.most_tombstones, partition);
        }
        add_sstable(table, facts, target);
    }
}

/// Reads a row. The key comes first, and its quotes are not reliable, so fields are counted from
/// the end.
fn read_csv(line: &str, target: &mut Target<'_>) -> Option<()> {
    let fields: Vec<&str> = line.rsplitn(CSV_FIELDS, ',').collect();
    let field = |from_start: usize| fields.get(CSV_FIELDS.checked_sub(from_start + 1)?).copied();
    let key = field(0)?.trim_matches('"');
    let (size, tombstones) = (parse_count(field(4)?)?, parse_count(field(7)?)?);
    let (path, keyspace, table) = (field(14)?, field(15)?, field(16)?);
    let name = match (keyspace, table) {
        ("", _) | (_, "") => find_table(path)?,
        _ => TableName::new(keyspace, table),
    };
    let partition = |value: u64| LargestPartition { key: key.to_owned(), value };
    let figures = target.node().tables.entry(name.clone()).or_default();
    insert_partition(&mut figures.largest_partitions, partition(size));
    if tombstones > 0 {
        insert_partition(&mut figures.most_tombstones, partition(tombstones));
    }
    let facts = SstableFacts {
        path: path.to_owned(),
        largest_partitions: vec![partition(size)],
        ..SstableFacts::default()
    };
    add_sstable(name, facts, target);
    Some(())
}
