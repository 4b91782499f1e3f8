//! Reads models, and shows their diagnostics.

use std::io::Write;
use std::path::{Path, PathBuf};

use cql::Diagnostic;
use model::concept::Concept;
use model::sql::ModelFile;

use super::file_walk::{self, FileSelection};
use super::{stats_file, text_file};
use crate::model_sources::ModelSources;
use crate::outcome::{Failure, Outcome};
use crate::render::{self, DiagnosticFormat};

/// Reads the files of a model, and the .sql files of folders; `-` is standard input.
///
/// The model is named after the first file or folder. `stats` is the output of `helenus stats --sql`.
pub(crate) fn read_sources(
    paths: &[PathBuf],
    stats: Option<&Path>,
) -> Result<ModelSources, Failure> {
    let stem = paths.first().and_then(|path| path.file_stem());
    let name = stem.map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let mut sources = ModelSources::new(name);
    for path in file_walk::list_files(paths, FileSelection::Sql)? {
        sources.add(text_file::read(&path)?.source);
    }
    if let Some(stats) = stats {
        sources.measured = stats_file::read(stats)?;
    }
    Ok(sources)
}

/// Reads a model. Writes the diagnostics and returns `None` if it has errors; writes warnings to
/// standard error.
pub(crate) fn read(
    sources: &ModelSources,
    format: DiagnosticFormat,
    out: &mut dyn Write,
) -> Result<Option<ModelFile>, Failure> {
    match parse(sources) {
        Ok(file) => {
            let warnings = sources.locate_diagnostics(file.warnings.clone());
            if !warnings.is_empty() {
                render::write_diagnostics(DiagnosticFormat::Text, &warnings, out)?;
            }
            Ok(Some(file))
        }
        Err(errors) => {
            render::write_diagnostics(format, &sources.locate_diagnostics(errors), out)?;
            Ok(None)
        }
    }
}

/// Reads a model, or its errors.
pub(crate) fn parse(sources: &ModelSources) -> Result<ModelFile, Vec<Diagnostic>> {
    read_text(sources, &sources.name)
}

fn read_text(sources: &ModelSources, name: &str) -> Result<ModelFile, Vec<Diagnostic>> {
    model::sql::read_files(&sources.text, &sources.starts, name, &sources.measured)
}

/// Reads the entities of a model. Only errors are shown, not warnings: a check uses only the
/// volumes.
pub(super) fn read_concept(path: &Path) -> Result<Concept, Failure> {
    let sources = read_sources(&[path.to_owned()], None)?;
    let file = read_text(&sources, "model").map_err(|errors| {
        let diagnostics = sources.locate_diagnostics(errors);
        // Standard error may be closed; the message below is returned in any case.
        let _ = render::write_diagnostics(
            DiagnosticFormat::Text,
            &diagnostics,
            &mut anstream::stderr(),
        );
        Failure::Stopped(Outcome::BadInput, format!("{} is not a valid model file", path.display()))
    })?;
    Ok(file.concept)
}
