//! `nodetool toppartitions` and `nodetool profileload`: the partitions that were used most.

use super::super::collector::Target;
use super::super::phrase::Phrase;
use super::super::quantity::parse_count;
use super::super::section::{Format, SectionOutcome, SectionReader};
use super::super::statement::split_name;
use super::super::table_grid::TableGrid;
use crate::snapshot::{LargestPartition, TableName};

pub(in crate::source) const FORMAT: Format =
    Format { kind: "nodetool toppartitions or profileload", open };

/// The most partitions that are kept of a table.
const PARTITIONS_MAX: usize = 100;

/// The headings of the lists, and what they list. Those of 3.11 and `ScyllaDB` do not name the table.
const LISTS: [(&str, ListedPartition); 9] = [
    ("READS Sampler:", ListedPartition::Hot),
    ("WRITES Sampler:", ListedPartition::Hot),
    ("Frequency of reads by partition:", ListedPartition::Hot),
    ("Frequency of writes by partition:", ListedPartition::Hot),
    ("Frequency of CAS contention by partition:", ListedPartition::Other),
    ("Frequency of cas contentions by partition:", ListedPartition::Other),
    ("Max mutation size by partition:", ListedPartition::Other),
    ("Longest read query times:", ListedPartition::Other),
    ("Partitions read with the most tombstones:", ListedPartition::Tombstones),
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ListedPartition {
    Hot,
    Tombstones,
    Other,
}

fn list_of(line: &str) -> Option<ListedPartition> {
    let line = line.trim_end();
    if let Some((_, list)) = LISTS.iter().find(|(heading, _)| *heading == line) {
        return Some(*list);
    }
    let mut phrase = Phrase::new(line);
    phrase.skip("Partitions read with the most ")?;
    line.ends_with(':').then_some(ListedPartition::Other)
}

fn open(line: &str) -> Option<Box<dyn SectionReader>> {
    list_of(line).map(|_| Box::new(TopPartitionsReader::default()) as Box<dyn SectionReader>)
}

#[derive(Default)]
struct TopPartitionsReader {
    list: Option<ListedPartition>,
    grid: Option<TableGrid>,
    has_tables: bool,
    nameless: u64,
    skipped: u64,
}

impl SectionReader for TopPartitionsReader {
    fn is_own_line(&self, line: &str) -> bool {
        list_of(line).is_some() || line.starts_with([' ', '\t'])
    }

    fn read_line(&mut self, line: &str, target: &mut Target<'_>) {
        if let Some(list) = list_of(line) {
            self.list = Some(list);
            self.grid = None;
            return;
        }
        if line.trim().is_empty() {
            self.grid = None;
            return;
        }
        let Some(list) = self.list else { return };
        if self.grid.is_none() {
            self.has_tables = line.trim_start().starts_with("Table");
            self.grid = if self.has_tables {
                TableGrid::new(line, &["Table", "Partition", "Count"])
            } else {
                TableGrid::new(line, &["Partition"])
            };
            return;
        }
        if self.has_tables {
            self.skipped += u64::from(self.read_row(list, line, target).is_none());
        } else {
            self.nameless += 1;
        }
    }

    fn finish(&mut self, _target: &mut Target<'_>) -> SectionOutcome {
        match self.nameless {
            0 => SectionOutcome::with_skipped_lines(self.skipped),
            rows => SectionOutcome::with_problem(format!(
                "{rows} partitions were not used: this version does not print their table"
            )),
        }
    }
}

impl TopPartitionsReader {
    fn read_row(&self, list: ListedPartition, line: &str, target: &mut Target<'_>) -> Option<()> {
        let cells = self.grid.as_ref()?.cells(line)?;
        let [table, key, count] = *cells else { return None };
        let (name, _) = split_name("", table)?;
        let name = TableName::new(&name.keyspace, table.split_once('.')?.1.trim_matches('"'));
        let value = parse_count(count.split_whitespace().next()?)?;
        let measurements = target.node().tables.entry(name).or_default();
        let partitions = match list {
            ListedPartition::Hot => &mut measurements.hottest_partitions,
            ListedPartition::Tombstones => &mut measurements.most_tombstones,
            ListedPartition::Other => return Some(()),
        };
        if partitions.len() < PARTITIONS_MAX {
            partitions.push(LargestPartition { key: key.to_owned(), value });
        }
        Some(())
    }
}
