//! `helenus design`: derives Cassandra tables, query plans, sizes and rationale from a model file.

mod doctor_model;
mod extent;
mod program_file;
mod proof_arguments;
mod search_arguments;
mod unchanged_design;

use std::io::Write;
use std::path::PathBuf;

use clap::ValueEnum;
use design::estimate::TableSeries;
use design::{ForcedKey, Options};
use model::plan::{Design, NoteKind, Topic};
use model::sql::ModelFile;

use super::design_settings::DesignSettings;
use super::option_values;
use crate::influence::{AssumptionRanking, InfluenceStudy};
use crate::model_sources::ModelSources;
use crate::outcome::{Failure, Outcome};
use crate::progress_bar::ProgressBar;
use crate::proof::{self, Verdict};
use crate::render::design::difference::{self, ChangedDesign};
use crate::render::design::summary::{self, SummaryFrame};
use crate::render::design::{DesignView, json, rationale, text};
use crate::render::{self, DiagnosticFormat, page};
use crate::workspace::model_file;
use crate::{calibration, output_folder};
use doctor_model::{DoctorModel, DoctorModelArguments};
use extent::ExtentArguments;
use proof_arguments::ProofArguments;
use search_arguments::SearchArguments;
pub(super) use search_arguments::unknown_name;
use unchanged_design::UnchangedDesign;

const EXAMPLES: &str = "\
Examples:
  helenus design examples/killrvideo.sql
  helenus design examples/killrvideo.sql --full
  helenus design examples/killrvideo.sql --reads --writes
  helenus design examples/killrvideo.sql -o design/
  helenus design schema.sql queries.sql volumes.sql
  helenus design examples/killrvideo.sql --why videos_by_user.added_date
  helenus design examples/killrvideo.sql --rules-only --json
  helenus design examples/killrvideo.sql --key 'VideosByUser=(userid), added_date DESC'
  helenus design examples/killrvideo.sql --prove 100k
  helenus design examples/killrvideo.sql --what-if 'AddVideo x10' --why
  helenus design examples/killrvideo.sql --program killrvideo.lp
  helenus design examples/killrvideo.sql --on 127.0.0.1:9042
  helenus design --calibrate > prices.txt
  helenus design --from-doctor examples/diagnostics -o redesign/

Exit code: 0 success, 1 a query or write is refused (see DANGEROUS) or the proof failed or is
incomplete, 2 invalid input, 3 a file is missing or cannot be read or written, or the cluster given
by --on failed.";

/// Design Cassandra tables from an application's SQL tables, queries and data volumes
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct DesignArguments {
    /// Model files: SQL tables and queries, with volumes in comments; all .sql files of
    /// directories; `-` reads standard input
    #[arg(value_name = "FILE", required_unless_present_any = ["calibrate", "from_doctor"])]
    files: Vec<PathBuf>,
    #[command(flatten)]
    doctor: DoctorModelArguments,
    /// Write schema.cql, queries.cql, writes.cql, design.json, report.html, report.md and diagram.svg
    /// to this directory
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,
    /// Show the rules and queries that led to a table or column, and the alternatives that were
    /// rejected; without a table, show all rejected alternatives
    #[arg(
        long,
        value_name = "TABLE[.COLUMN]",
        num_args = 0..=1,
        default_missing_value = "",
        conflicts_with_all = ["output", "json"]
    )]
    why: Option<String>,
    /// Apply the mapping rules only: one table per query, without sharing tables
    #[arg(long)]
    rules_only: bool,
    /// Use this primary key for the table of a query, and assess it (repeatable)
    #[arg(long, value_name = "QUERY=(A, B), C DESC", value_parser = option_values::key)]
    key: Vec<ForcedKey>,
    /// Print the design as JSON
    #[arg(long)]
    json: bool,
    /// List the assumptions that influence the design most, or all of them
    #[arg(long, value_enum, default_value_t, value_name = "WHICH")]
    assumptions: AssumptionSelection,
    #[command(flatten)]
    extent: ExtentArguments,
    #[command(flatten)]
    settings: DesignSettings,
    #[command(flatten)]
    searching: SearchArguments,
    #[command(flatten)]
    proving: ProofArguments,
}

/// The values of `--assumptions`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum AssumptionSelection {
    /// Those that change the design or its price most
    #[default]
    Influential,
    /// All
    All,
}

impl DesignArguments {
    pub(crate) fn run(&self, out: &mut dyn Write) -> Result<Outcome, Failure> {
        let drafted = self.doctor.read_model()?;
        // clap requires files unless --calibrate or --from-doctor is given.
        if self.files.is_empty() && drafted.is_none() {
            return self.calibrate(out);
        }
        if let Some(folder) = &self.output {
            output_folder::check(folder)?;
            drafted.as_ref().map_or(Ok(()), |drafted| drafted.check_folder(folder))?;
        }
        let sources = match &drafted {
            Some(drafted) => drafted.sources(),
            None => model_file::read_sources(&self.files, self.settings.stats.as_deref())?,
        };
        let format = DiagnosticFormat::from_json_flag(self.json);
        let Some(mut file) = model_file::read(&sources, format, out)? else {
            return Ok(Outcome::BadInput);
        };
        // Report invalid connection options before starting any work.
        let plan = self.proving.plan()?;
        program_file::check_search(self.searching.program.as_deref(), self.rules_only)?;
        let unchanged = self.design_unchanged(&file)?;
        self.searching.apply_changes(&mut file)?;
        let designed = self.design(&file)?;
        let mut verdict = Verdict::Skipped;
        if let (None, Some(plan)) = (&self.why, plan) {
            verdict = proof::prove(&file, &designed, &plan)?;
        }
        let ranking = self.rank_assumptions(&sources, &file, &designed)?;
        let series = self.list_series(&file, &designed)?;
        let subject = DesignView {
            file: &file,
            design: &designed,
            rules_only: self.rules_only,
            proof: &verdict,
            sources: Some(&sources),
            ranking: ranking.as_ref(),
            series: &series,
        };
        if let Some(name) = &self.why {
            page::write_within(page::find_width(), out, |out| {
                rationale::write_why(subject, name, out)
            })?;
            return Ok(Outcome::Fine);
        }
        let mut written = String::new();
        if let Some(folder) = &self.output {
            let mut files = render::design::output_files(subject);
            files.extend(drafted.as_ref().map(DoctorModel::output_file));
            output_folder::write(folder, &files)?;
            written = extent::describe_files(folder, files.iter().map(|(name, _)| *name));
        }
        let change = unchanged.as_ref().map(|unchanged| unchanged.compare(&file, &designed));
        if self.json {
            write_json(subject, change.as_ref(), drafted.as_ref(), out)?;
            return Ok(outcome(&designed, &verdict));
        }
        if let Some(drafted) = &drafted {
            drafted.show(self.output.as_deref(), out)?;
        }
        match &change {
            Some(change) => page::write_within(page::find_width(), out, |out| {
                difference::write_change(subject, change, out)
            })?,
            None => self.write_report(subject, &written, out)?,
        }
        Ok(outcome(&designed, &verdict))
    }

    /// Writes the summary, the parts of the report that were asked for, or all of it.
    fn write_report(
        &self,
        subject: DesignView<'_>,
        written: &str,
        out: &mut dyn Write,
    ) -> Result<(), Failure> {
        let width = page::find_width();
        if !self.extent.is_summary() && !written.is_empty() {
            writeln!(out, "{written}\n")?;
        }
        if self.extent.full {
            return Ok(text::report(subject, width, out)?);
        }
        let parts = self.extent.parts();
        if !parts.is_empty() {
            return Ok(text::report_parts(subject, &parts, width, out)?);
        }
        let has_assumptions = !subject.file.assumptions.is_empty();
        let arguments = std::env::args_os().skip(1);
        let is_measured = self.settings.stats.is_some();
        let next =
            extent::next_steps(arguments, self.output.is_some(), has_assumptions && !is_measured);
        let frame = SummaryFrame { written, next: &next, width, height: page::find_height() };
        Ok(summary::write(subject, &frame, out)?)
    }

    /// Runs `--calibrate`.
    fn calibrate(&self, out: &mut dyn Write) -> Result<Outcome, Failure> {
        let access = self.proving.access()?;
        let calibration = calibration::calibrate(self.searching.profile(), access.as_ref())?;
        let text = calibration.prices.write();
        match &self.output {
            Some(folder) => output_folder::write(folder, &[("prices.txt", text)])?,
            None => out.write_all(text.as_bytes())?,
        }
        anstream::eprintln!(
            "average error of the prices: {}; not measured: {}",
            model::figures::format_share(calibration.error),
            calibration.kept.join(", ")
        );
        Ok(Outcome::Fine)
    }

    /// The assumptions about the model by influence, where the report shows them so.
    fn rank_assumptions(
        &self,
        sources: &ModelSources,
        file: &ModelFile,
        design: &Design,
    ) -> Result<Option<AssumptionRanking>, Failure> {
        let is_all = self.assumptions == AssumptionSelection::All;
        // The trials read the file anew, without changes of rates.
        let is_shown = self.extent.full || self.extent.is_summary();
        if is_all || self.json || self.why.is_some() || !is_shown || self.searching.has_changes() {
            return Ok(None);
        }
        let options = self.options(&self.key)?;
        let study = InfluenceStudy { sources, file, design, options: &options };
        Ok(Some(study.rank()))
    }

    /// The tables over time, where a file or JSON shows them.
    fn list_series(&self, file: &ModelFile, design: &Design) -> Result<Vec<TableSeries>, Failure> {
        if self.output.is_none() && !self.json {
            return Ok(Vec::new());
        }
        Ok(render::design::table_series(file, design, &self.options(&self.key)?))
    }

    /// The design of the file as it is, where options change it.
    fn design_unchanged(&self, file: &ModelFile) -> Result<Option<UnchangedDesign>, Failure> {
        let is_changed = self.searching.has_changes() || !self.key.is_empty();
        if !is_changed || !self.extent.is_summary() || self.why.is_some() {
            return Ok(None);
        }
        check_keys("--key", file, &self.key)?;
        Ok(Some(UnchangedDesign::new(file, self.options(&[])?, !self.key.is_empty())))
    }

    fn options(&self, keys: &[ForcedKey]) -> Result<Options, Failure> {
        Ok(Options {
            rules_only: self.rules_only,
            keys: keys.to_vec(),
            search: self.searching.search()?,
            ..self.settings.options()
        })
    }

    fn design(&self, file: &ModelFile) -> Result<Design, Failure> {
        let options = self.options(&self.key)?;
        check_keys("--key", file, &self.key)?;
        let Some(path) = &self.searching.program else { return design_model(file, &options) };
        check_partition_limit(file, &options)?;
        let bar = start_search_bar();
        let (designed, program) =
            design::design_with_program(&file.concept, &file.workload, &options);
        drop(bar);
        program.map_or(Ok(()), |program| program_file::write(path, &program))?;
        check_bounds(designed)
    }
}

fn start_search_bar() -> ProgressBar {
    let bar = ProgressBar::new("design");
    bar.show("search", 0, 0);
    bar
}

/// Designs a model; fails if no design satisfies the bounds.
pub(super) fn design_model(file: &ModelFile, options: &Options) -> Result<Design, Failure> {
    check_partition_limit(file, options)?;
    let bar = start_search_bar();
    let designed = design::design(&file.concept, &file.workload, options);
    drop(bar);
    check_bounds(designed)
}

/// Fails if a design does not satisfy the bounds.
fn check_bounds(designed: Design) -> Result<Design, Failure> {
    match find_exceeded_bound(&designed) {
        None => Ok(designed),
        Some(topic) => {
            let message = format!("{topic}; {}", topic.help());
            Err(Failure::Stopped(Outcome::BadInput, message))
        }
    }
}

/// Writes the design as JSON, with what was changed and the drafted model.
fn write_json(
    subject: DesignView<'_>,
    change: Option<&ChangedDesign<'_>>,
    drafted: Option<&DoctorModel>,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let mut object = json::object(subject);
    if let Some(change) = change {
        object["difference"] = difference::object(&change.difference);
    }
    if let Some(drafted) = drafted {
        object["model"] = drafted.text.as_str().into();
    }
    Ok(writeln!(out, "{object:#}")?)
}

/// Why no design satisfies the given bounds.
fn find_exceeded_bound(designed: &Design) -> Option<&Topic> {
    let mut topics = designed.notes.iter().map(|note| &note.topic);
    topics.find(|topic| matches!(topic, Topic::Bound(_)))
}

/// Fails if a partition may not even hold a single row.
fn check_partition_limit(file: &ModelFile, options: &Options) -> Result<(), Failure> {
    let limit = options.limits.partition_bytes;
    if limit >= Options::default().limits.partition_bytes {
        return Ok(());
    }
    let Some((table, least)) = design::least_partition(&file.concept, &file.workload) else {
        return Ok(());
    };
    if least <= limit {
        return Ok(());
    }
    let [limit, least] = [limit, least].map(model::figures::format_bytes);
    let message = format!(
        "--max-partition {limit} is less than a single row: a partition of {table} with one row takes {least}; raise it to at least {least}"
    );
    Err(Failure::Stopped(Outcome::BadInput, message))
}

/// Fails if a key does not name a query of the model file.
pub(super) fn check_keys(
    option: &str,
    file: &ModelFile,
    keys: &[ForcedKey],
) -> Result<(), Failure> {
    for key in keys {
        let names = || file.workload.reads.iter().map(|read| read.name.as_str());
        if !names().any(|name| name == key.read) {
            let hint = cql::spelling::hint(cql::spelling::find_nearest(&key.read, names()));
            let message = format!("{option}: unknown query {}{hint}", key.read);
            return Err(Failure::Stopped(Outcome::BadInput, message));
        }
    }
    Ok(())
}

fn outcome(design: &Design, verdict: &Verdict) -> Outcome {
    let is_refused = design.notes.iter().any(|note| note.kind == NoteKind::Refusal);
    if is_refused || verdict.is_failed() { Outcome::Findings } else { Outcome::Fine }
}
