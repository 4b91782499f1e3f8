//! `helenus explain`: the access path of a statement.

use std::io::Write;
use std::path::PathBuf;

use cql::{Diagnostic, ParseOptions, StatementKind};
use schema::Session;
use schema::access;
use schema::session::AcceptedStatement;

use crate::outcome::{Failure, Outcome};
use crate::render::{self, DiagnosticFormat, access_json, access_text};
use crate::source::{self, Source};
use crate::source_diagnostic::SourceDiagnostic;
use crate::workspace::session;

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
            "-" => Source::read(&PathBuf::from("-"))?,
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
            let finding = |diagnostic| SourceDiagnostic { source: &source, diagnostic };
            let findings: Vec<_> = refused.into_iter().map(finding).collect();
            let format = if self.json { DiagnosticFormat::Json } else { DiagnosticFormat::Text };
            render::write_diagnostics(format, &findings, out)?;
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
        let paths = source::expand_paths(&self.schema)?;
        let sources = paths.iter().map(|path| Source::read(path)).collect::<Result<Vec<_>, _>>()?;
        let options = ParseOptions { templates: true };
        let parsed: Vec<_> =
            sources.iter().map(|source| cql::parse_with(&source.text, &options)).collect();
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
                "warning: {refused} statements of the schema would be rejected; see `helenus check {}`",
                paths.join(" ")
            );
        }
        if let Some(keyspace) = &self.keyspace {
            session.keyspace = Some(keyspace.as_str().into());
        }
        Ok(session)
    }
}
