//! `helenus estimate`: the sizes of partitions, today and as they grow.

use std::io::Write;
use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};

use clap::ValueEnum;
use design::Options;
use design::capacity::NodeLoad;
use design::estimate::{self, Estimate};
use model::assumption::Assumption;
use model::concept::Concept;
use model::id::IdList;
use model::plan::{Bucket, PlannedTable};
use model::workload::Workload;

use super::design_settings::DesignSettings;
use super::option_values;
use crate::calendar::Date;
use crate::model_sources::ModelSources;
use crate::outcome::{Failure, Outcome};
use crate::render::estimate_report::EstimateReport;
use crate::render::{self, DiagnosticFormat, estimate_json, estimate_text};
use crate::source::Source;
use crate::source_diagnostic::SourceDiagnostic;
use crate::workspace::schema_file::{self, LoadedSchema};
use crate::workspace::{file_walk, model_file, text_file};

const EXAMPLES: &str = "\
Examples:
  helenus estimate examples/killrvideo.sql
  helenus estimate examples/killrvideo.sql --table latest_videos --bucket hour,day,week --shards 1,4
  helenus estimate examples/activity.cql --bucket day,week,month --as-of 2026-01-01 --json

For a model file (.sql), the tables are designed first. In a schema (.cql), volumes are
stated in comments, on the lines directly above a CREATE TABLE:
  -- @rows 5M            rows today
  -- @grows 100k/day     new rows per unit of time
  -- @rows 1k, 50k in 6 months, 500k in 1 year
                         rows today and later, where growth is not linear
  -- @retain 90d         retention time; default_time_to_live is used as well
  -- @each 3/day p99 100/day max 1k/day
                         rows per partition, here growing; constant numbers:
                         @each 50 p99 2k max 200k; p99.9 can be given as well;
                         also allowed on a partition key column
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
    /// Show the sizes after these times, such as 1month,6months,1y [default: the dates of the
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
        if self.json {
            writeln!(out, "{:#}", estimate_json::object(&report))?;
        } else {
            estimate_text::report(&report, out)?;
        }
        let exceeds = report.tables.iter().any(|(estimate, _)| estimate.exceeds);
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
        let mut estimates = estimate::estimate_tables(concept, workload, options, &subject.tables);
        if let Some(name) = &self.table {
            estimates.retain(|estimate| estimate.table.name == *name);
            if estimates.is_empty() {
                return Err(unknown_table(name, &subject.tables));
            }
        }
        let widths: Vec<_> = self.bucket.iter().map(|width| Bucket::from(*width)).collect();
        let has_alternatives = !widths.is_empty() || !self.shards.is_empty();
        let with_alternatives = |estimate: Estimate| {
            let splits = (&*widths, &*self.shards);
            let alternatives = has_alternatives
                .then(|| estimate::alternatives(concept, workload, options, &estimate, splits));
            (estimate, alternatives.unwrap_or_default())
        };
        Ok(EstimateReport {
            concept,
            options,
            as_of: self.as_of.unwrap_or_else(today),
            dates: self.dates(),
            tables: estimates.into_iter().map(with_alternatives).collect(),
            assumptions: &subject.assumptions,
            load: subject.load.as_ref(),
        })
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
        tables: designed.tables,
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
    let model::schema_file::SchemaFile { concept, tables, assumptions, .. } = file;
    let (workload, load) = (Workload::default(), None);
    Ok(Some(EstimateInput { concept, workload, tables, assumptions, load }))
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
