//! `helenus diagram`: diagrams of a design, of a schema, of a model file, and of what changes.

mod format;
mod subject;

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use diagram::{Level, Picture};

use self::format::DiagramFormat;
use super::design_settings::DesignSettings;
use crate::atomic_file;
use crate::outcome::{Failure, Outcome};

const EXAMPLES: &str = "\
Examples:
  helenus diagram examples/killrvideo.sql
  helenus diagram examples/killrvideo.sql -o killrvideo.svg
  helenus diagram examples/killrvideo.sql --level logical -o killrvideo.pdf
  helenus diagram examples/killrvideo.sql --kind entities --used -o entities.md
  helenus diagram examples/killrvideo.sql --kind workflow -o workflow.png
  helenus diagram examples/killrvideo.sql --kind data-flow -o data-flow.svg
  helenus diagram examples/video.cql --level physical -o video.svg
  helenus diagram new.cql --before old.cql -o changes.svg

For a model file (.sql), the tables are designed first. A schema (.cql) has no workflow:
only its tables are drawn. With --before, both may be either. The file extension of -o
selects the format: .svg, .png, .pdf, .md (Mermaid in Markdown), .mmd (Mermaid), .txt.

Exit code: 0 success, 2 invalid input, 3 a file cannot be read or written.";

/// Draw the tables of a design or a schema, the entities, workflow and data flow of a model file,
/// or what changes between two of them
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
    /// Mark what is added, dropped or changed since this model file, directory or schema
    #[arg(long, value_name = "FILE", conflicts_with_all = ["kind", "level", "used"])]
    before: Option<PathBuf>,
    /// Leave out the tables and entities that no query touches
    #[arg(long)]
    used: bool,
    /// Output format [default: by the file extension of -o, else text]
    #[arg(long, value_enum)]
    format: Option<DiagramFormat>,
    /// Draw the text of an SVG as outlines: the same in every viewer, but a larger file without
    /// text to search
    #[arg(long)]
    outlines: bool,
    /// Apply the mapping rules only: one table per query, without sharing tables
    #[arg(long)]
    rules_only: bool,
    #[command(flatten)]
    settings: DesignSettings,
}

/// The values of `--kind`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum DiagramKind {
    /// Tables, and the queries that lead from one to the next
    Chebotko,
    /// Entities and relationships
    Entities,
    /// Steps of the application, and the values they hand on
    Workflow,
    /// Writes with the tables they change, queries with the tables they read
    DataFlow,
}

/// The values of `--level`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum LevelName {
    /// Column names and key marks
    Logical,
    /// Also types and the keyspace
    Physical,
}

impl DiagramArguments {
    pub(crate) fn run(&self, out: &mut dyn Write) -> Result<Outcome, Failure> {
        let format = DiagramFormat::select(self.format, &self.output)?;
        if self.outlines && format != DiagramFormat::Svg {
            let message = "--outlines applies to SVG only";
            return Err(Failure::Stopped(Outcome::BadInput, message.to_owned()));
        }
        let Some(picture) = self.draw(out)? else { return Ok(Outcome::BadInput) };
        let content = format.render(&picture, &self.output, self.outlines);
        if self.output == Path::new("-") {
            out.write_all(&content)?;
        } else {
            atomic_file::replace(&self.output, &content)
                .map_err(|error| Failure::unwritable_file(&self.output, &error))?;
        }
        Ok(Outcome::Fine)
    }

    /// The picture. Writes the diagnostics and returns `None` if the input has errors.
    fn draw(&self, out: &mut dyn Write) -> Result<Option<Picture>, Failure> {
        let Some(before) = &self.before else {
            let picture = self.draw_subject(&self.files, self.kind, out)?;
            return Ok(
                picture.map(|picture| if self.used { picture.leave_out_unused() } else { picture })
            );
        };
        let kind = DiagramKind::Chebotko;
        let earlier = self.draw_subject(std::slice::from_ref(before), kind, out)?;
        let later = self.draw_subject(&self.files, kind, out)?;
        Ok(earlier.zip(later).map(|(earlier, later)| diagram::changes(&earlier, &later)))
    }
}

impl From<LevelName> for Level {
    fn from(level: LevelName) -> Self {
        match level {
            LevelName::Logical => Self::Logical,
            LevelName::Physical => Self::Physical,
        }
    }
}
