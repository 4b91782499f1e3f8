//! The one way in which anything is reported about a text.

use crate::protocol::ErrorCode;
use crate::span::Span;

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Worth knowing.
    Info,
    /// Accepted by the server, and still likely to hurt.
    Warning,
    /// The server refuses it.
    Error,
}

/// Something said about a place in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The code of the rule that speaks, such as `QV001`; `SY001` for plain syntax errors.
    pub rule: &'static str,
    /// How bad it is.
    pub severity: Severity,
    /// The server's error code, where the server refuses.
    pub error: Option<ErrorCode>,
    /// One sentence: the server's own text where the server has one.
    pub message: String,
    /// Where.
    pub span: Span,
    /// What to write instead.
    pub help: Option<String>,
}
