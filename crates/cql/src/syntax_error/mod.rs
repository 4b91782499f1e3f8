//! [`SyntaxError`]: why a text cannot be parsed, as a reason with its facts and advice; the
//! sentences are rendered from them.

mod advice;
mod expectation;
mod java_exception;
mod offending_token;
mod reason;

pub use advice::SyntaxAdvice;
pub use expectation::Expectation;
pub use java_exception::JavaException;
pub use offending_token::OffendingToken;
pub use reason::{NewerSyntax, SyntaxReason};

use crate::diagnostic::{Diagnostic, DiagnosticLevel};
use crate::protocol::ErrorCode;
use crate::span::Span;

/// An error of the server's parser at a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    /// The reason with its facts.
    pub reason: SyntaxReason,
    /// The position in the source.
    pub span: Span,
    /// What to write instead.
    pub advice: Option<SyntaxAdvice>,
}

impl SyntaxError {
    /// An error for this reason, without advice.
    pub(crate) fn new(reason: SyntaxReason, span: Span) -> Self {
        Self { reason, span, advice: None }
    }

    /// The same error with advice.
    #[must_use]
    pub(crate) fn with_advice(mut self, advice: SyntaxAdvice) -> Self {
        self.advice = Some(advice);
        self
    }

    /// The code of its rule, such as `SY001`.
    pub fn rule(&self) -> &'static str {
        self.reason.rule()
    }

    /// One sentence: the server's own text if it has one.
    pub fn message(&self) -> String {
        self.reason.to_string()
    }
}

impl From<SyntaxError> for Diagnostic {
    fn from(error: SyntaxError) -> Self {
        Self {
            rule: error.rule(),
            level: DiagnosticLevel::Error,
            error: Some(ErrorCode::Syntax),
            message: error.message(),
            span: error.span,
            help: error.advice.map(|advice| advice.to_string()),
        }
    }
}

/// Defines an enum and its rendering from a table: on each line the variant with its facts, and the
/// text that contains them.
#[macro_export]
macro_rules! sentences {
    (
        $(#[$meta:meta])*
        $name:ident {
            $($variant:ident $({ $($field:ident: $ty:ty),+ $(,)? })? = $text:literal $(, $argument:expr)*;)+
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub enum $name {
            $(
                #[doc = concat!("```text\n", $text, "\n```")]
                $variant $({ $(
                    #[doc = concat!("`", stringify!($field), "` of the text.")]
                    $field: $ty,
                )+ })?,
            )+
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                match self {
                    $(Self::$variant $({ $($field),+ })? => write!(f, $text $(, $argument)*),)+
                }
            }
        }
    };
}
