//! The one way in which anything is reported about a text.

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

/// The error codes of the native protocol that a statement's validation can end in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ErrorCode {
    /// 0x0000: the server failed where it should have refused.
    Server,
    /// 0x1400: a function failed while it ran.
    FunctionFailure,
    /// 0x1500: a replica failed to store what it was sent.
    WriteFailure,
    /// 0x2000: the text is not CQL.
    Syntax,
    /// 0x2100: not allowed to do that.
    Unauthorized,
    /// 0x2200: CQL, but not valid for this schema.
    Invalid,
    /// 0x2300: a configuration problem, mostly of schema options.
    Config,
    /// 0x2400: the keyspace or table exists.
    AlreadyExists,
}

impl ErrorCode {
    /// The number on the wire.
    pub const fn number(self) -> u16 {
        match self {
            Self::Server => 0x0000,
            Self::FunctionFailure => 0x1400,
            Self::WriteFailure => 0x1500,
            Self::Syntax => 0x2000,
            Self::Unauthorized => 0x2100,
            Self::Invalid => 0x2200,
            Self::Config => 0x2300,
            Self::AlreadyExists => 0x2400,
        }
    }
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

impl Diagnostic {
    /// A refusal by the server, with the text and code it gives.
    pub fn refusal(
        rule: &'static str,
        error: ErrorCode,
        message: impl Into<String>,
        span: Span,
    ) -> Self {
        let message = message.into();
        Self { rule, severity: Severity::Error, error: Some(error), message, span, help: None }
    }

    /// The same, with advice.
    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}
