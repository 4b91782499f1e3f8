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
                    named.push((line, self.to_one_line(statement.span), bound));
                }
                Err(refusal) => errors.push((*refusal).into()),
            }
        }
        errors.retain(|error| error.level == DiagnosticLevel::Error);
        if errors.is_empty() { Ok(named) } else { Err(errors) }
    }

    /// A statement in one line, without its comments and its semicolon.
    fn to_one_line(&self, span: Span) -> String {
        let (mut text, mut at) = (String::new(), span.start);
        let is_inside = |it: &&Comment| span.start <= it.span.start && it.span.end <= span.end;
        for comment in self.parsed.comments.iter().filter(is_inside) {
            text.push_str(Span::new(at, comment.span.start).text(&self.source.text));
            text.push(' ');
            at = comment.span.end;
        }
        text.push_str(Span::new(at, span.end).text(&self.source.text));
        join_lines(&text).trim_end_matches([' ', ';']).to_owned()
    }
}

/// A statement with one space for each white space, except in what is quoted.
fn join_lines(text: &str) -> String {
    let mut line = String::new();
    let mut quote: Option<&str> = None;
    let mut rest = text.trim();
    while let Some(first) = rest.chars().next() {
        let length = if rest.starts_with("$$") { 2 } else { first.len_utf8() };
        let (part, tail) = rest.split_at(length);
        rest = tail;
        match quote {
            None if first.is_whitespace() => {
                rest = rest.trim_start();
                line.push(' ');
                continue;
            }
            None => quote = ["'", "\"", "$$"].into_iter().find(|it| *it == part),
            Some(open) if open == part => quote = None,
            Some(_) => {}
        }
        line.push_str(part);
    }
    line
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

#[cfg(test)]
mod tests {
    use std::fs;

    use codegen::program::CommandStep;

    use super::read;

    #[test]
    fn statements_and_user_types_are_read() {
        let folder = std::env::temp_dir().join(format!("helenus-named-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        let schema = "CREATE TYPE street (name text);
CREATE TYPE address (street frozen<street>);
CREATE TABLE houses (id int PRIMARY KEY, address frozen<address>, note text);";
        let queries = "-- name: House :one
SELECT id, -- the number
  /* where */ address
FROM houses WHERE id = ?;
-- name: Describe :exec
UPDATE houses SET note = 'a  ''b -- c' WHERE id = ?;";
        let (schema_file, queries_file) = (folder.join("schema.cql"), folder.join("queries.cql"));
        fs::write(&schema_file, schema).expect("it is written");
        fs::write(&queries_file, queries).expect("it is written");
        let program = read(&schema_file, &queries_file, &mut Vec::new());
        fs::remove_dir_all(&folder).expect("it is removed");
        let program = program.ok().flatten().expect("the statements are valid");
        // A type stands after those of its fields.
        let types: Vec<&str> = program.user_types.iter().map(|it| it.name.as_str()).collect();
        assert_eq!(types, ["street", "address"]);
        let house = &program.queries[0].steps[0].statement;
        assert_eq!(house.cql, "SELECT id, address FROM houses WHERE id = ?");
        let CommandStep::Send(describe) = &program.commands[0].steps[0] else {
            panic!("{:?}", program.commands);
        };
        let cql = "UPDATE houses SET note = 'a  ''b -- c' WHERE id = ?";
        assert_eq!(describe.statement.cql, cql);
    }
}
