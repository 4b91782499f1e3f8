//! [`OffendingToken`]: the token at which parsing stops.

use std::fmt;

use crate::keyword::Keyword;

/// The maximum length of a token in messages.
const SHOWN_MAX: usize = 40;

/// An unexpected token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OffendingToken {
    /// The end of the text.
    EndOfText,
    /// A semicolon.
    EndOfStatement,
    /// A reserved word.
    Keyword(Keyword),
    /// A number.
    Number(Box<str>),
    /// A string, with its quotes.
    String(Box<str>),
    /// A name in double quotes.
    QuotedName(Box<str>),
    /// Any other token.
    Other(Box<str>),
}

impl fmt::Display for OffendingToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::EndOfText => f.write_str("the end of the text"),
            Self::EndOfStatement => f.write_str("the end of the statement"),
            Self::Keyword(keyword) => write!(f, "the keyword {}", keyword.text()),
            Self::Number(text) => write!(f, "the number {}", shorten(text)),
            Self::String(text) => write!(f, "the string {}", shorten(text)),
            Self::QuotedName(text) => write!(f, "the name {}", shorten(text)),
            Self::Other(text) => write!(f, "`{}`", shorten(text)),
        }
    }
}

/// A text, shortened for a message.
pub(super) fn shorten(text: &str) -> String {
    let mut characters = text.chars();
    let start: String = characters.by_ref().take(SHOWN_MAX).collect();
    if characters.next().is_some() { format!("{start}...") } else { start }
}
