//! [`ValueError`]: invalid values, with the server's texts.

use std::fmt;

use crate::protocol::ErrorCode;

/// The expected form of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextForm {
    /// A date.
    Date,
    /// A time of day.
    Time,
    /// A number, or another single word.
    Number,
}

/// A part of a value that is missing in its bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TruncatedPart {
    /// The name of the part: `0th component`, `1th field a`.
    pub name: String,
    /// Whether even its length is missing.
    pub in_length: bool,
}

/// Why bytes or a text are not a value of a type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ValueError {
    /// The server refuses the value.
    Marshal(String),
    /// The bytes end within a part of the value.
    Truncated(TruncatedPart),
    /// The server refuses a text of a different form.
    Unformatted(TextForm, String),
    /// The server reads past the end. A collection around the value turns this into its own error.
    OutOfBounds(String),
    /// The server fails in place of a proper error; the class and text of the exception.
    Failure(String),
}

impl ValueError {
    /// The error code of the protocol.
    pub fn code(&self) -> ErrorCode {
        match self {
            Self::Marshal(_) | Self::Truncated(_) | Self::Unformatted(..) => ErrorCode::Invalid,
            Self::OutOfBounds(_) | Self::Failure(_) => ErrorCode::Server,
        }
    }

    /// The expected form of the text, if that is the error.
    pub fn form(&self) -> Option<TextForm> {
        match self {
            Self::Unformatted(form, _) => Some(*form),
            _ => None,
        }
    }
}

impl fmt::Display for ValueError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Marshal(text) | Self::Unformatted(_, text) | Self::Failure(text) => {
                f.write_str(text)
            }
            Self::Truncated(part) if part.in_length => {
                write!(f, "Not enough bytes to read size of {}", part.name)
            }
            Self::Truncated(part) => write!(f, "Not enough bytes to read {}", part.name),
            Self::OutOfBounds(text) => write!(f, "java.lang.IndexOutOfBoundsException: {text}"),
        }
    }
}

impl std::error::Error for ValueError {}

/// An error with that text.
pub(super) fn refuse<T>(text: impl Into<String>) -> Result<T, ValueError> {
    Err(ValueError::Marshal(text.into()))
}

/// An error for a text of a different form.
pub(super) fn refuse_form<T>(form: TextForm, text: impl Into<String>) -> Result<T, ValueError> {
    Err(ValueError::Unformatted(form, text.into()))
}
