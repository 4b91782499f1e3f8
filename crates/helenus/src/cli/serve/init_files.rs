//! `--init`: files of statements that run before the first connection.

use std::io;
use std::path::{Path, PathBuf};

use anstream::AutoStream;
use engine::Database;
use shell::{Screen, Shell};

use crate::outcome::Failure;
use crate::render::{self, DiagnosticFormat};
use crate::script_run::run_files;
use crate::source::Source;
use crate::workspace::file_walk::{self, FileSelection};
use crate::workspace::text_file;

/// Reads the files, those of folders in the order of their names.
pub(super) fn read(paths: &[PathBuf]) -> Result<Vec<Source>, Failure> {
    if paths.is_empty() {
        return Ok(Vec::new());
    }
    let files = file_walk::list_files(paths, FileSelection::Cql)?;
    files.iter().map(|path| Ok(text_file::read(path)?.source)).collect()
}

/// Runs the files as a superuser, without a login; prints the first error, and returns whether there
/// was none. Results are discarded.
pub(super) fn run(
    database: &Database,
    data: Option<&Path>,
    sources: &[Source],
) -> Result<bool, Failure> {
    let mut discarded = io::sink();
    let screen =
        Screen::new(&mut discarded, Box::new(AutoStream::auto(io::stderr())), false, false);
    let session = database.superuser_session().map_err(Failure::database)?;
    let mut shell = Shell::with_session(session, data, screen);
    let Some(finding) = run_files(&mut shell, sources)? else { return Ok(true) };
    let mut errors = AutoStream::auto(io::stderr());
    render::write_diagnostics(DiagnosticFormat::Text, &[finding], &mut errors)?;
    Ok(false)
}
