//! `helenus explain`: the access path of a statement.

use std::io::Write;
use std::path::{Path, PathBuf};

use cql::{Diagnostic, ParseOptions, ParsedSource, StatementKind};
use schema::Session;
use schema::access;
use schema::session::AcceptedStatement;

use crate::outcome::{Failure, Outcome};
use crate::render::findings::pluralise;
use crate::render::{self, DiagnosticFormat, access_json, access_text};
use crate::source::Source;
use crate::source_diagnostic::SourceDiagnostic;
use crate::workspace::inputs::{InputSources, Inputs};
use crate::workspace::{session, text_file};

const EXAMPLES: &str = "\
Examples:
  helenus explain --schema examples/video.cql 'SELECT * FROM users WHERE userid = ?'
  helenus explain --schema examples/video.cql --json 'DELETE FROM users WHERE userid = ?'
  echo 'SELECT * FROM users' | helenus explain --schema examples/video.cql -

Exit code: 0 success, 1 the server would reject the statement, 2 invalid usage, 3 a file
cannot be read.";

/// Explain how a statement would run: partitions, rows, index, filtering, order
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ExplainArguments {
    /// Statement to explain; `-` reads it from standard input
    #[arg(value_name = "STATEMENT")]
    statement: String,
    /// Schema file, or directory of .cql files (repeatable)
    #[arg(long, required = true, value_name = "PATH")]
    schema: Vec<PathBuf>,
    /// Current keyspace
    #[arg(long, value_name = "NAME")]
    keyspace: Option<String>,
    /// Print the access path as JSON
    #[arg(long)]
    json: bool,
}

impl ExplainArguments {
    pub(crate) fn run(&self, out: &mut dyn Write) -> Result<Outcome, Failure> {
        let mut session = self.session()?;
        let source = match &*self.statement {
            "-" => text_file::read(Path::new("-"))?.source,
            text => Source::new("<statement>", text.to_owned()),
        };
        let parsed = cql::parse(&source.text);
        let mut outcome = Outcome::Fine;
        let mut refused: Vec<Diagnostic> =
            parsed.errors.iter().cloned().map(Diagnostic::from).collect();
        let mut explained = Vec::new();
        for statement in parsed.statements.iter().filter(|_| parsed.errors.is_empty()) {
            match session.run(statement) {
                Ok(accepted) => explained.push((statement, accepted)),
                Err(refusal) => refused.push((*refusal).into()),
            }
        }
        if explained.is_empty() && refused.is_empty() {
            return Err(Failure::Stopped(Outcome::BadInput, "no statement given".to_owned()));
        }
        if !refused.is_empty() {
            let format = DiagnosticFormat::from_json_flag(self.json);
            render::write_diagnostics(format, &SourceDiagnostic::list(&source, refused), out)?;
            outcome = Outcome::Findings;
        }
        for (statement, accepted) in explained {
            let plan = match &accepted {
                AcceptedStatement::Bound(bound) => access::plan(&bound.kind),
                _ => access::AccessPlan::Nothing,
            };
            if self.json {
                writeln!(out, "{:#}", access_json::plan(statement, &plan))?;
            } else {
                write!(out, "{}", access_text::plan(statement, &plan))?;
            }
        }
        Ok(outcome)
    }

    /// A session with the schema. Statements of it that the server would reject are counted in a
    /// warning.
    fn session(&self) -> Result<Session, Failure> {
        let parsed = self.read_schema()?;
        let statements = || parsed.iter().flat_map(|parsed| &parsed.statements);
        let mut session = session::start(&[], statements())?;
        let is_query = |kind: &StatementKind| {
            use StatementKind::{Batch, Delete, Insert, Select, Update};
            matches!(kind, Select(_) | Insert(_) | Update(_) | Delete(_) | Batch(_))
        };
        let refused = statements()
            .filter(|statement| !is_query(&statement.kind) && session.run(statement).is_err())
            .count();
        let refused = refused + parsed.iter().map(|parsed| parsed.errors.len()).sum::<usize>();
        if refused > 0 {
            let paths: Vec<_> = self.schema.iter().map(|path| path.display().to_string()).collect();
            anstream::eprintln!(
                "warning: {} of the schema would be rejected; see `helenus check {}`",
                pluralise(refused, "statement"),
                paths.join(" ")
            );
        }
        if let Some(keyspace) = &self.keyspace {
            session.keyspace = Some(keyspace.as_str().into());
        }
        Ok(session)
    }

    /// The schema, read as `helenus check --schema` reads it: in replay order, without duplicates.
    fn read_schema(&self) -> Result<Vec<ParsedSource>, Failure> {
        for path in self.schema.iter().filter(|path| *path != Path::new("-")) {
            std::fs::metadata(path).map_err(|error| Failure::unreadable_file(path, &error))?;
        }
        let (inputs, parsed) = Inputs::read(&InputSources {
            schema: &self.schema,
            paths: &[],
            migrations: false,
            programs: false,
            options: ParseOptions { templates: true },
        });
        for problem in inputs.problems {
            let message = format!("{} {}", problem.file, problem.message);
            if problem.is_unread {
                return Err(Failure::Stopped(Outcome::EnvironmentFailed, message));
            }
            anstream::eprintln!("warning: {message}");
        }
        Ok(parsed)
    }
}
