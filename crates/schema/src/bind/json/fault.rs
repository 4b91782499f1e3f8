//! Why a text is not JSON, in the words of the server's JSON library.

use std::fmt;

/// A refusal of the reader.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The class of the exception, without its package.
    class: &'static str,
    message: String,
    place: Place,
}

/// Where the library says it happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// Limits are reported without a place.
    None,
    /// An empty text has a line only.
    FirstLine,
    /// Line and column, from 1; columns count UTF-16 units.
    At(usize, usize),
}

/// The library hides the text itself.
const SOURCE: &str =
    "[Source: REDACTED (`StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION` disabled); line: ";

impl Fault {
    /// The text breaks the syntax.
    pub(super) fn syntax(message: impl Into<String>, place: Place) -> Self {
        Self { class: "core.JsonParseException", message: message.into(), place }
    }

    /// The text ends too early.
    pub(super) fn end(message: impl Into<String>, place: Place) -> Self {
        Self { class: "core.io.JsonEOFException", message: message.into(), place }
    }

    /// The text is not an object.
    pub(super) fn mismatch(message: impl Into<String>, place: Place) -> Self {
        Self { class: "databind.exc.MismatchedInputException", message: message.into(), place }
    }

    /// An empty string where an object is wanted.
    pub(super) fn format(message: impl Into<String>, place: Place) -> Self {
        Self { class: "databind.exc.InvalidFormatException", message: message.into(), place }
    }

    /// A limit of the library.
    pub(super) fn limit(message: impl Into<String>) -> Self {
        Self {
            class: "core.exc.StreamConstraintsException",
            message: message.into(),
            place: Place::None,
        }
    }

    /// The message with its place, without the class.
    pub fn message(&self) -> String {
        match self.place {
            Place::None => self.message.clone(),
            place => format!("{}\n at {place}", self.message),
        }
    }
}

/// The exception as Java prints it.
impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "com.fasterxml.jackson.{}: {}", self.class, self.message())
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => Ok(()),
            Self::FirstLine => write!(f, "{SOURCE}1]"),
            Self::At(line, column) => write!(f, "{SOURCE}{line}, column: {column}]"),
        }
    }
}
