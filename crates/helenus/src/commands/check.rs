//! `helenus check`: what would Cassandra refuse?

use std::io::Write;
use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};

use cql::{Diagnostic, ParseOptions, Severity, Statement, StatementKind};
use model::Session;

use super::{Failure, Outcome};
use crate::finding::Finding;
use crate::render::{self, Format};
use crate::source::{self, Source};

const EXAMPLES: &str = "\
Examples:
  helenus check examples/mistakes.cql
  helenus check --format json examples/
  echo 'SELECT * FROM video.users' | helenus check examples/video.cql -

Statements run in order, as a server would see them: a schema first, then what uses it.
Statements with markers (? or :name) are checked as prepared ones. Files that name no
keyspace of their own (no CREATE KEYSPACE, no USE) are checked in a keyspace `ks`;
--keyspace says which ones exist already.

Exit code: 0 accepted, 1 refused, 2 bad usage, 3 the files cannot be read.";

/// Check schemas and statements: what would Cassandra 5.0 refuse, with its own words
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Check {
    /// Files, or folders of .cql files; `-` is standard input
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// How findings are written
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// A keyspace that exists already; the first one is in use (may be repeated)
    #[arg(long, value_name = "NAME")]
    keyspace: Vec<String>,
    /// Accept template placeholders: ${x}, {{x}}, $X$, %s, %d, {0}
    #[arg(long)]
    templates: bool,
}

impl Check {
    pub(crate) fn run(&self, out: &mut dyn Write) -> Result<Outcome, Failure> {
        let paths = source::files(&self.paths)?;
        let sources = paths.iter().map(|path| Source::read(path)).collect::<Result<Vec<_>, _>>()?;
        let options = ParseOptions { templates: self.templates };
        let parsed: Vec<_> =
            sources.iter().map(|source| cql::parse_with(&source.text, &options)).collect();
        let statements = || parsed.iter().flat_map(|parsed| &parsed.statements);
        let mut session = session(&self.keyspace, statements())?;
        let mut findings = Vec::new();
        for (source, parsed) in sources.iter().zip(&parsed) {
            for diagnostic in file(&mut session, parsed) {
                findings.push(Finding { source, diagnostic });
            }
        }
        render::findings(self.format, &findings, out)?;
        let errors = findings
            .iter()
            .filter(|finding| finding.diagnostic.severity == Severity::Error)
            .count();
        if self.format == Format::Text {
            writeln!(out, "{}", summary(errors, statements().count()))?;
        }
        Ok(if errors > 0 { Outcome::Findings } else { Outcome::Fine })
    }
}

/// The session the statements run in.
pub(super) fn session<'a>(
    keyspaces: &[String],
    mut statements: impl Iterator<Item = &'a Statement>,
) -> Result<Session, Failure> {
    let mut session = Session::with_system_tables();
    session.now_ms = now_ms();
    // The user's cluster has data centres that we do not know: any name will do.
    session.catalog.datacenters.clear();
    let refused = |refusal: Box<Diagnostic>| Failure::Stopped(Outcome::BadInput, refusal.message);
    for keyspace in keyspaces {
        session.assume_keyspace(keyspace).map_err(refused)?;
    }
    let names_keyspaces = |statement: &Statement| {
        matches!(statement.kind, StatementKind::CreateKeyspace(_) | StatementKind::Use(_))
    };
    if keyspaces.is_empty() && !statements.any(names_keyspaces) {
        session.assume_keyspace("ks").map_err(refused)?;
    }
    Ok(session)
}

/// The time, in milliseconds since 1970.
fn now_ms() -> i64 {
    let since_1970 = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since_1970.as_millis()).unwrap_or(i64::MAX)
}

/// The findings of one file, in the order of its text.
pub(super) fn file(session: &mut Session, parsed: &cql::Parsed) -> Vec<Diagnostic> {
    let mut found = parsed.diagnostics.clone();
    let mut broken = parsed.diagnostics.iter().peekable();
    for statement in &parsed.statements {
        while broken.next_if(|diagnostic| diagnostic.span.end < statement.span.start).is_some() {}
        let has_errors =
            broken.peek().is_some_and(|diagnostic| diagnostic.span.start <= statement.span.end);
        if !has_errors && let Err(refusal) = session.run(statement) {
            found.push(*refusal);
        }
    }
    found.sort_by_key(|diagnostic| diagnostic.span.start);
    found
}

fn summary(errors: usize, statements: usize) -> String {
    let statements = match statements {
        1 => "1 statement".to_owned(),
        count => format!("{count} statements"),
    };
    match errors {
        0 => format!("{statements}: Cassandra 5.0 accepts all"),
        1 => format!("{statements}: 1 error"),
        count => format!("{statements}: {count} errors"),
    }
}
