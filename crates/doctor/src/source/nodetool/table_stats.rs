//! `nodetool tablestats` (`cfstats`): text with or without units, sorted or by keyspace, JSON, YAML.

use super::super::collector::Target;
use super::super::document::DocumentValue;
use super::super::phrase::Phrase;
use super::super::quantity::{parse_bytes, parse_count, parse_milliseconds, parse_number};
use super::super::section::{Format, SectionOutcome, SectionReader};
use crate::snapshot::{
    LargestPartition, Percentiles, RequestLatency, TableMeasurements, TableName,
};

pub(in crate::source) const FORMAT: Format = Format { kind: "nodetool tablestats", open };

/// The most partitions that are kept of a list.
const PARTITIONS_MAX: usize = 100;

fn open(line: &str) -> Option<Box<dyn SectionReader>> {
    let mut phrase = Phrase::new(line.trim_end());
    let is_start = phrase.skip("Total number of tables: ").is_some()
        || keyspace_of(line).is_some()
        || (line.starts_with('\t') && table_of(line).is_some());
    is_start.then(|| Box::new(TableStatsReader::default()) as Box<dyn SectionReader>)
}

/// The keyspace whose tables follow.
fn keyspace_of(line: &str) -> Option<&str> {
    let rest = line.strip_prefix("Keyspace")?.trim_start().strip_prefix(':')?.trim();
    (!rest.is_empty()).then_some(rest)
}

/// The table whose figures follow. Output that was pasted somewhere may have lost its indentation.
fn table_of(line: &str) -> Option<&str> {
    let (label, name) = line.trim_start().split_once(": ")?;
    matches!(label, "Table" | "Table (index)" | "Column Family" | "Column Family (index)")
        .then(|| name.trim())
}

/// Which list of partitions is being read, and where its second column begins.
#[derive(Clone, Copy)]
struct PartitionList {
    is_by_size: bool,
    column: Option<usize>,
}

#[derive(Default)]
struct TableStatsReader {
    keyspace: Option<String>,
    table: Option<(TableName, TableMeasurements)>,
    list: Option<PartitionList>,
    tables: u64,
    skipped: u64,
}

impl SectionReader for TableStatsReader {
    fn is_own_line(&self, line: &str) -> bool {
        line.starts_with('\t')
            || line.is_empty()
            || line.starts_with("--")
            || keyspace_of(line).is_some()
    }

    fn read_line(&mut self, line: &str, target: &mut Target<'_>) {
        if let Some(keyspace) = keyspace_of(line) {
            self.close_table(target);
            self.keyspace = Some(keyspace.to_owned());
            return;
        }
        if let Some(name) = table_of(line) {
            self.close_table(target);
            self.open_table(name, target);
            return;
        }
        if line.trim().is_empty() {
            self.list = None;
            return;
        }
        let Some((_, table)) = &mut self.table else { return };
        let content = line.trim_start_matches('\t');
        if let Some(list) = &mut self.list
            && content.starts_with(' ')
        {
            self.skipped += u64::from(read_partition(content, list, table).is_none());
            return;
        }
        self.list = None;
        if let Some(is_by_size) = list_of(content) {
            self.list = Some(PartitionList { is_by_size, column: None });
        } else if let Some((label, value)) = content.split_once(": ") {
            set(table, &normalize(label), value.trim());
        } else if line.starts_with('\t') && !content.ends_with(':') {
            self.skipped += 1;
        }
    }

    fn finish(&mut self, target: &mut Target<'_>) -> SectionOutcome {
        self.close_table(target);
        match self.tables {
            0 if self.skipped == 0 => SectionOutcome::complete(),
            0 => SectionOutcome::with_problem("it contains no table"),
            _ => SectionOutcome::with_skipped_lines(self.skipped),
        }
    }
}

impl TableStatsReader {
    fn open_table(&mut self, name: &str, target: &mut Target<'_>) {
        let name = match &self.keyspace {
            Some(keyspace) => TableName::new(keyspace, name),
            // Sorted output has no keyspaces, but full names.
            None => match name.split_once('.') {
                Some((keyspace, table)) => TableName::new(keyspace, table),
                None => return self.skipped += 1,
            },
        };
        let known = target.node().tables.remove(&name).unwrap_or_default();
        self.table = Some((name, known));
        self.tables += 1;
    }

    fn close_table(&mut self, target: &mut Target<'_>) {
        self.list = None;
        if let Some((name, mut table)) = self.table.take() {
            drop_unmeasured(&mut table);
            target.node().tables.insert(name, table);
        }
    }
}

/// Whether a line begins a list of partitions, and whether they are listed by size.
fn list_of(content: &str) -> Option<bool> {
    let mut phrase = Phrase::new(content);
    phrase.skip("Top partitions by ")?;
    if phrase.skip("size").is_some() {
        return Some(true);
    }
    phrase.skip("tombstone").map(|()| false)
}

/// Reads the heading or a row of a list of partitions.
fn read_partition(
    row: &str,
    list: &mut PartitionList,
    table: &mut TableMeasurements,
) -> Option<()> {
    let Some(column) = list.column else {
        let heading = if list.is_by_size { "Size" } else { "Count" };
        list.column = Some(row.rfind(heading)?);
        return Some(());
    };
    let (key, value) = row.split_at_checked(column)?;
    add_partition(table, list.is_by_size, key.trim(), value)
}

fn add_partition(
    table: &mut TableMeasurements,
    is_by_size: bool,
    key: &str,
    value: &str,
) -> Option<()> {
    let list = if is_by_size { &mut table.largest_partitions } else { &mut table.most_tombstones };
    let value = if is_by_size { parse_bytes(value)? } else { parse_count(value)? };
    let partition = LargestPartition { key: key.to_owned(), value };
    if list.len() < PARTITIONS_MAX && !list.contains(&partition) {
        list.push(partition);
    }
    Some(())
}

/// The name of a figure as JSON and YAML have it: `Space used (live)` is `space_used_live`.
fn normalize(label: &str) -> String {
    let mut name = String::with_capacity(label.len());
    for sign in label.chars() {
        if sign.is_ascii_alphanumeric() {
            name.push(sign.to_ascii_lowercase());
        } else if !name.is_empty() && !name.ends_with('_') {
            name.push('_');
        }
    }
    name.truncate(name.trim_end_matches('_').len());
    name
}

/// Sets a figure by its name. A figure that is not a number, such as `NaN`, was not measured.
fn set(table: &mut TableMeasurements, name: &str, value: &str) {
    let latency = |latency: &mut Option<RequestLatency>| {
        if let Some(mean) = parse_milliseconds(value) {
            latency.get_or_insert_default().milliseconds.mean = Some(mean);
        }
    };
    let number = || parse_number(value);
    match name {
        "sstable_count" => table.sstable_count = parse_count(value),
        "sstables_in_each_level" => table.sstables_by_level = read_levels(value),
        "space_used_live" => table.live_bytes = parse_bytes(value),
        "space_used_total" => table.total_bytes = parse_bytes(value),
        "space_used_by_snapshots_total" => table.snapshot_bytes = parse_bytes(value),
        // A ratio below 0 is that of a table without compressed files.
        "sstable_compression_ratio" => {
            table.compression_ratio = number().filter(|ratio| *ratio >= 0.0);
        }
        "number_of_partitions_estimate" | "number_of_keys_estimate" => {
            table.partitions = parse_count(value);
        }
        "local_read_count" => table.reads = parse_count(value),
        "local_write_count" => table.writes = parse_count(value),
        "local_read_latency" | "local_read_latency_ms" => latency(&mut table.read_latency),
        "local_write_latency" | "local_write_latency_ms" => latency(&mut table.write_latency),
        "percent_repaired" => table.percent_repaired = number(),
        "bloom_filter_false_ratio" => table.bloom_filter_false_ratio = number(),
        "droppable_tombstone_ratio" => table.droppable_tombstone_ratio = number(),
        "dropped_mutations" => table.dropped_mutations = parse_bytes(value),
        "pending_compactions" => table.pending_compactions = parse_count(value),
        "compacted_partition_minimum_bytes" => {
            set_percentile(&mut table.partition_bytes, |bytes| &mut bytes.min, value);
        }
        "compacted_partition_maximum_bytes" => {
            set_percentile(&mut table.partition_bytes, |bytes| &mut bytes.max, value);
        }
        "compacted_partition_mean_bytes" => {
            set_percentile(&mut table.partition_bytes, |bytes| &mut bytes.mean, value);
        }
        "average_live_cells_per_slice_last_five_minutes" => {
            set_percentile(&mut table.live_per_read, |cells| &mut cells.mean, value);
        }
        "maximum_live_cells_per_slice_last_five_minutes" => {
            set_percentile(&mut table.live_per_read, |cells| &mut cells.max, value);
        }
        "average_tombstones_per_slice_last_five_minutes" => {
            set_percentile(&mut table.tombstones_per_read, |cells| &mut cells.mean, value);
        }
        "maximum_tombstones_per_slice_last_five_minutes" => {
            set_percentile(&mut table.tombstones_per_read, |cells| &mut cells.max, value);
        }
        _ => {}
    }
}

fn set_percentile(
    percentiles: &mut Option<Percentiles>,
    field: fn(&mut Percentiles) -> &mut Option<f64>,
    value: &str,
) {
    if let Some(bytes) = parse_bytes(value) {
        let exact = parse_number(value).unwrap_or(bytes as f64);
        *field(percentiles.get_or_insert_default()) = Some(exact);
    }
}

/// The files of each level: `[1, 12/10, 0]`, where a level beyond its limit says so.
fn read_levels(value: &str) -> Option<Vec<u64>> {
    let inside = value.strip_prefix('[')?.strip_suffix(']')?;
    let levels = inside.split(',').map(|level| level.split('/').next().unwrap_or_default());
    let counts: Option<Vec<u64>> = levels.map(parse_count).collect();
    counts.filter(|levels| !levels.is_empty())
}

/// Forgets figures that nothing was measured for: a table without reads has a maximum of 0 and a
/// mean that is no number; one without files has partitions of 0 bytes.
fn drop_unmeasured(table: &mut TableMeasurements) {
    for percentiles in [&mut table.live_per_read, &mut table.tombstones_per_read] {
        let is_unmeasured = |known: &mut Percentiles| {
            known.mean.is_none() && known.p50.is_none() && known.max.is_none_or(|max| max <= 0.0)
        };
        *percentiles = percentiles.take_if(|known| !is_unmeasured(known));
    }
    table.partition_bytes =
        table.partition_bytes.take_if(|bytes| bytes.max.is_none_or(|max| max > 0.0));
}

/// Whether a document is the output of this command.
pub(in crate::source) fn is_document(document: &DocumentValue) -> bool {
    document.find("total_number_of_tables").is_some()
        || document.entries().iter().any(|(_, value)| {
            value.find("tables").is_some() || value.find("sstable_count").is_some()
        })
}

/// Reads a document: keyspaces with their tables or, if it is sorted, tables by their full names.
pub(in crate::source) fn read_document(
    document: &DocumentValue,
    target: &mut Target<'_>,
) -> Option<String> {
    let mut tables = 0;
    for (name, value) in document.entries() {
        if let Some(of_keyspace) = value.find("tables") {
            for (table, figures) in of_keyspace.entries() {
                read_figures(TableName::new(name, table), figures, target);
                tables += 1;
            }
        } else if let Some((keyspace, table)) = name.split_once('.') {
            read_figures(TableName::new(keyspace, table), value, target);
            tables += 1;
        }
    }
    (tables == 0).then(|| "it contains no table".to_owned())
}

fn read_figures(name: TableName, figures: &DocumentValue, target: &mut Target<'_>) {
    let mut table = target.node().tables.remove(&name).unwrap_or_default();
    for (figure, value) in figures.entries() {
        match (figure.as_str(), value) {
            (
                "top_size_partitions" | "top_tombstone_partitions",
                DocumentValue::Map(partitions),
            ) => {
                for (key, value) in partitions {
                    let is_by_size = figure == "top_size_partitions";
                    add_partition(&mut table, is_by_size, key, value.text().unwrap_or_default());
                }
            }
            ("sstables_in_each_level", DocumentValue::List(levels)) => {
                let levels: Vec<&str> = levels.iter().filter_map(DocumentValue::text).collect();
                table.sstables_by_level = read_levels(&format!("[{}]", levels.join(",")));
            }
            (_, value) => set(&mut table, figure, value.text().unwrap_or_default()),
        }
    }
    drop_unmeasured(&mut table);
    target.node().tables.insert(name, table);
}
