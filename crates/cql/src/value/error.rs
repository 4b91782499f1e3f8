//! What can be wrong with a value, in the server's words.

use std::fmt;

use crate::protocol::ErrorCode;

/// What a text should have been.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextForm {
    /// A date.
    Date,
    /// A time of the day.
    Time,
    /// A number, or another single word.
    Number,
}

/// A part of a value that its bytes do not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TruncatedPart {
    /// Its name: `0th component`, `1th field a`.
    pub name: String,
    /// Whether already its length is missing.
    pub in_length: bool,
}

/// Why bytes or a text are no value of a type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ValueError {
    /// The server refuses the value.
    Marshal(String),
    /// The bytes end within a part of the value.
    Truncated(TruncatedPart),
    /// The server refuses a text that has another form.
    Unformatted(TextForm, String),
    /// The server reads past the end. A collection around the value turns this into a refusal of its own.
    OutOfBounds(String),
    /// The server fails where it should have refused; the exception's class and text.
    Failure(String),
}

impl ValueError {
    /// The protocol's code.
    pub fn code(&self) -> ErrorCode {
        match self {
            Self::Marshal(_) | Self::Truncated(_) | Self::Unformatted(..) => ErrorCode::Invalid,
            Self::OutOfBounds(_) | Self::Failure(_) => ErrorCode::Server,
        }
    }

    /// What the text should have been, where that is what is wrong.
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

/// A refusal with that text.
pub(super) fn refuse<T>(text: impl Into<String>) -> Result<T, ValueError> {
    Err(ValueError::Marshal(text.into()))
}

/// A refusal of a text that has another form.
pub(super) fn refuse_form<T>(form: TextForm, text: impl Into<String>) -> Result<T, ValueError> {
    Err(ValueError::Unformatted(form, text.into()))
}
