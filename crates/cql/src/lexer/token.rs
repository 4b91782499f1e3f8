//! [`Token`] and [`Comment`].

use crate::keyword::Keyword;
use crate::span::Span;

/// A token: its kind and position. The text stays in the source.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    /// The kind of token.
    pub(crate) kind: TokenKind,
    /// Its position in the source.
    pub(crate) span: Span,
}

/// The kinds of tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TokenKind {
    /// The end of the text.
    End,
    /// Bytes that start no token, or an incomplete token.
    Error,
    /// A word that is not a keyword.
    Identifier,
    Keyword(Keyword),
    /// `"name"`
    QuotedName,
    /// `""`
    EmptyQuotedName,
    /// `'text'`
    String,
    /// `$$text$$`
    DollarString,
    Integer,
    Float,
    Boolean,
    Duration,
    Uuid,
    Hex,
    /// `-NaN`
    NegativeNan,
    /// `-Infinity`
    NegativeInfinity,
    /// A template placeholder, in lenient mode only.
    Placeholder,
    /// `expr(`, a single token to the server.
    ExprOpen,
    /// A cqlsh command up to its end, without the semicolon.
    Shell,
    OpenParen,
    CloseParen,
    OpenBracket,
    CloseBracket,
    OpenBrace,
    CloseBrace,
    Comma,
    Semicolon,
    Colon,
    Dot,
    /// `..`
    Range,
    Question,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Plus,
    Minus,
    Star,
    Slash,
    Percent,
    /// `+=`
    PlusEqual,
    /// `-=`
    MinusEqual,
}

impl TokenKind {
    /// The text of a punctuation sign.
    pub(crate) const fn sign(self) -> Option<&'static str> {
        Some(match self {
            Self::OpenParen => "(",
            Self::CloseParen => ")",
            Self::OpenBracket => "[",
            Self::CloseBracket => "]",
            Self::OpenBrace => "{",
            Self::CloseBrace => "}",
            Self::Comma => ",",
            Self::Semicolon => ";",
            Self::Colon => ":",
            Self::Dot => ".",
            Self::Range => "..",
            Self::Question => "?",
            Self::Equal => "=",
            Self::NotEqual => "!=",
            Self::Less => "<",
            Self::LessEqual => "<=",
            Self::Greater => ">",
            Self::GreaterEqual => ">=",
            Self::Plus => "+",
            Self::Minus => "-",
            Self::Star => "*",
            Self::Slash => "/",
            Self::Percent => "%",
            Self::PlusEqual => "+=",
            Self::MinusEqual => "-=",
            Self::ExprOpen => "expr(",
            _ => return None,
        })
    }
}

/// A comment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Comment {
    /// The notation of the comment.
    pub kind: CommentKind,
    /// Its position, with its delimiters and without the line end.
    pub span: Span,
}

/// The notations of comments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommentKind {
    /// `-- text`
    Dash,
    /// `// text`
    Slash,
    /// `/* text */`
    Block,
}
