//! How errors of model files and their directives are made.

use cql::{Diagnostic, Severity, Span};

/// An error in a model file.
pub(crate) fn error(
    rule: &'static str,
    span: Span,
    message: impl Into<String>,
    help: impl Into<String>,
) -> Diagnostic {
    Diagnostic {
        rule,
        severity: Severity::Error,
        error: None,
        message: message.into(),
        span,
        help: Some(help.into()),
    }
}
