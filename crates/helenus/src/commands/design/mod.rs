//! `helenus design`: from SQL tables, queries and volumes to Cassandra tables, plans, sizes and reasons.

mod proof_arguments;
mod search_arguments;

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};

use design::{ForcedKey, Limits, Options, Target};
use diagram::{Level, Picture};
use model::plan::{Design, NoteKind};
use model::sql::ModelFile;

use crate::outcome::{Failure, Outcome};
use crate::proof::{self, Verdict};
use crate::render::design::{DesignView, choice, files, json, rationale, report, text};
use crate::render::{self, DiagnosticFormat};
use crate::source::Source;
use crate::source_diagnostic::SourceDiagnostic;
use crate::{arguments, calibration, output_folder};
use proof_arguments::ProofArguments;
use search_arguments::SearchArguments;

const EXAMPLES: &str = "\
Examples:
  helenus design examples/killrvideo.sql
  helenus design examples/killrvideo.sql -o design/
  helenus design examples/killrvideo.sql --why videos_by_user.added_date
  helenus design examples/killrvideo.sql --rules-only --json
  helenus design examples/killrvideo.sql --key 'VideosByUser=(userid), added_date DESC'
  helenus design examples/killrvideo.sql --prove 100k
  helenus design examples/killrvideo.sql --what-if 'AddVideo x10' --why
  helenus design examples/killrvideo.sql --on 127.0.0.1:9042
  helenus design --calibrate > prices.txt

Exit code: 0 designed, 1 something is refused (see REFUSED) or the proof failed, 2 bad input, 3 a file cannot be read or
written, or the cluster of --on failed.";

/// Design the Cassandra tables for an application's SQL tables, queries and volumes
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct DesignArguments {
    /// The model file: SQL tables and queries, with volumes in comments; `-` reads standard input
    #[arg(value_name = "FILE", required_unless_present = "calibrate")]
    file: Option<PathBuf>,
    /// Write schema.cql, queries.cql, writes.cql, design.json, report.md and diagram.svg into this folder
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,
    /// Say which rule and query is behind a table, or behind one of its columns, and what was rejected for it; without a
    /// table, all that was rejected
    #[arg(
        long,
        value_name = "TABLE[.COLUMN]",
        num_args = 0..=1,
        default_missing_value = "",
        conflicts_with_all = ["output", "json"]
    )]
    why: Option<String>,
    /// One table for each query, none shared
    #[arg(long)]
    rules_only: bool,
    /// Take this primary key for a query's table, and judge it (may be repeated)
    #[arg(long, value_name = "QUERY=(A, B), C DESC", value_parser = arguments::key)]
    key: Vec<ForcedKey>,
    /// Write JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    settings: DesignSettings,
    #[command(flatten)]
    searching: SearchArguments,
    #[command(flatten)]
    proving: ProofArguments,
}

/// What designs are measured by.
#[derive(clap::Args)]
pub(crate) struct DesignSettings {
    /// Where the design is to run
    #[arg(long, value_enum, default_value = "cassandra-5.0", value_name = "TARGET")]
    target: arguments::TargetName,
    /// Largest partition at p99.9
    #[arg(long, value_name = "SIZE", default_value = "100MB", value_parser = arguments::bytes)]
    max_partition: f64,
    /// Most rows of a partition at p99.9
    #[arg(long, value_name = "ROWS", default_value = "300k", value_parser = arguments::count)]
    max_rows: f64,
    /// Warn about reads of more partitions than this
    #[arg(long, value_name = "PARTITIONS", default_value = "16", value_parser = arguments::count)]
    warn_fan_out: f64,
    /// Call reads of more partitions than this a scan
    #[arg(long, value_name = "PARTITIONS", default_value = "100", value_parser = arguments::count)]
    scan_fan_out: f64,
    /// Shard partitions that take more writes a second than this
    #[arg(long, value_name = "WRITES", default_value = "1k", value_parser = arguments::count)]
    hot_writes: f64,
    /// Warn about partitions that take more reads a second than this
    #[arg(long, value_name = "READS", default_value = "5k", value_parser = arguments::count)]
    hot_reads: f64,
    /// Refuse reads that are scans
    #[arg(long)]
    strict: bool,
}

impl DesignSettings {
    /// As the designer takes them.
    pub(crate) fn options(&self) -> Options {
        Options {
            limits: Limits {
                partition_bytes: self.max_partition,
                partition_rows: self.max_rows,
                fan_out_warn: self.warn_fan_out,
                fan_out_scan: self.scan_fan_out,
                hot_writes: self.hot_writes,
                hot_reads: self.hot_reads,
                strict: self.strict,
                ..Limits::default()
            },
            target: Target::from(self.target),
            ..Options::default()
        }
    }
}

impl DesignArguments {
    pub(crate) fn run(&self, out: &mut dyn Write) -> Result<Outcome, Failure> {
        // There is one, or prices are measured.
        let Some(path) = &self.file else { return self.calibrate(out) };
        let source = Source::read(path)?;
        let format = if self.json { DiagnosticFormat::Json } else { DiagnosticFormat::Text };
        let Some(mut file) = read_model(&source, path, format, out)? else {
            return Ok(Outcome::BadInput);
        };
        // What is said of a cluster wrongly is told before anything is done.
        let plan = self.proving.plan()?;
        self.searching.apply_changes(&mut file)?;
        let designed = self.design(&file)?;
        let mut verdict = Verdict::Skipped;
        if let (None, Some(plan)) = (&self.why, plan) {
            verdict = proof::prove(&file, &designed, &plan)?;
        }
        let subject = DesignView {
            file: &file,
            design: &designed,
            rules_only: self.rules_only,
            proof: &verdict,
        };
        if let Some(wanted) = &self.why {
            return explain(subject, wanted, out);
        }
        if let Some(folder) = &self.output {
            output_folder::write(folder, &output_files(subject))?;
        }
        if self.json {
            writeln!(out, "{:#}", json::object(subject))?;
        } else {
            text::report(subject, out)?;
        }
        Ok(outcome(&designed, &verdict))
    }

    /// Answers `--calibrate`.
    fn calibrate(&self, out: &mut dyn Write) -> Result<Outcome, Failure> {
        let access = self.proving.access()?;
        let found = calibration::calibrate(self.searching.profile(), access.as_ref())?;
        let text = found.prices.write();
        match &self.output {
            Some(folder) => output_folder::write(folder, &[("prices.txt", text)])?,
            None => out.write_all(text.as_bytes())?,
        }
        anstream::eprintln!(
            "the prices are off by {} on average; not measured: {}",
            model::figures::format_share(found.error),
            found.kept.join(", ")
        );
        Ok(Outcome::Fine)
    }

    fn design(&self, file: &ModelFile) -> Result<Design, Failure> {
        let options = Options {
            rules_only: self.rules_only,
            keys: self.key.clone(),
            search: self.searching.search()?,
            ..self.settings.options()
        };
        check_keys(file, &self.key)?;
        let designed = design::design(&file.concept, &file.workload, &options);
        if options.rules_only || designed.choice.is_some() {
            return Ok(designed);
        }
        Err(Failure::Stopped(Outcome::EnvironmentFailed, describe_refusal(&designed)))
    }
}

/// Why no design keeps to the bounds asked for, and what to do.
fn describe_refusal(designed: &Design) -> String {
    let refused = designed.notes.iter().find(|note| note.kind == NoteKind::Refusal);
    refused.map_or_else(String::new, |note| format!("{}; {}", note.topic, note.topic.help()))
}

/// Reads a model file; what is wrong with it is written, and `None` returned.
pub(crate) fn read_model(
    source: &Source,
    path: &Path,
    format: DiagnosticFormat,
    out: &mut dyn Write,
) -> Result<Option<ModelFile>, Failure> {
    let name =
        path.file_stem().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let (file, diagnostics) = match model::sql::read(&source.text, &name) {
        Ok(file) => {
            let warnings = file.warnings.clone();
            (Some(file), warnings)
        }
        Err(diagnostics) => (None, diagnostics),
    };
    let findings: Vec<_> =
        diagnostics.into_iter().map(|diagnostic| SourceDiagnostic { source, diagnostic }).collect();
    if file.is_none() {
        render::write_diagnostics(format, &findings, out)?;
    } else if !findings.is_empty() {
        warn(findings)?;
    }
    Ok(file)
}

/// Warnings of one kind that are shown.
const WARNINGS_SHOWN: usize = 3;

/// Writes warnings to standard error: the first few of each kind, and how many more there are.
fn warn(findings: Vec<SourceDiagnostic<'_>>) -> Result<(), Failure> {
    let mut kinds: BTreeMap<&str, usize> = BTreeMap::new();
    let mut shown = Vec::new();
    for finding in findings {
        let met = kinds.entry(finding.diagnostic.rule).or_default();
        *met += 1;
        if *met <= WARNINGS_SHOWN {
            shown.push(finding);
        }
    }
    render::write_diagnostics(DiagnosticFormat::Text, &shown, &mut anstream::stderr())?;
    for (rule, met) in kinds.into_iter().filter(|(_, met)| *met > WARNINGS_SHOWN) {
        anstream::eprintln!("warning: {} more of {rule}", met - WARNINGS_SHOWN);
    }
    Ok(())
}

/// Every `--key` must name a query.
fn check_keys(file: &ModelFile, keys: &[ForcedKey]) -> Result<(), Failure> {
    for key in keys {
        let names = || file.workload.reads.iter().map(|read| read.name.as_str());
        if !names().any(|name| name == key.read) {
            let hint = cql::spelling::hint(cql::spelling::find_nearest(&key.read, names()));
            let message = format!("--key: there is no query {}{hint}", key.read);
            return Err(Failure::Stopped(Outcome::BadInput, message));
        }
    }
    Ok(())
}

/// Answers `--why`.
fn explain(subject: DesignView<'_>, wanted: &str, out: &mut dyn Write) -> Result<Outcome, Failure> {
    if wanted.is_empty() {
        choice::write_rejected(subject, None, out)?;
        return Ok(Outcome::Fine);
    }
    let (table, column) = match wanted.split_once('.') {
        Some((table, column)) => (table, Some(column)),
        None => (wanted, None),
    };
    let unknown = |what: &str, name: &str, nearest: Option<&str>| {
        let hint = cql::spelling::hint(nearest);
        Failure::Stopped(Outcome::BadInput, format!("--why: the design has no {what} {name}{hint}"))
    };
    let tables = &subject.design.tables;
    let names = || tables.iter().map(|table| table.name.as_str());
    let Some(planned) = tables.iter().find(|planned| planned.name == table) else {
        return Err(unknown("table", table, cql::spelling::find_nearest(table, names())));
    };
    if let Some(column) = column.filter(|column| planned.column(column).is_none()) {
        let names = planned.columns.iter().map(|column| column.name.as_str());
        return Err(unknown("column", wanted, cql::spelling::find_nearest(column, names)));
    }
    rationale::write_table(subject, planned, column, out)?;
    if subject.design.choice.is_some() {
        choice::write_rejected(subject, Some(planned), out)?;
    }
    Ok(Outcome::Fine)
}

/// The files of `-o`, by name.
fn output_files(subject: DesignView<'_>) -> Vec<(&'static str, String)> {
    vec![
        ("schema.cql", files::schema(subject)),
        ("queries.cql", files::queries(subject)),
        ("writes.cql", files::writes(subject)),
        ("design.json", format!("{:#}\n", json::object(subject))),
        ("report.md", report::markdown(subject)),
        ("diagram.svg", picture(subject).svg()),
    ]
}

fn picture(subject: DesignView<'_>) -> Picture {
    let ModelFile { concept, workload, .. } = subject.file;
    diagram::chebotko(concept, workload, subject.design, Level::Physical)
}

fn outcome(design: &Design, verdict: &Verdict) -> Outcome {
    let is_refused = design.notes.iter().any(|note| note.kind == NoteKind::Refusal);
    if is_refused || verdict.is_failed() { Outcome::Findings } else { Outcome::Fine }
}
