//! `helenus explain`: the access path of a statement, and the trace of one that ran.

mod cluster_figures;
mod comparison;
mod live;
mod schema_source;
mod statements;
mod trace_file;

use std::io::Write;
use std::path::{Path, PathBuf};

use std::sync::Arc;

use model::concept::Concept;
use model::sql::ModelFile;
use schema::Session;

use super::cluster_arguments::ClusterArguments;
use crate::forecast::{self, FigureSource, FiguresByTable};
use crate::outcome::{Failure, Outcome};
use crate::render::DiagnosticFormat;
use crate::source::Source;
use crate::workspace::{model_file, text_file};
pub(super) use schema_source::SchemaSource;
pub(super) use statements::Explanation;

const EXAMPLES: &str = "\
Examples:
  helenus explain --schema examples/video.cql 'SELECT * FROM users WHERE userid = ?'
  helenus explain --schema examples/video.cql --json 'DELETE FROM users WHERE userid = ?'
  echo 'SELECT * FROM users' | helenus explain --schema examples/video.cql -
  helenus explain --trace trace.txt                  # what cqlsh printed after TRACING ON
  helenus explain --on 127.0.0.1:9042 'SELECT * FROM shop.users WHERE id = 42'
  helenus explain --on 127.0.0.1:9042 --trace 6bfddfb0-e343-11f1-9a8f-a945630d3302

Figures come from comments in the schema (-- @rows 10M above a CREATE TABLE, as for
`helenus estimate`), from a model file or from the statistics of a cluster.

A trace is what cqlsh prints after TRACING ON, rows of system_traces.sessions and .events as
cqlsh or JSON, or, with --on, the id of a session of the cluster. With --on and a statement,
the statement is run with tracing; of its result, only the first page is read. Only SELECT
is run, unless --execute is given.

Exit code: 0 success, 1 the server would reject the statement or it failed, 2 invalid usage,
3 a file cannot be read or the cluster cannot be reached.";

/// Explain how a statement would run, or why it was slow: partitions, rows, index, trace
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ExplainArguments {
    /// Statement to explain; `-` reads it from standard input
    #[arg(value_name = "STATEMENT", required_unless_present = "trace")]
    statement: Option<String>,
    /// Schema file, or directory of .cql files (repeatable)
    #[arg(long, required_unless_present_any = ["trace", "host"], value_name = "PATH")]
    schema: Vec<PathBuf>,
    /// Explain a trace: a file, `-` for standard input or, with --on, the id of a session
    #[arg(long, value_name = "FILE", conflicts_with = "statement")]
    trace: Option<String>,
    /// Run the statement on this cluster, with tracing
    #[arg(id = "host", long = "on", value_name = "HOST[:PORT]")]
    on: Option<String>,
    /// Model file whose volumes the figures are computed from, by the names of its designed tables
    #[arg(long, value_name = "FILE")]
    model: Option<PathBuf>,
    /// With --on, also run a statement that writes
    #[arg(long, requires = "host")]
    execute: bool,
    /// With --on, the rows of the page that is read
    #[arg(long, requires = "host", value_name = "ROWS", default_value_t = 5_000, value_parser = clap::value_parser!(i32).range(1..=100_000))]
    page_size: i32,
    /// Current keyspace
    #[arg(long, value_name = "NAME")]
    keyspace: Option<String>,
    /// Columns of the output [default: of the terminal, else 100]
    #[arg(long, value_name = "COLUMNS")]
    width: Option<usize>,
    /// Print as JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    cluster: ClusterArguments,
}

/// What statements are explained with.
pub(super) struct Explainer {
    schema: SchemaSource,
    /// The current keyspace, if one is named.
    keyspace: Option<String>,
    /// A session with the schema.
    session: Session,
    /// The figures of tables.
    figures: FiguresByTable,
    /// The concept of the model file, for the rules of `check`.
    concept: Option<Arc<Concept>>,
}

impl Explainer {
    /// With the figures of the comments of the schema.
    pub(super) fn new(schema: SchemaSource, keyspace: Option<String>) -> Result<Self, Failure> {
        let session = schema.session(keyspace.as_deref())?;
        let figures = schema.figures(&session);
        Ok(Self { schema, keyspace, session, figures, concept: None })
    }

    /// Adds the volumes of a model, by the names of its designed tables.
    pub(super) fn add_model(&mut self, file: ModelFile) {
        let designed = design::design(&file.concept, &file.workload, &design::Options::default());
        let (workload, tables) = (&file.workload, &designed.tables);
        let source = FigureSource::Model;
        self.figures.extend(forecast::from_tables(&file.concept, workload, tables, source));
        self.concept = Some(Arc::new(file.concept));
    }
}

impl ExplainArguments {
    pub(crate) fn run(&self, out: &mut dyn Write) -> Result<Outcome, Failure> {
        match (&self.trace, &self.on) {
            (Some(session), Some(host)) => self.explain_session(session, host, out),
            (Some(file), None) => self.explain_trace_file(file, out),
            (None, Some(host)) => self.explain_live(&self.statement()?, host, out),
            (None, None) => {
                let schema = SchemaSource::from_files(&self.schema)?;
                let Some(explainer) = self.explainer(schema, out)? else {
                    return Ok(Outcome::BadInput);
                };
                self.explain_statements(&explainer, &self.statement()?, out)
            }
        }
    }

    /// The text of the statements.
    fn statement(&self) -> Result<Source, Failure> {
        match self.statement.as_deref().unwrap_or_default() {
            "-" => Ok(text_file::read(Path::new("-"))?.source),
            text => Ok(Source::new("<statement>", text.to_owned())),
        }
    }

    /// What statements are explained with: the schema, and the figures of a model file or of its
    /// comments. `None` if the model has errors, which are then written.
    fn explainer(
        &self,
        schema: SchemaSource,
        out: &mut dyn Write,
    ) -> Result<Option<Explainer>, Failure> {
        let mut explainer = Explainer::new(schema, self.keyspace.clone())?;
        if let Some(path) = &self.model {
            let format = DiagnosticFormat::from_json_flag(self.json);
            let sources = model_file::read_sources(std::slice::from_ref(path), None)?;
            let Some(file) = model_file::read(&sources, format, out)? else { return Ok(None) };
            explainer.add_model(file);
        }
        Ok(Some(explainer))
    }

    /// The columns of the output.
    fn columns(&self) -> usize {
        let terminal = || terminal_size::terminal_size().map(|(width, _)| usize::from(width.0));
        self.width.or_else(terminal).unwrap_or(100)
    }
}
