//! `helenus estimate`: the sizes of partitions, today and as they grow.

use std::io::Write;
use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};

use clap::ValueEnum;
use design::Options;
use design::capacity::{NodeLoad, ring_balance};
use design::estimate::{self, Estimate};
use model::assumption::Assumption;
use model::concept::Concept;
use model::id::{IdList, TableId};
use model::plan::{Bucket, Design, PlannedTable};
use model::workload::Workload;

use super::design_settings::DesignSettings;
use super::option_values;
use crate::calendar::Date;
use crate::model_sources::ModelSources;
use crate::outcome::{Failure, Outcome};
use crate::page_file;
use crate::render::estimate_report::{EstimateReport, IndexedColumns, TableEstimate};
use crate::render::{
    self, DiagnosticFormat, estimate_html, estimate_json, estimate_text, planning_dates,
};
use crate::source::Source;
use crate::source_diagnostic::SourceDiagnostic;
use crate::workspace::schema_file::{self, LoadedSchema};
use crate::workspace::{file_walk, model_file, text_file};

const EXAMPLES: &str = "\
Examples:
  helenus estimate examples/killrvideo.sql
  helenus estimate examples/killrvideo.sql --table latest_videos --bucket hour,day,week --shards 1,4
  helenus estimate examples/killrvideo.sql --html estimate.html
  helenus estimate examples/activity.cql --at 1mo,6mo,1y,3y,5y --as-of 2026-01-01
  helenus estimate examples/activity.cql --bucket day,week,month --as-of 2026-01-01 --json

For a model file (.sql), the tables are designed first. In a schema (.cql), volumes are
stated in comments, on the lines directly above a CREATE TABLE:
  -- @rows 5M            rows today
  -- @grows 100k/day     new rows per unit of time
  -- @grows 100k/day, 1M/day from 6 months
                         the same in steps
  -- @rows 1k, 50k in 6 months, 500k in 1 year
                         rows today and later, where growth is not linear
  -- @retain 90d         retention time; default_time_to_live is used as well
  -- @each 3/day p99 100/day max 1k/day
                         rows per partition, here growing; constant numbers:
                         @each 50 p99 2k max 200k; p99.9 can be given as well;
                         also allowed on a partition key column; in steps:
                         @each 3/day, 30/day from 1 year; at dates: @each 1k, 50k in 6 months
  -- @rate 50k/day       on the lines above a DELETE: how often it runs, and leaves tombstones
and at the end of a column's line:
  -- @distinct 200       distinct values; without @each, the rows of a partition are the
                         rows of the table divided by the values of its key, more for
                         popular ones with @skew zipf 1.1
  -- @bytes 24           average size of a value, or of an element
  -- @items 5            elements of a collection; @items 10 grows 5/day

Sizes are those of Cassandra 5.0 before compression. A file stores times as differences
from its oldest write, so rows are smaller in files whose writes lie close together:
--file-span states how close. p99.9 is the size that one partition
in a thousand exceeds; limits apply to it.

Exit code: 0 all partitions within the limits, 1 a partition exceeds --max-partition or
--max-rows at p99.9 within its retention time or 5 years, 2 invalid input, 3 a file cannot
be read.";

/// Estimate rows and bytes per partition, today and over the years, and when limits are exceeded
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct EstimateArguments {
    /// Model files or directories of them, or one schema (.cql) with volumes in its comments; `-`
    /// reads a model file from standard input
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Estimate only this table
    #[arg(long, value_name = "NAME")]
    table: Option<String>,
    /// Compare time buckets of these widths
    #[arg(long, value_enum, value_delimiter = ',', value_name = "WIDTHS")]
    bucket: Vec<BucketWidth>,
    /// Compare these numbers of shards
    #[arg(long, value_delimiter = ',', value_name = "NUMBERS", value_parser = clap::value_parser!(u32).range(1..=65_536))]
    shards: Vec<u32>,
    /// Show the sizes after these times, such as 1mo,6mo,1y,3y,5y [default: the dates of the
    /// model, else 1, 3 and 5 years]
    #[arg(long, value_delimiter = ',', value_name = "TIMES", value_parser = option_values::days)]
    at: Vec<f64>,
    /// Start date of the projection, as YYYY-MM-DD [default: today]
    #[arg(long, value_name = "DATE", value_parser = Date::parse)]
    as_of: Option<Date>,
    /// Apply the mapping rules only: one table per query, without sharing tables
    #[arg(long)]
    rules_only: bool,
    /// Print the estimate as JSON
    #[arg(long)]
    json: bool,
    /// Write the estimate as one HTML file as well
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Columns of the output [default: of the terminal, else 100]
    #[arg(long, value_name = "COLUMNS")]
    width: Option<usize>,
    #[command(flatten)]
    settings: DesignSettings,
}

/// The values of `--bucket`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum BucketWidth {
    Hour,
    Day,
    Week,
    Month,
    Year,
}

/// The tables to estimate, with the volumes they depend on.
struct EstimateInput {
    concept: Concept,
    workload: Workload,
    tables: Vec<PlannedTable>,
    /// The design that the tables are of, if they are of one.
    design: Option<Design>,
    indexed: IndexedColumns,
    assumptions: Vec<Assumption>,
    /// The hottest node, and the table with most of its requests.
    load: Option<(NodeLoad, String)>,
}

impl EstimateArguments {
    pub(crate) fn run(&self, out: &mut dyn Write) -> Result<Outcome, Failure> {
        let options = Options { rules_only: self.rules_only, ..self.settings.options() };
        let format = DiagnosticFormat::from_json_flag(self.json);
        let subject = match self.files.as_slice() {
            [file] if file_walk::is_cql(file) => {
                read_schema(&text_file::read(file)?.source, format, out)?
            }
            files => {
                let sources = model_file::read_sources(files, self.settings.stats.as_deref())?;
                read_design(&sources, &options, format, out)?
            }
        };
        let Some(subject) = subject else { return Ok(Outcome::BadInput) };
        let report = self.report(&subject, &options)?;
        if let Some(path) = &self.html {
            page_file::write(path, &estimate_html::page(&report))?;
        }
        if self.json {
            writeln!(out, "{:#}", estimate_json::object(&report))?;
        } else {
            estimate_text::report(&report, out)?;
        }
        let exceeds = report.tables.iter().any(|table| table.estimate.exceeds);
        Ok(if exceeds { Outcome::Findings } else { Outcome::Fine })
    }

    /// The times of `--at`, in ascending order.
    fn dates(&self) -> Vec<f64> {
        let mut dates = self.at.clone();
        dates.sort_by(f64::total_cmp);
        dates.dedup();
        dates
    }

    fn report<'a>(
        &self,
        subject: &'a EstimateInput,
        options: &'a Options,
    ) -> Result<EstimateReport<'a>, Failure> {
        let EstimateInput { concept, workload, .. } = subject;
        let estimates = estimate::estimate_tables(concept, workload, options, &subject.tables);
        let mut tables: Vec<_> = subject.tables.ids().zip(estimates).collect();
        if let Some(name) = &self.table {
            tables.retain(|(_, estimate)| estimate.table.name == *name);
            if tables.is_empty() {
                return Err(unknown_table(name, &subject.tables));
            }
        }
        let tables =
            tables.into_iter().map(|(at, of)| self.estimate_table(subject, options, at, of));
        Ok(EstimateReport {
            concept,
            options,
            as_of: self.as_of.unwrap_or_else(today),
            tables: tables.collect(),
            assumptions: &subject.assumptions,
            load: subject.load.as_ref(),
            width: self.columns(),
        })
    }

    /// The estimates of one table.
    fn estimate_table(
        &self,
        subject: &EstimateInput,
        options: &Options,
        at: TableId,
        estimate: Estimate,
    ) -> TableEstimate {
        let EstimateInput { concept, workload, .. } = subject;
        let mut dates = self.dates();
        if dates.is_empty() {
            dates = planning_dates::list_dates([&estimate.table.volume]);
        }
        dates.insert(0, 0.0);
        let balance = ring_balance(concept, &estimate.table);
        let scans = subject
            .design
            .as_ref()
            .map(|design| estimate::read_scans(workload, design, at, &estimate));
        let scans = scans.unwrap_or_default();
        let series = estimate::table_series(concept, &estimate, balance.as_ref(), &scans, &dates);
        let widths: Vec<_> = self.bucket.iter().map(|width| Bucket::from(*width)).collect();
        let has_alternatives = !widths.is_empty() || !self.shards.is_empty();
        let splits = (&*widths, &*self.shards);
        let alternatives = has_alternatives
            .then(|| estimate::alternatives(concept, workload, options, &estimate, splits));
        TableEstimate {
            series,
            alternatives: alternatives.unwrap_or_default(),
            balance,
            indexed: subject.indexed.get(&estimate.table.name).cloned().unwrap_or_default(),
            estimate,
        }
    }

    /// The columns of the output.
    fn columns(&self) -> usize {
        let terminal = || terminal_size::terminal_size().map(|(width, _)| usize::from(width.0));
        self.width.or_else(terminal).unwrap_or(100)
    }
}

/// Designs the tables of a model file. Writes the diagnostics and returns `None` if it has errors.
fn read_design(
    sources: &ModelSources,
    options: &Options,
    format: DiagnosticFormat,
    out: &mut dyn Write,
) -> Result<Option<EstimateInput>, Failure> {
    let Some(file) = model_file::read(sources, format, out)? else { return Ok(None) };
    let designed = design::design(&file.concept, &file.workload, options);
    let load = NodeLoad::new(&file.concept, &file.workload, options, &designed);
    let load = load.and_then(|load| Some((load, designed.tables.member(load.table)?.name.clone())));
    Ok(Some(EstimateInput {
        concept: file.concept,
        workload: file.workload,
        tables: designed.tables.clone(),
        indexed: designed.tables.iter().map(list_indexed).collect(),
        design: Some(designed),
        assumptions: file.assumptions,
        load,
    }))
}

/// Reads the tables of a schema. Writes the diagnostics and returns `None` if it has errors.
fn read_schema(
    source: &Source,
    format: DiagnosticFormat,
    out: &mut dyn Write,
) -> Result<Option<EstimateInput>, Failure> {
    let LoadedSchema { parsed, catalog, mut errors } = schema_file::read(source)?;
    let file = match model::schema_file::read(&source.text, &parsed, &catalog) {
        Ok(file) if errors.is_empty() => file,
        read => {
            errors.extend(read.err().into_iter().flatten());
            errors.sort_by_key(|diagnostic| diagnostic.span.start);
            render::write_diagnostics(format, &SourceDiagnostic::list(source, errors), out)?;
            return Ok(None);
        }
    };
    if file.tables.is_empty() {
        return Err(schema_file::no_table(source));
    }
    let model::schema_file::SchemaFile { concept, tables, workload, assumptions, .. } = file;
    let keyspaces = catalog.keyspaces.values().filter(|keyspace| !keyspace.system);
    let indexed = keyspaces.flat_map(|keyspace| keyspace.tables.values()).map(|table| {
        let columns = table.indexes.iter().map(|index| index.column.to_string());
        (table.name.to_string(), columns.collect())
    });
    Ok(Some(EstimateInput {
        concept,
        workload,
        tables,
        design: None,
        indexed: indexed.collect(),
        assumptions,
        load: None,
    }))
}

/// The name of a table, and the columns that its indexes search.
fn list_indexed(table: &PlannedTable) -> (String, Vec<String>) {
    (table.name.clone(), table.indexes.iter().map(|index| index.column.clone()).collect())
}

fn unknown_table(name: &str, tables: &[PlannedTable]) -> Failure {
    let names = tables.iter().map(|table| table.name.as_str());
    let hint = cql::spelling::hint(cql::spelling::find_nearest(name, names));
    Failure::Stopped(Outcome::BadInput, format!("--table: unknown table {name}{hint}"))
}

fn today() -> Date {
    let since_1970 = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Date::from_epoch_days(since_1970.as_secs() / 86_400)
}

impl From<BucketWidth> for Bucket {
    fn from(width: BucketWidth) -> Self {
        match width {
            BucketWidth::Hour => Self::HOUR,
            BucketWidth::Day => Self::DAY,
            BucketWidth::Week => Self::WEEK,
            BucketWidth::Month => Self::MONTH,
            BucketWidth::Year => Self::YEAR,
        }
    }
}
