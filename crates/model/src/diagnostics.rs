//! The constructor of errors in model files and directives.

use cql::{Diagnostic, DiagnosticLevel, Span};

/// An error in a model file.
pub(crate) fn error(
    rule: &'static str,
    span: Span,
    message: impl Into<String>,
    help: impl Into<String>,
) -> Diagnostic {
    Diagnostic {
        rule,
        level: DiagnosticLevel::Error,
        error: None,
        message: message.into(),
        span,
        help: Some(help.into()),
    }
}
