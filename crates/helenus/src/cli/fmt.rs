//! `helenus fmt`: the canonical format of CQL files.

use std::io::Write;
use std::path::{Path, PathBuf};

use crate::outcome::{Failure, Outcome};
use crate::render::{self, DiagnosticFormat};
use crate::source_diagnostic::SourceDiagnostic;
use crate::workspace::file_bytes;
use crate::workspace::file_walk::{self, FileSelection};
use crate::workspace::text_file::{self, TextFile};

const EXAMPLES: &str = "\
Examples:
  helenus fmt --check examples/video.cql     # report whether the file is formatted
  helenus fmt examples/video.cql             # rewrite the file
  echo 'select * from t' | helenus fmt -

Exit code: 0 success, 1 --check found unformatted files, 2 a file has syntax errors,
3 a file cannot be read or written.";

/// Format CQL files, preserving comments and cqlsh commands
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct FmtArguments {
    /// Files, or directories of .cql files; `-` formats standard input to standard output
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// List the files that are not formatted, and change nothing
    #[arg(long)]
    check: bool,
    /// Accept template placeholders: ${x}, {{x}}, $X$, %s, %d, {0}
    #[arg(long)]
    templates: bool,
}

impl FmtArguments {
    pub(crate) fn run(&self, out: &mut dyn Write) -> Result<Outcome, Failure> {
        let mut outcome = Outcome::Fine;
        for path in file_walk::list_files(&self.paths, FileSelection::Cql)? {
            let file = text_file::read(&path)?;
            let options = cql::ParseOptions { templates: self.templates };
            match cql::format_with(&file.source.text, &options) {
                Ok(formatted) => {
                    if self.emit(&path, &file, &formatted, out)? {
                        outcome = outcome.max(Outcome::Findings);
                    }
                }
                Err(errors) => {
                    let errors = SourceDiagnostic::list(&file.source, errors);
                    render::write_diagnostics(DiagnosticFormat::Text, &errors, out)?;
                    outcome = Outcome::BadInput;
                }
            }
        }
        Ok(outcome)
    }

    /// Rewrites a file, or lists it for `--check`; returns whether `--check` found it unformatted.
    fn emit(
        &self,
        path: &Path,
        file: &TextFile,
        formatted: &str,
        out: &mut dyn Write,
    ) -> Result<bool, Failure> {
        let is_changed = formatted != file.source.text;
        if self.check {
            if is_changed {
                writeln!(out, "{} is not formatted", file.source.name)?;
            }
            return Ok(is_changed);
        }
        if file_bytes::is_standard_input(path) {
            out.write_all(formatted.as_bytes())?;
        } else if is_changed {
            text_file::write(path, formatted, file.encoding)?;
        }
        Ok(false)
    }
}
