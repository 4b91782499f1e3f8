//! `helenus doctor`: the diagnosis of a cluster, live or from what was collected from it.

mod diff;
mod watch;

use std::io::Write;
use std::path::{Path, PathBuf};

use ::doctor::Snapshot;
use clap::ValueEnum;

use super::cluster_arguments::ClusterArguments;
use crate::diagnosis::{DoctorReport, ReportOptions, list_statements, read_cluster, read_folder};
use crate::outcome::{Failure, Outcome};
use crate::page_file;
use crate::progress_bar::ProgressBar;
use crate::proof::cluster_failure;
use crate::render::doctor as render;

const EXAMPLES: &str = "\
Examples:
  helenus doctor examples/diagnostics
  helenus doctor examples/diagnostics --full
  helenus doctor examples/diagnostics --json > before.json
  helenus doctor --plan
  helenus doctor --on 127.0.0.1:9042 --html report.html
  helenus doctor --on 127.0.0.1:9042 --watch 60
  helenus doctor diff before.json examples/diagnostics

A folder may contain output of nodetool, logs, cassandra.yaml, a schema and more, of one or many
nodes, also as .gz and .zip; what a file is, is told by its content. Files of a node are in a folder
with its name, or have its address in their names.

With --on, only tables of the server itself are read, by SELECT with a LIMIT, on every node, one
statement at a time; --plan lists them. Tables of users are never read. A role with SELECT on the
system keyspaces is enough.

Partition keys are shown as hashes, and statements without their values.

Exit code: 0 no findings of high severity or above, 1 there are some, 2 invalid usage, or
nothing was recognised, 3 the cluster cannot be reached or a file cannot be read.";

/// Diagnose a cluster, live or from nodetool output and logs: table, key, query and remedy
#[derive(clap::Args)]
#[command(after_help = EXAMPLES, args_conflicts_with_subcommands = true)]
#[expect(clippy::struct_excessive_bools, reason = "each is an option of the command line")]
pub(crate) struct DoctorArguments {
    #[command(subcommand)]
    command: Option<DoctorCommand>,
    /// Folders or files that were collected from a cluster
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// The cluster
    #[arg(id = "host", long = "on", value_name = "HOST[:PORT]")]
    on: Option<String>,
    /// Print the statements that --on sends, and send nothing
    #[arg(long)]
    plan: bool,
    /// List all findings with all remedies, instead of the worst of each kind
    #[arg(long)]
    full: bool,
    /// Show partition keys, which are user data, instead of hashes of them
    #[arg(long)]
    show_keys: bool,
    /// Print the report as JSON
    #[arg(long, conflicts_with = "format")]
    json: bool,
    /// Format of the report
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    format: DoctorFormat,
    /// Write the report as one HTML file as well
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Repeat every so many seconds, and show what changed
    #[arg(long, value_name = "SECONDS", num_args = 0..=1, default_missing_value = "30", requires = "host")]
    watch: Option<u64>,
    /// End after so many rounds of --watch
    #[arg(long, value_name = "N", requires = "watch")]
    rounds: Option<u64>,
    #[command(flatten)]
    cluster: ClusterArguments,
}

#[derive(clap::Subcommand)]
enum DoctorCommand {
    Diff(diff::DiffArguments),
}

/// The values of `--format`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum DoctorFormat {
    /// For people
    #[default]
    Text,
    /// For programs
    Json,
    /// SARIF 2.1.0
    Sarif,
}

impl DoctorArguments {
    pub(crate) fn run(&self, out: &mut dyn Write) -> Result<Outcome, Failure> {
        if let Some(DoctorCommand::Diff(command)) = &self.command {
            return command.run(out);
        }
        if self.plan {
            return write_plan(out);
        }
        if self.paths.is_empty() && self.on.is_none() {
            let message =
                "give a folder, or a cluster by --on HOST:PORT; see `helenus doctor --help`";
            return Err(Failure::Stopped(Outcome::BadInput, message.to_owned()));
        }
        if let Some(seconds) = self.watch {
            return watch::watch(self, seconds, out);
        }
        let report = self.collect()?;
        self.write(&report, out)?;
        Ok(outcome(&report))
    }

    /// Reads all sources and asks the rules.
    fn collect(&self) -> Result<DoctorReport, Failure> {
        let mut snapshot = Snapshot::default();
        if !self.paths.is_empty() {
            snapshot = read_paths(&self.paths)?;
        }
        if let Some(host) = &self.on {
            let options = self.cluster.options(host)?;
            let bar = ProgressBar::new("doctor");
            let mut show = |stage: &str, done, of| bar.show(stage, done, of);
            let collected = snapshot;
            snapshot =
                read_cluster(&options, &mut show).map_err(|error| cluster_failure(&error))?;
            snapshot.merge(collected);
        }
        let options = ReportOptions { show_keys: self.show_keys };
        Ok(DoctorReport::from_snapshot(&snapshot, options))
    }

    fn write(&self, report: &DoctorReport, out: &mut dyn Write) -> Result<(), Failure> {
        if let Some(path) = &self.html {
            page_file::write(path, &render::page(report))?;
        }
        match self.format {
            _ if self.json => write_json(report, out)?,
            DoctorFormat::Json => write_json(report, out)?,
            DoctorFormat::Sarif => render::write_sarif(report, out)?,
            DoctorFormat::Text if self.full => render::write_report(report, out)?,
            DoctorFormat::Text => render::write_summary(report, out)?,
        }
        Ok(())
    }
}

fn outcome(report: &DoctorReport) -> Outcome {
    if report.has_grave_findings() {
        Outcome::Findings
    } else if report.read.is_empty() {
        // Files of which none was recognised prove nothing.
        Outcome::BadInput
    } else {
        Outcome::Fine
    }
}

fn write_json(report: &DoctorReport, out: &mut dyn Write) -> Result<(), Failure> {
    let text = serde_json::to_string_pretty(report).unwrap_or_default();
    Ok(writeln!(out, "{text}")?)
}

/// Reads what was collected from a cluster.
pub(super) fn read_paths(paths: &[PathBuf]) -> Result<Snapshot, Failure> {
    let bar = ProgressBar::new("doctor");
    let mut show = |stage: &str, done, of| bar.show(stage, done, of);
    read_folder(paths, &mut show).map_err(|(path, error)| Failure::unreadable_file(&path, &error))
}

/// A stored report, or the diagnosis of a folder.
pub(super) fn read_report(path: &Path) -> Result<DoctorReport, Failure> {
    let is_report = path.is_file() && path.extension().is_some_and(|it| it == "json");
    if !is_report {
        let snapshot = read_paths(&[path.to_owned()])?;
        return Ok(DoctorReport::from_snapshot(&snapshot, ReportOptions::default()));
    }
    let text = regular_file::read_to_string(path)
        .map_err(|error| Failure::unreadable_file(path, &error))?;
    DoctorReport::from_json(&text).map_err(|problem| {
        Failure::Stopped(Outcome::BadInput, format!("{} {problem}", path.display()))
    })
}

fn write_plan(out: &mut dyn Write) -> Result<Outcome, Failure> {
    for (cql, is_per_node) in list_statements() {
        let place = if is_per_node { "every node" } else { "one node" };
        writeln!(out, "{place:<10} {cql};")?;
    }
    Ok(Outcome::Fine)
}
