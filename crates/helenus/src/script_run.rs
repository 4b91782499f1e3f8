//! Runs the statements and commands of files in a shell, up to the first error, which keeps its
//! location in the file.

use cql::{Diagnostic, DiagnosticLevel, Span};
use shell::script::{ScriptItem, split_script};
use shell::{Shell, ShellError};

use crate::outcome::Failure;
use crate::source::Source;
use crate::source_diagnostic::SourceDiagnostic;

/// Runs files in order; returns the first error, if any.
pub(crate) fn run_files<'s>(
    shell: &mut Shell<'_>,
    sources: &'s [Source],
) -> Result<Option<SourceDiagnostic<'s>>, Failure> {
    for source in sources {
        for piece in split_script(&source.text) {
            shell.set_origin(&source.name, source.line_column(piece.start).line);
            match shell.perform(piece.text) {
                Ok(()) => {}
                Err(ShellError::Output(error)) => return Err(error.into()),
                Err(ShellError::Failed(message)) => {
                    let diagnostic = statement_diagnostic(&piece, message);
                    return Ok(Some(SourceDiagnostic { source, diagnostic }));
                }
                Err(ShellError::Refused(error)) => {
                    let diagnostic = refusal_diagnostic(&piece, *error);
                    return Ok(Some(SourceDiagnostic { source, diagnostic }));
                }
            }
            if shell.is_finished {
                return Ok(None);
            }
        }
    }
    Ok(None)
}

/// The diagnostic of a rejected statement, positioned in the file instead of the statement.
pub(crate) fn refusal_diagnostic(piece: &ScriptItem<'_>, error: engine::Error) -> Diagnostic {
    let Some(mut diagnostic) = error.diagnostic else {
        return statement_diagnostic(piece, error.message);
    };
    let start = offset(piece.start);
    let Span { start: from, end: to } = diagnostic.span;
    diagnostic.span = Span::new(from.saturating_add(start), to.saturating_add(start));
    *diagnostic
}

/// A diagnostic that covers a whole statement.
fn statement_diagnostic(piece: &ScriptItem<'_>, message: String) -> Diagnostic {
    let span = Span::new(offset(piece.start), offset(piece.start + piece.text.len()));
    Diagnostic {
        rule: "run",
        level: DiagnosticLevel::Error,
        error: None,
        message,
        span,
        help: None,
    }
}

fn offset(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}
