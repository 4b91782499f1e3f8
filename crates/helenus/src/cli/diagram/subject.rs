//! What is drawn: a model file with its design, or a schema.

use std::io::Write;
use std::path::PathBuf;

use diagram::Picture;

use super::{DiagramArguments, DiagramKind};
use crate::outcome::{Failure, Outcome};
use crate::render::{self, DiagnosticFormat};
use crate::source::Source;
use crate::source_diagnostic::SourceDiagnostic;
use crate::workspace::{file_walk, model_file, schema_file, text_file};

impl DiagramArguments {
    /// Draws model files or a schema. Writes the diagnostics and returns `None` if they have errors.
    pub(super) fn draw_subject(
        &self,
        files: &[PathBuf],
        kind: DiagramKind,
        out: &mut dyn Write,
    ) -> Result<Option<Picture>, Failure> {
        match files {
            [file] if file_walk::is_cql(file) => {
                self.draw_schema(&text_file::read(file)?.source, kind, out)
            }
            _ => self.draw_model(files, kind, out),
        }
    }

    fn draw_model(
        &self,
        files: &[PathBuf],
        kind: DiagramKind,
        out: &mut dyn Write,
    ) -> Result<Option<Picture>, Failure> {
        let sources = model_file::read_sources(files, self.settings.stats.as_deref())?;
        let file = model_file::read(&sources, DiagnosticFormat::Text, out)?;
        let Some(file) = file else { return Ok(None) };
        let (concept, workload) = (&file.concept, &file.workload);
        let design = || {
            let mut options = self.settings.options();
            options.rules_only = self.rules_only;
            design::design(concept, workload, &options)
        };
        Ok(Some(match kind {
            DiagramKind::Entities => diagram::entities(concept, workload),
            DiagramKind::Workflow => diagram::workflow(concept, workload),
            DiagramKind::DataFlow => diagram::data_flow(concept, workload, &design()),
            DiagramKind::Chebotko => {
                diagram::chebotko(concept, workload, &design(), self.level.into())
            }
        }))
    }

    fn draw_schema(
        &self,
        source: &Source,
        kind: DiagramKind,
        out: &mut dyn Write,
    ) -> Result<Option<Picture>, Failure> {
        let refused = match kind {
            DiagramKind::Chebotko if self.used => Some(("--used", "queries")),
            DiagramKind::Chebotko => None,
            DiagramKind::Entities => Some(("--kind entities", "entities")),
            DiagramKind::Workflow => Some(("--kind workflow", "workflow")),
            DiagramKind::DataFlow => Some(("--kind data-flow", "queries or writes")),
        };
        if let Some((option, what)) = refused {
            let message = format!("{option} requires a model file (.sql); a schema has no {what}");
            return Err(Failure::Stopped(Outcome::BadInput, message));
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
