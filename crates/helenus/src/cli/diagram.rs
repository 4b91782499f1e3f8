//! `helenus diagram`: diagrams of a design, of a schema, and of the entities of a model file.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use diagram::{Level, Picture};

use super::design_settings::DesignSettings;
use crate::outcome::{Failure, Outcome};
use crate::output_folder;
use crate::render::{self, DiagnosticFormat};
use crate::source::Source;
use crate::source_diagnostic::SourceDiagnostic;
use crate::workspace::{file_walk, model_file, schema_file, text_file};

const EXAMPLES: &str = "\
Examples:
  helenus diagram examples/killrvideo.sql
  helenus diagram examples/killrvideo.sql -o killrvideo.svg
  helenus diagram examples/killrvideo.sql --kind entities -o entities.md
  helenus diagram examples/video.cql --level physical -o video.svg

For a model file (.sql), the tables are designed first. A schema (.cql) has no workflow:
only its tables are drawn. The file extension of -o selects the format: .svg, .md (Mermaid
in Markdown), .mmd (Mermaid), .txt.

Exit code: 0 success, 2 invalid input, 3 a file cannot be read or written.";

/// Draw the Chebotko diagram of a design or a schema, or the entities of a model file
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct DiagramArguments {
    /// Model files or directories of them, or one schema (.cql); `-` reads a model file from
    /// standard input
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Output file; `-` is standard output
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    output: PathBuf,
    /// Diagram to draw
    #[arg(long, value_enum, default_value_t = DiagramKind::Chebotko)]
    kind: DiagramKind,
    /// Level of detail of the Chebotko diagram
    #[arg(long, value_enum, default_value_t = LevelName::Physical)]
    level: LevelName,
    /// Output format [default: by the file extension of -o, else text]
    #[arg(long, value_enum)]
    format: Option<DiagramFormat>,
    /// Apply the mapping rules only: one table per query, without sharing tables
    #[arg(long)]
    rules_only: bool,
    #[command(flatten)]
    settings: DesignSettings,
}

/// The values of `--kind`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum DiagramKind {
    /// Tables and workflow
    Chebotko,
    /// Entities and relationships
    Entities,
}

/// The values of `--level`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum LevelName {
    /// Column names and key marks
    Logical,
    /// Also types and the keyspace
    Physical,
}

/// The values of `--format`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum DiagramFormat {
    /// SVG image
    Svg,
    /// Mermaid source; as a Markdown page with the queries if the output file ends in .md
    Mermaid,
    /// Plain text for terminals
    Text,
}

impl DiagramArguments {
    pub(crate) fn run(&self, out: &mut dyn Write) -> Result<Outcome, Failure> {
        let format = self.format()?;
        let picture = match self.files.as_slice() {
            [file] if file_walk::is_cql(file) => {
                self.draw_schema(&text_file::read(file)?.source, out)?
            }
            _ => self.draw_model(out)?,
        };
        let Some(picture) = picture else { return Ok(Outcome::BadInput) };
        let text = match format {
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

    /// The given format, or that of the output file's extension.
    fn format(&self) -> Result<DiagramFormat, Failure> {
        if let Some(format) = self.format {
            return Ok(format);
        }
        match &*extension(&self.output) {
            _ if self.output == Path::new("-") => Ok(DiagramFormat::Text),
            "svg" => Ok(DiagramFormat::Svg),
            "md" | "mmd" => Ok(DiagramFormat::Mermaid),
            "txt" => Ok(DiagramFormat::Text),
            _ => Err(Failure::Stopped(
                Outcome::BadInput,
                format!(
                    "{}: unknown file extension; use .svg, .md, .mmd or .txt, or add --format",
                    self.output.display()
                ),
            )),
        }
    }

    /// Draws a model file. Writes the diagnostics and returns `None` if it has errors.
    fn draw_model(&self, out: &mut dyn Write) -> Result<Option<Picture>, Failure> {
        let sources = model_file::read_sources(&self.files, self.settings.stats.as_deref())?;
        let file = model_file::read(&sources, DiagnosticFormat::Text, out)?;
        let Some(file) = file else { return Ok(None) };
        if self.kind == DiagramKind::Entities {
            return Ok(Some(diagram::entities(&file.concept)));
        }
        let mut options = self.settings.options();
        options.rules_only = self.rules_only;
        let designed = design::design(&file.concept, &file.workload, &options);
        let level = Level::from(self.level);
        Ok(Some(diagram::chebotko(&file.concept, &file.workload, &designed, level)))
    }

    /// Draws a schema. Writes the diagnostics and returns `None` if it has errors.
    fn draw_schema(
        &self,
        source: &Source,
        out: &mut dyn Write,
    ) -> Result<Option<Picture>, Failure> {
        if self.kind == DiagramKind::Entities {
            let message = "--kind entities requires a model file (.sql); a schema has no entities";
            return Err(Failure::Stopped(Outcome::BadInput, message.to_owned()));
        }
        let schema = schema_file::read(source)?;
        if !schema.errors.is_empty() {
            let errors = SourceDiagnostic::list(source, schema.errors);
            render::write_diagnostics(DiagnosticFormat::Text, &errors, out)?;
            return Ok(None);
        }
        let picture = diagram::chebotko_of_catalog(&schema.catalog, self.level.into());
        if picture.frames.is_empty() {
            return Err(schema_file::no_table(source));
        }
        Ok(Some(picture))
    }
}

/// Writes a file atomically; anything but a regular file, such as a pipe, is written to directly.
fn write_file(path: &Path, text: String) -> Result<(), Failure> {
    let is_special =
        std::fs::metadata(path).is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir());
    if is_special {
        return Ok(std::fs::write(path, text)?);
    }
    // A symbolic link stays one: its target is replaced.
    let path = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let name =
        path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    output_folder::write(folder.unwrap_or(Path::new(".")), &[(&name, text)])
}

/// The file extension, in lower case.
fn extension(path: &Path) -> String {
    path.extension()
        .map_or_else(String::new, |extension| extension.to_string_lossy().to_lowercase())
}

impl From<LevelName> for Level {
    fn from(level: LevelName) -> Self {
        match level {
            LevelName::Logical => Self::Logical,
            LevelName::Physical => Self::Physical,
        }
    }
}
