//! [`SchemaSource`]: the schema that statements are explained with, from files or a cluster: what it
//! makes of a statement, the volumes that its comments state, and what `check` finds.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use check::{Finding, Project, Settings, TextKind};
use cql::{ParseOptions, ParsedSource, StatementKind};
use model::concept::Concept;
use schema::Session;

use crate::forecast::{self, FigureSource, FiguresByTable, RowSizes};
use crate::outcome::Failure;
use crate::render::findings::pluralise;
use crate::source::Source;
use crate::workspace::file_bytes;
use crate::workspace::inputs::{Input, InputSources, Inputs};
use crate::workspace::session;

/// A schema in texts.
pub(in crate::cli) struct SchemaSource {
    inputs: Inputs,
    parsed: Vec<ParsedSource>,
    /// The paths, for messages.
    paths: String,
}

impl SchemaSource {
    /// The schema of files, read as `helenus check --schema` reads it: in replay order, without
    /// duplicates.
    pub(in crate::cli) fn from_files(paths: &[PathBuf]) -> Result<Self, Failure> {
        for path in paths.iter().filter(|path| !file_bytes::is_standard_input(path)) {
            std::fs::metadata(path).map_err(|error| Failure::unreadable_file(path, &error))?;
        }
        let (mut inputs, parsed) = Inputs::read(&InputSources {
            schema: paths,
            paths: &[],
            migrations: false,
            programs: false,
            options: ParseOptions { templates: true },
        });
        for problem in std::mem::take(&mut inputs.problems) {
            let message = format!("{} {}", problem.file, problem.message);
            if let Some(outcome) = problem.failure {
                return Err(Failure::Stopped(outcome, message));
            }
            anstream::eprintln!("warning: {message}");
        }
        let paths: Vec<_> = paths.iter().map(|path| path.display().to_string()).collect();
        Ok(Self { inputs, parsed, paths: paths.join(" ") })
    }

    /// The schema of a text.
    pub(in crate::cli) fn from_text(name: &str, text: String) -> Self {
        let mut input = Input::new(name.to_owned(), text, TextKind::Cql);
        input.is_reported = false;
        let parsed = input.parse(ParseOptions::default());
        let (inputs, parsed) = Inputs::from_texts(vec![(input, parsed)]);
        Self { inputs, parsed, paths: name.to_owned() }
    }

    /// A session with the schema. Statements of it that the server would reject are counted in a
    /// warning.
    pub(super) fn session(&self, keyspace: Option<&str>) -> Result<Session, Failure> {
        let statements = || self.parsed.iter().flat_map(|parsed| &parsed.statements);
        let mut session = session::start(&[], statements())?;
        let is_query = |kind: &StatementKind| {
            use StatementKind::{Batch, Delete, Insert, Select, Update};
            matches!(kind, Select(_) | Insert(_) | Update(_) | Delete(_) | Batch(_))
        };
        let refused = statements()
            .filter(|statement| !is_query(&statement.kind) && session.run(statement).is_err())
            .count();
        let invalid = self.parsed.iter().map(|parsed| parsed.errors.len()).sum::<usize>();
        if refused + invalid > 0 {
            anstream::eprintln!(
                "warning: {} of the schema would be rejected; see `helenus check {}`",
                pluralise(refused + invalid, "statement"),
                self.paths
            );
        }
        if let Some(keyspace) = keyspace {
            session.keyspace = Some(keyspace.into());
        }
        Ok(session)
    }

    /// The figures that comments state.
    pub(super) fn figures(&self, session: &Session) -> FiguresByTable {
        let mut figures = FiguresByTable::new();
        for file in self.volumes(session) {
            let workload = model::workload::Workload::default();
            let tables = &file.tables;
            let source = FigureSource::Comments;
            figures.extend(forecast::from_tables(&file.concept, &workload, tables, source));
        }
        figures
    }

    /// Bytes of rows and of empty partitions, by the types of the columns.
    pub(super) fn row_sizes(&self, session: &Session) -> BTreeMap<String, RowSizes> {
        let files = self.volumes(session).into_iter();
        files.flat_map(|file| forecast::row_sizes(&file.concept, &file.tables)).collect()
    }

    /// The tables of each text with their volumes. A text with wrong directives is named in a
    /// warning.
    fn volumes(&self, session: &Session) -> Vec<model::schema_file::SchemaFile> {
        let mut files = Vec::new();
        for (input, parsed) in self.inputs.all.iter().zip(&self.parsed) {
            match model::schema_file::read(&input.source.text, parsed, &session.catalog) {
                Ok(file) => files.push(file),
                Err(errors) => {
                    let first = errors.first().map(|error| error.message.as_str());
                    anstream::eprintln!(
                        "warning: the volumes of {} are not used: {}",
                        input.source.name,
                        first.unwrap_or_default()
                    );
                }
            }
        }
        files
    }

    /// What `check` finds in statements that use the schema.
    pub(super) fn findings(
        &self,
        keyspace: Option<&str>,
        statement: &Source,
        model: Option<Arc<Concept>>,
    ) -> Result<Vec<Finding>, Failure> {
        let statements = self.parsed.iter().flat_map(|parsed| &parsed.statements);
        let mut session = session::start(&[], statements)?;
        session.keyspace = keyspace.map(Into::into).or(session.keyspace);
        let mut texts = self.inputs.texts(self.parsed.clone());
        for text in &mut texts {
            text.is_reported = false;
        }
        let place = texts.len();
        texts.push(check::SourceText {
            name: &statement.name,
            text: &statement.text,
            parsed: cql::parse(&statement.text),
            kind: TextKind::Cql,
            is_reported: true,
        });
        let settings = Settings { now_ms: session::now_ms(), model, ..Settings::default() };
        let project = Project::new(texts, session, &settings, None);
        let mut findings = check::check(&project);
        findings.retain(|finding| finding.place.text == place);
        Ok(findings)
    }
}
