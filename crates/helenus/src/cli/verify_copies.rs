//! `helenus verify-copies`: compares the copies of a design on a cluster with their bases.

use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use clap::ValueEnum;
use cluster::Connection;

use super::cluster_arguments::ClusterArguments;
use super::design_settings::DesignSettings;
use super::option_values;
use crate::copies::{self, Definitions, VerificationOptions};
use crate::outcome::{Failure, Outcome};
use crate::progress_bar::ProgressBar;
use crate::proof::cluster_failure;
use crate::render::{DiagnosticFormat, copies_json, copies_text};
use crate::workspace::model_file;

const EXAMPLES: &str = "\
Examples:
  helenus verify-copies examples/killrvideo.sql --on 127.0.0.1:9042
  helenus verify-copies design/design.json --on 127.0.0.1:9042 --table videos_by_user --mend
  helenus verify-copies examples/killrvideo.sql --on 127.0.0.1:9042 --format json > copies.json

Of the tables that hold every row of a table of the model, the one with the most of its columns
is the base; the others are its copies. The base is taken as right: --mend writes rows that a
copy lacks, with the write time of the base, and deletes rows that the base does not have. A
write that reached only copies is undone. Rows that differ are compared again after --settle, so
that writes under way are not reported. Counters are never mended; their statement is printed.
A design.json is what `helenus design -o` wrote: use it if the tables are not those that this
version would design.

Exit code: 0 no differences, or all of them mended; 1 there are differences; 2 invalid input, or
a table given by --table cannot be verified; 3 a file cannot be read or the cluster failed.";

/// Compare the copies of a design with the tables that they are copied from, and mend them
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct VerifyCopiesArguments {
    /// Model files or directories of them, or one design.json; `-` reads a model file from standard
    /// input
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// The cluster, or `helenus serve`
    #[arg(id = "host", long = "on", value_name = "HOST[:PORT]")]
    on: String,
    /// The keyspace of the tables [default: the one of the design]
    #[arg(short, long, value_name = "NAME")]
    keyspace: Option<String>,
    /// Verify only this table (repeatable)
    #[arg(long, value_name = "NAME")]
    table: Vec<String>,
    /// Make the copies agree with their bases, and verify what was changed again
    #[arg(long)]
    mend: bool,
    /// Compare rows that differ again after this time, before they are reported
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = settle_time)]
    settle: Duration,
    /// Differences of each table that are listed; all are counted [default: 20, 1000 as JSON]
    #[arg(long, value_name = "N")]
    show: Option<usize>,
    /// Format of the report
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    format: CopiesFormat,
    /// Apply the mapping rules only: one table per query, without sharing tables
    #[arg(long)]
    rules_only: bool,
    #[command(flatten)]
    settings: DesignSettings,
    #[command(flatten)]
    cluster: ClusterArguments,
}

/// The values of `--format`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum CopiesFormat {
    /// For people
    #[default]
    Text,
    /// For programs
    Json,
}

/// Parses `--settle`, which may be 0.
fn settle_time(text: &str) -> Result<Duration, String> {
    if matches!(text, "0" | "0s") { Ok(Duration::ZERO) } else { option_values::duration(text) }
}

impl VerifyCopiesArguments {
    pub(crate) fn run(&self, out: &mut dyn Write) -> Result<Outcome, Failure> {
        // Report invalid connection options before starting any work.
        let access = self.cluster.options(&self.on)?;
        let Some(definitions) = self.definitions(out)? else { return Ok(Outcome::BadInput) };
        self.check_tables(&definitions)?;
        let is_json = self.format == CopiesFormat::Json;
        let keyspace = self.keyspace.as_deref().unwrap_or_else(|| definitions.keyspace());
        let options = VerificationOptions {
            keyspace: keyspace.to_owned(),
            tables: self.table.clone(),
            is_mending: self.mend,
            settle: self.settle,
            kept: self.show.unwrap_or(if is_json { 1_000 } else { 20 }),
            groups_max: copies::GROUPS_MAX,
        };
        let failure = |error: cluster::Error| cluster_failure(&error);
        let mut connection = Connection::open(&access).map_err(failure)?;
        let bar = ProgressBar::new("verify-copies");
        let mut show = |stage: &str, done, of| bar.show(stage, done, of);
        let report = copies::verify(&definitions, &mut connection, &options, &mut show);
        drop(bar);
        let report = report.map_err(failure)?;
        if is_json {
            writeln!(out, "{:#}", copies_json::object(&report))?;
        } else {
            copies_text::write(&report, out)?;
        }
        let is_clean = report.count_found() == report.count_mended();
        Ok(if is_clean { Outcome::Fine } else { Outcome::Findings })
    }

    /// What the tables hold; `None` where the input is invalid and was reported.
    fn definitions(&self, out: &mut dyn Write) -> Result<Option<Definitions>, Failure> {
        if let [file] = self.files.as_slice()
            && file.extension().is_some_and(|extension| extension == "json")
        {
            return copies::read_design(file).map(Some);
        }
        let sources = model_file::read_sources(&self.files, self.settings.stats.as_deref())?;
        let format = DiagnosticFormat::from_json_flag(self.format == CopiesFormat::Json);
        let Some(file) = model_file::read(&sources, format, out)? else { return Ok(None) };
        let options = design::Options { rules_only: self.rules_only, ..self.settings.options() };
        let design = design::design(&file.concept, &file.workload, &options);
        Ok(Some(Definitions::from_design(&file, &design)))
    }

    /// Fails for a table that is not there or cannot be verified.
    fn check_tables(&self, definitions: &Definitions) -> Result<(), Failure> {
        for name in &self.table {
            if let Err(reason) = definitions.check_table(name) {
                return Err(Failure::Stopped(Outcome::BadInput, format!("--table: {reason}")));
            }
        }
        Ok(())
    }
}
