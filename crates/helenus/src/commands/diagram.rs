//! `helenus diagram`: pictures of a design, of a schema, and of the entities of a model file.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use cql::Severity;
use diagram::{Level, Picture};

use super::design::{DesignSettings, read_model};
use crate::outcome::{Failure, Outcome};
use crate::output_folder;
use crate::render;
use crate::source::Source;
use crate::source_diagnostic::SourceDiagnostic;
use crate::workspace::session;

const EXAMPLES: &str = "\
Examples:
  helenus diagram examples/killrvideo.sql
  helenus diagram examples/killrvideo.sql -o killrvideo.svg
  helenus diagram examples/killrvideo.sql --kind entities -o entities.md
  helenus diagram examples/video.cql --level physical -o video.svg

A model file (.sql) is designed first. Of a schema (.cql) only the tables are drawn: it has no workflow.
The ending of -o says the format: .svg, .md (Mermaid in Markdown), .mmd (Mermaid alone), .txt.

Exit code: 0 drawn, 2 bad input, 3 a file cannot be read or written.";

/// Draw the Chebotko diagram of a design or a schema, or the entities of a model file
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct DiagramArguments {
    /// A model file, or a schema (.cql); `-` reads a model file from standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Write to this file; `-` is standard output
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    output: PathBuf,
    /// What to draw
    #[arg(long, value_enum, default_value_t = DiagramKind::Chebotko)]
    kind: DiagramKind,
    /// How much the Chebotko diagram shows
    #[arg(long, value_enum, default_value_t = LevelName::Physical)]
    level: LevelName,
    /// How to draw it; without it the ending of -o says so, else text
    #[arg(long, value_enum)]
    format: Option<DiagramFormat>,
    /// One table for each query, none shared
    #[arg(long)]
    rules_only: bool,
    #[command(flatten)]
    settings: DesignSettings,
}

/// What is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum DiagramKind {
    /// Tables and workflow
    Chebotko,
    /// Entities and relationships
    Entities,
}

/// How much is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum LevelName {
    /// Names and marks
    Logical,
    /// With types and the keyspace
    Physical,
}

/// How it is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum DiagramFormat {
    /// A picture
    Svg,
    /// Mermaid; with a fence and the queries around it where the file ends in .md
    Mermaid,
    /// For terminals
    Text,
}

impl DiagramArguments {
    pub(crate) fn run(&self, out: &mut dyn Write) -> Result<Outcome, Failure> {
        let form = self.format()?;
        let source = Source::read(&self.file)?;
        let is_schema = extension(&self.file) == "cql";
        let picture =
            if is_schema { self.draw_schema(&source, out) } else { self.draw_model(&source, out) };
        let Some(picture) = picture? else { return Ok(Outcome::BadInput) };
        let text = match form {
            DiagramFormat::Svg => picture.svg(),
            DiagramFormat::Mermaid if extension(&self.output) == "md" => picture.markdown(),
            DiagramFormat::Mermaid => picture.mermaid(),
            DiagramFormat::Text => picture.text(),
        };
        if self.output == Path::new("-") {
            out.write_all(text.as_bytes())?;
        } else {
            write_file(&self.output, text)?;
        }
        Ok(Outcome::Fine)
    }

    /// How to draw it.
    fn format(&self) -> Result<DiagramFormat, Failure> {
        if let Some(form) = self.format {
            return Ok(form);
        }
        match &*extension(&self.output) {
            _ if self.output == Path::new("-") => Ok(DiagramFormat::Text),
            "svg" => Ok(DiagramFormat::Svg),
            "md" | "mmd" => Ok(DiagramFormat::Mermaid),
            "txt" => Ok(DiagramFormat::Text),
            _ => Err(Failure::Stopped(
                Outcome::BadInput,
                format!(
                    "{} does not say what to draw: let it end in .svg, .md, .mmd or .txt, or add --format",
                    self.output.display()
                ),
            )),
        }
    }

    /// The picture of a model file; `None` when something is wrong with it, which is written.
    fn draw_model(&self, source: &Source, out: &mut dyn Write) -> Result<Option<Picture>, Failure> {
        let Some(file) = read_model(source, &self.file, render::DiagnosticFormat::Text, out)?
        else {
            return Ok(None);
        };
        if self.kind == DiagramKind::Entities {
            return Ok(Some(diagram::entities(&file.concept)));
        }
        let mut options = self.settings.options();
        options.rules_only = self.rules_only;
        let designed = design::design(&file.concept, &file.workload, &options);
        let level = Level::from(self.level);
        Ok(Some(diagram::chebotko(&file.concept, &file.workload, &designed, level)))
    }

    /// The picture of a schema; `None` when something is wrong with it, which is written.
    fn draw_schema(
        &self,
        source: &Source,
        out: &mut dyn Write,
    ) -> Result<Option<Picture>, Failure> {
        if self.kind == DiagramKind::Entities {
            let message = "a schema has no entities: give a model file (.sql) to --kind entities";
            return Err(Failure::Stopped(Outcome::BadInput, message.to_owned()));
        }
        let parsed = cql::parse(&source.text);
        let mut session = session::start(&[], parsed.statements.iter())?;
        let diagnostics = session::diagnostics(&mut session, &parsed);
        let findings: Vec<_> = diagnostics
            .into_iter()
            .filter(|diagnostic| diagnostic.severity == Severity::Error)
            .map(|diagnostic| SourceDiagnostic { source, diagnostic })
            .collect();
        if !findings.is_empty() {
            render::write_diagnostics(render::DiagnosticFormat::Text, &findings, out)?;
            return Ok(None);
        }
        let picture = diagram::chebotko_of_catalog(&session.catalog, self.level.into());
        if picture.frames.is_empty() {
            let message = format!("{} makes no table", source.name);
            return Err(Failure::Stopped(Outcome::BadInput, message));
        }
        Ok(Some(picture))
    }
}

/// Writes a file, all of it or nothing; what is no plain file, such as a pipe, is written to as it is.
fn write_file(path: &Path, text: String) -> Result<(), Failure> {
    let special = std::fs::metadata(path).is_ok_and(|known| !known.is_file() && !known.is_dir());
    if special {
        return Ok(std::fs::write(path, text)?);
    }
    // A link stays a link: what it points to is replaced.
    let path = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let name =
        path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    output_folder::write(folder.unwrap_or(Path::new(".")), &[(&name, text)])
}

/// The ending of a file's name, in lower case.
fn extension(path: &Path) -> String {
    path.extension().map_or_else(String::new, |ending| ending.to_string_lossy().to_lowercase())
}

impl From<LevelName> for Level {
    fn from(level: LevelName) -> Self {
        match level {
            LevelName::Logical => Self::Logical,
            LevelName::Physical => Self::Physical,
        }
    }
}
