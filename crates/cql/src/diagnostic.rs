//! [`Diagnostic`]: what is reported about a text, by the parser, the binder and the rules.

use crate::protocol::ErrorCode;
use crate::span::Span;

/// Whether a diagnostic is an error. The linter grades its findings in more steps
/// (`check::Severity`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum DiagnosticLevel {
    /// Accepted, but likely to cause problems.
    Warning,
    /// Refused by the server, or not readable.
    Error,
}

/// A message about a position in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The code of the rule, such as `QV001`; `SY001` for plain syntax errors.
    pub rule: &'static str,
    /// Error or warning.
    pub level: DiagnosticLevel,
    /// The server's error code, if the server refuses the text.
    pub error: Option<ErrorCode>,
    /// One sentence: the server's own text if it has one.
    pub message: String,
    /// The position in the text.
    pub span: Span,
    /// What to write instead.
    pub help: Option<String>,
}
