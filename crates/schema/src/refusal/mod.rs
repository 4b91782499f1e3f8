//! Why the server refuses a statement: the reason with its facts, and the server's own text as its rendering.

use cql::{Diagnostic, ErrorCode, Severity, Span};

/// The server's refusal of a statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// Why.
    pub reason: Reason,
    /// Where.
    pub span: Span,
    /// What to write instead.
    pub help: Option<String>,
}

impl Refusal {
    /// A refusal for this reason, without advice.
    pub fn new(reason: impl Into<Reason>, span: Span) -> Self {
        Self { reason: reason.into(), span, help: None }
    }

    /// A refusal of which only the text is known.
    pub fn text(
        rule: &'static str,
        error: ErrorCode,
        message: impl Into<String>,
        span: Span,
    ) -> Self {
        Self::new(Reason::Text { rule, error, message: message.into() }, span)
    }

    /// The same, with advice.
    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// The code of the rule that it belongs to, such as `QV001`.
    pub fn rule(&self) -> &'static str {
        self.reason.rule()
    }

    /// The protocol's code for it.
    pub fn error(&self) -> ErrorCode {
        self.reason.error()
    }

    /// The server's text.
    pub fn message(&self) -> String {
        self.reason.to_string()
    }
}

impl From<Refusal> for Diagnostic {
    fn from(refusal: Refusal) -> Self {
        Self {
            rule: refusal.rule(),
            severity: Severity::Error,
            error: Some(refusal.error()),
            message: refusal.message(),
            span: refusal.span,
            help: refusal.help,
        }
    }
}

/// Why the server refuses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// Only the text is known.
    Text {
        /// The rule that it belongs to.
        rule: &'static str,
        /// The protocol's code.
        error: ErrorCode,
        /// The server's text.
        message: String,
    },
}

impl Reason {
    /// The code of the rule that it belongs to.
    pub fn rule(&self) -> &'static str {
        match self {
            Self::Text { rule, .. } => rule,
        }
    }

    /// The protocol's code for it.
    pub fn error(&self) -> ErrorCode {
        match self {
            Self::Text { error, .. } => *error,
        }
    }
}

impl std::fmt::Display for Reason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Text { message, .. } => f.write_str(message),
        }
    }
}
