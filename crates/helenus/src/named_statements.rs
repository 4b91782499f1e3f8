//! Named CQL statements on a schema, for `helenus generate --schema`.

use std::io::Write;
use std::path::Path;

use codegen::cql_statements::{NamedStatement, lower_statements};
use codegen::program::{AccessProgram, Cardinality};
use cql::{Comment, Diagnostic, DiagnosticLevel, ParsedSource, Span, StatementKind};
use model::sql::{NameLine, read_name_line};
use schema::bind::{self, BoundStatement};

use crate::outcome::{Failure, Outcome};
use crate::render::{self, DiagnosticFormat};
use crate::source::Source;
use crate::source_diagnostic::SourceDiagnostic;
use crate::workspace::{schema_file, session, text_file};

/// The program of the statements; `None` where they are invalid and were reported.
pub(crate) fn read(
    schema: &Path,
    queries: &Path,
    out: &mut dyn Write,
) -> Result<Option<AccessProgram>, Failure> {
    let schema = text_file::read(schema)?.source;
    let loaded = schema_file::read(&schema)?;
    if !loaded.errors.is_empty() {
        report(&schema, loaded.errors, out)?;
        return Ok(None);
    }
    let queries = text_file::read(queries)?.source;
    let parsed = cql::parse(&queries.text);
    let reading = StatementReading {
        source: &queries,
        parsed: &parsed,
        catalog: &loaded.catalog,
        keyspace: find_keyspace(&loaded.parsed, &parsed),
    };
    let named = match reading.read() {
        Ok(named) => named,
        Err(errors) => {
            report(&queries, errors, out)?;
            return Ok(None);
        }
    };
    let statements: Vec<NamedStatement<'_>> = named
        .iter()
        .map(|(line, text, bound)| NamedStatement {
            name: &line.name,
            cardinality: to_cardinality(line),
            cql: text,
            bound,
        })
        .collect();
    let texts = loaded.parsed.statements.iter();
    let texts = texts.filter(|it| !matches!(it.kind, StatementKind::Use(_)));
    let texts = texts.map(|it| it.span.text(&schema.text).trim_end_matches(';').to_owned());
    let keyspace = reading.keyspace.unwrap_or_else(|| "ks".to_owned());
    let name = queries.name.clone();
    lower_statements(&keyspace, &name, texts.collect(), &statements).map(Some).map_err(|error| {
        let message = format!("{name}: {error}; {}", error.help);
        Failure::Stopped(Outcome::BadInput, message)
    })
}

fn report(source: &Source, errors: Vec<Diagnostic>, out: &mut dyn Write) -> Result<(), Failure> {
    let errors = SourceDiagnostic::list(source, errors);
    render::write_diagnostics(DiagnosticFormat::Text, &errors, out)?;
    Ok(())
}

/// The keyspace that the statements are in: of the last USE, else of the first CREATE KEYSPACE.
fn find_keyspace(schema: &ParsedSource, queries: &ParsedSource) -> Option<String> {
    let all = || schema.statements.iter().chain(&queries.statements);
    let mut last_use = all().filter_map(|it| match &it.kind {
        StatementKind::Use(name) => Some(name.keyspace.text.to_string()),
        _ => None,
    });
    let created = || {
        schema.statements.iter().find_map(|it| match &it.kind {
            StatementKind::CreateKeyspace(create) => Some(create.name.text.to_string()),
            _ => None,
        })
    };
    last_use.next_back().or_else(created)
}

fn to_cardinality(line: &NameLine) -> Option<Cardinality> {
    match line.cardinality {
        model::sql::Cardinality::One => Some(Cardinality::One),
        model::sql::Cardinality::Many => Some(Cardinality::Many),
        model::sql::Cardinality::Exec => None,
    }
}

/// The reading of a file of statements.
struct StatementReading<'a> {
    source: &'a Source,
    parsed: &'a ParsedSource,
    catalog: &'a schema::Catalog,
    keyspace: Option<String>,
}

impl StatementReading<'_> {
    fn read(&self) -> Result<Vec<(NameLine, String, BoundStatement)>, Vec<Diagnostic>> {
        let mut errors: Vec<Diagnostic> =
            self.parsed.errors.iter().cloned().map(Diagnostic::from).collect();
        let mut named: Vec<(NameLine, String, BoundStatement)> = Vec::new();
        let mut comments = self.parsed.comments.iter().peekable();
        for statement in &self.parsed.statements {
            let mut line = None;
            while let Some(comment) =
                comments.next_if(|comment| comment.span.start < statement.span.start)
            {
                match read_name_line(&self.source.text, inside(comment)) {
                    Some(Ok(found)) => line = Some(found),
                    Some(Err(error)) => errors.push(error),
                    None => {}
                }
            }
            if matches!(statement.kind, StatementKind::Use(_) | StatementKind::Invalid) {
                continue;
            }
            let Some(line) = line else {
                let message = "the statement has no name".to_owned();
                let help = "write a line such as -- name: UserByEmail :one above it";
                errors.push(error(statement.span, message, help));
                continue;
            };
            if named.iter().any(|(other, ..)| other.name == line.name) {
                let message = format!("another statement is named {}", line.name);
                errors.push(error(line.span, message, "give each statement its own name"));
                continue;
            }
            let keyspace = self.keyspace.as_deref().or(Some("ks"));
            let bound = bind::bind(self.catalog, keyspace, session::now_ms(), statement);
            match bound.and_then(|bound| bind::validate(&bound).map(|()| bound)) {
                Ok(bound) => {
                    let text = statement.span.text(&self.source.text);
                    let text = text.trim().trim_end_matches(';').trim_end();
                    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
                    named.push((line, text, bound));
                }
                Err(refusal) => errors.push((*refusal).into()),
            }
        }
        errors.retain(|error| error.level == DiagnosticLevel::Error);
        if errors.is_empty() { Ok(named) } else { Err(errors) }
    }
}

/// The text of a comment without its dashes.
fn inside(comment: &Comment) -> Span {
    Span::new(comment.span.start + 2, comment.span.end)
}

fn error(span: Span, message: String, help: &str) -> Diagnostic {
    Diagnostic {
        rule: "CG001",
        level: DiagnosticLevel::Error,
        error: None,
        message,
        span,
        help: Some(help.to_owned()),
    }
}
