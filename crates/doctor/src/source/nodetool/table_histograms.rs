//! `nodetool tablehistograms` (`cfhistograms`). The order of the columns differs between versions and
//! in `ScyllaDB`, so the heading decides.

use super::super::collector::Target;
use super::super::phrase::Phrase;
use super::super::quantity::parse_number;
use super::super::section::{Format, SectionOutcome, SectionReader};
use super::super::table_grid::column_ends;
use crate::snapshot::{Percentiles, RequestLatency, TableMeasurements, TableName};

pub(in crate::source) const FORMAT: Format = Format { kind: "nodetool tablehistograms", open };

/// The headings of the columns; the latencies are in microseconds.
const COLUMNS: [(&str, HistogramColumn); 7] = [
    ("Read Latency", HistogramColumn::ReadLatency),
    ("Write Latency", HistogramColumn::WriteLatency),
    ("SSTables", HistogramColumn::Sstables),
    ("Partition Size", HistogramColumn::PartitionSize),
    ("Row Size", HistogramColumn::PartitionSize),
    ("Cell Count", HistogramColumn::CellCount),
    ("Column Count", HistogramColumn::CellCount),
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum HistogramColumn {
    ReadLatency,
    WriteLatency,
    Sstables,
    PartitionSize,
    CellCount,
}

fn open(line: &str) -> Option<Box<dyn SectionReader>> {
    let is_start = table_of(line).is_some() || overflow_of(line).is_some();
    is_start.then(|| Box::new(TableHistogramsReader::default()) as Box<dyn SectionReader>)
}

/// The table of a heading: `ks/table histograms`, or `ks.table histograms`.
fn table_of(line: &str) -> Option<TableName> {
    let mut phrase = Phrase::new(line.trim_end());
    let name = phrase.take_until(" histograms")?;
    let (keyspace, table) = name.split_once(['/', '.'])?;
    let is_name = !keyspace.is_empty() && !table.is_empty() && !name.contains(' ');
    (phrase.rest().is_empty() && is_name).then(|| TableName::new(keyspace, table))
}

/// The columns of which a line before the table says that a value is beyond the largest bucket; none
/// if it says that there are no files.
fn overflow_of(line: &str) -> Option<&'static [HistogramColumn]> {
    let mut phrase = Phrase::new(line);
    if phrase.skip("No SSTables exist").is_some() {
        return Some(&[]);
    }
    match phrase.take_until(" are larger than ")? {
        "Row sizes" | "Partition sizes" => Some(&[HistogramColumn::PartitionSize]),
        "Column counts" | "Cell counts" => Some(&[HistogramColumn::CellCount]),
        _ => None,
    }
}

#[derive(Default)]
struct TableHistogramsReader {
    table: Option<TableName>,
    /// The columns in their order, with the ends of their headings.
    columns: Vec<(usize, HistogramColumn)>,
    histograms: Vec<(HistogramColumn, Percentiles)>,
    overflowed: Vec<HistogramColumn>,
    rows: u64,
    skipped: u64,
}

impl SectionReader for TableHistogramsReader {
    fn is_own_line(&self, line: &str) -> bool {
        line.starts_with("Percentile")
            || percentile_of(line).is_some()
            || overflow_of(line).is_some()
            || table_of(line).is_some()
    }

    fn read_line(&mut self, line: &str, target: &mut Target<'_>) {
        if let Some(overflowed) = overflow_of(line) {
            self.close_table(target);
            self.overflowed.extend(overflowed);
        } else if let Some(table) = table_of(line) {
            self.close_table(target);
            self.table = Some(table);
        } else if line.trim_start().starts_with("Percentile") {
            self.columns = read_columns(line);
        } else if let Some((percentile, values)) = percentile_of(line) {
            self.skipped += u64::from(self.read_row(percentile, values).is_none());
        }
    }

    fn finish(&mut self, target: &mut Target<'_>) -> SectionOutcome {
        self.close_table(target);
        match self.rows {
            0 => SectionOutcome::with_problem("it contains no percentiles"),
            _ => SectionOutcome::with_skipped_lines(self.skipped),
        }
    }
}

/// The columns of a heading, by the end of each.
fn read_columns(heading: &str) -> Vec<(usize, HistogramColumn)> {
    let mut columns: Vec<_> = COLUMNS
        .iter()
        .filter_map(|(name, column)| Some((column_ends(heading, name).next()?, *column)))
        .collect();
    columns.sort_by_key(|(end, _)| *end);
    columns
}

/// The percentile of a row, and its values.
fn percentile_of(line: &str) -> Option<(&str, &str)> {
    let (name, values) = line.trim_start().split_once(' ')?;
    matches!(name, "50%" | "75%" | "95%" | "98%" | "99%" | "Min" | "Max").then_some((name, values))
}

impl TableHistogramsReader {
    fn read_row(&mut self, percentile: &str, values: &str) -> Option<()> {
        let values: Vec<&str> = values.split_whitespace().collect();
        if values.len() != self.columns.len() || values.is_empty() {
            return None;
        }
        for ((_, column), value) in self.columns.iter().zip(values) {
            let at = self.histograms.iter().position(|(known, _)| known == column);
            let at = at.unwrap_or_else(|| {
                self.histograms.push((*column, Percentiles::default()));
                self.histograms.len() - 1
            });
            let Some((_, histogram)) = self.histograms.get_mut(at) else { continue };
            let field = match percentile {
                "50%" => &mut histogram.p50,
                "75%" => &mut histogram.p75,
                "95%" => &mut histogram.p95,
                "98%" => &mut histogram.p98,
                "99%" => &mut histogram.p99,
                "Min" => &mut histogram.min,
                _ => &mut histogram.max,
            };
            *field = parse_number(value);
        }
        self.rows += 1;
        Some(())
    }

    fn close_table(&mut self, target: &mut Target<'_>) {
        let histograms = std::mem::take(&mut self.histograms);
        let overflowed = match &self.table {
            Some(_) => std::mem::take(&mut self.overflowed),
            None => return,
        };
        let Some(name) = self.table.take().filter(|_| !histograms.is_empty()) else { return };
        let table = target.node().tables.entry(name).or_default();
        for (column, mut histogram) in histograms {
            histogram.is_overflowed = overflowed.contains(&column);
            add_histogram(table, column, &histogram);
        }
    }
}

/// Adds a histogram to what is known from elsewhere. A column of zeros was not measured: a read takes
/// time, and a partition has a size.
fn add_histogram(table: &mut TableMeasurements, column: HistogramColumn, histogram: &Percentiles) {
    let is_empty = histogram.max.is_none_or(|max| max <= 0.0) && !histogram.is_overflowed;
    if is_empty {
        return;
    }
    let latency = |known: &mut Option<RequestLatency>| {
        let known = known.get_or_insert_default();
        let mean = known.milliseconds.mean;
        known.milliseconds = scale(histogram, 1e-3);
        known.milliseconds.mean = mean;
    };
    match column {
        HistogramColumn::ReadLatency => latency(&mut table.read_latency),
        HistogramColumn::WriteLatency => latency(&mut table.write_latency),
        HistogramColumn::Sstables => replace(&mut table.sstables_per_read, histogram),
        HistogramColumn::PartitionSize => replace(&mut table.partition_bytes, histogram),
        HistogramColumn::CellCount => replace(&mut table.partition_cells, histogram),
    }
}

/// Replaces the percentiles, and keeps a mean that is known.
fn replace(known: &mut Option<Percentiles>, histogram: &Percentiles) {
    let mean = known.as_ref().and_then(|known| known.mean);
    *known = Some(Percentiles { mean, ..histogram.clone() });
}

/// All figures multiplied by a factor.
fn scale(histogram: &Percentiles, factor: f64) -> Percentiles {
    let by = |value: Option<f64>| value.map(|value| value * factor);
    Percentiles {
        count: histogram.count,
        min: by(histogram.min),
        mean: by(histogram.mean),
        p50: by(histogram.p50),
        p75: by(histogram.p75),
        p95: by(histogram.p95),
        p98: by(histogram.p98),
        p99: by(histogram.p99),
        max: by(histogram.max),
        is_overflowed: histogram.is_overflowed,
    }
}
