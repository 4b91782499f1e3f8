//! `helenus fmt`: the canonical format, comments kept.

use std::io::Write;
use std::path::{Path, PathBuf};

use cql::SyntaxError;

use crate::atomic_file;
use crate::outcome::{Failure, Outcome};
use crate::render::{self, DiagnosticFormat};
use crate::source::{self, Source};
use crate::source_diagnostic::SourceDiagnostic;

const EXAMPLES: &str = "\
Examples:
  helenus fmt --check examples/      names the files that are not formatted; exit 1 if any
  helenus fmt examples/video.cql     rewrites the file
  echo 'select * from t' | helenus fmt -";

/// Format CQL files; comments and cqlsh commands are kept
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct FmtArguments {
    /// Files, or folders of .cql files; `-` formats standard input to standard output
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// Change nothing: name the files that are not formatted
    #[arg(long)]
    check: bool,
    /// Accept template placeholders: ${x}, {{x}}, $X$, %s, %d, {0}
    #[arg(long)]
    templates: bool,
}

impl FmtArguments {
    pub(crate) fn run(&self, out: &mut dyn Write) -> Result<Outcome, Failure> {
        let mut outcome = Outcome::Fine;
        for path in source::expand_paths(&self.paths)? {
            let source = Source::read(&path)?;
            let options = cql::ParseOptions { templates: self.templates };
            match cql::format_with(&source.text, &options) {
                Ok(formatted) => {
                    if self.emit(&path, &source, &formatted, out)? {
                        outcome = outcome.max(Outcome::Findings);
                    }
                }
                Err(errors) => {
                    let finding = |error: SyntaxError| SourceDiagnostic {
                        source: &source,
                        diagnostic: error.into(),
                    };
                    let findings: Vec<_> = errors.into_iter().map(finding).collect();
                    render::write_diagnostics(DiagnosticFormat::Text, &findings, out)?;
                    outcome = Outcome::BadInput;
                }
            }
        }
        Ok(outcome)
    }

    /// Writes or names one file; whether `--check` found it wanting.
    fn emit(
        &self,
        path: &Path,
        source: &Source,
        formatted: &str,
        out: &mut dyn Write,
    ) -> Result<bool, Failure> {
        let changed = formatted != source.text;
        if self.check {
            if changed {
                writeln!(out, "{} is not formatted", source.name)?;
            }
            return Ok(changed);
        }
        if path.as_os_str() == "-" {
            out.write_all(formatted.as_bytes())?;
        } else if changed {
            atomic_file::replace(path, formatted.as_bytes())?;
        }
        Ok(false)
    }
}
