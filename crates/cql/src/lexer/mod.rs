//! The lexer: cuts a text into tokens, one statement at a time, exactly as Cassandra's lexer does.
//!
//! Cassandra's lexer commits to a token as soon as no other can match, without backtracking: `-id`
//! is a broken `-Infinity`, `12345678-` a broken uuid, `a -3` a name and a negative number. These
//! peculiarities decide what the server accepts, so they are reproduced. Tokens hold no text. cqlsh
//! commands end at a line end and are recognised here.

mod number;
mod shell;
mod string;
mod template;
mod token;

use crate::keyword::Keyword;
use crate::span::Span;

pub(crate) use shell::shell_word;
pub use template::is_template;
pub use token::{Comment, CommentKind};
pub(crate) use token::{Token, TokenKind};

/// The classes of bytes by what can start with them.
#[expect(clippy::indexing_slicing, reason = "evaluated by the compiler")]
const CLASSES: [ByteClass; 256] = {
    let mut classes = [ByteClass::Other; 256];
    let mut byte = 0;
    while byte < 256 {
        #[expect(clippy::cast_possible_truncation, reason = "the loop ends at 255")]
        let value = byte as u8;
        classes[byte] = match value {
            b' ' | b'\t' | b'\n' | b'\r' => ByteClass::Space,
            b'a'..=b'z' | b'A'..=b'Z' => ByteClass::Letter,
            b'0'..=b'9' => ByteClass::Digit,
            b'_' => ByteClass::Underscore,
            _ => ByteClass::Other,
        };
        byte += 1;
    }
    classes
};

#[derive(Clone, Copy, PartialEq, Eq)]
enum ByteClass {
    Space,
    Letter,
    Digit,
    Underscore,
    Other,
}

/// Reads tokens from a source of at most `u32::MAX` bytes.
pub(crate) struct Lexer<'s> {
    source: &'s str,
    bytes: &'s [u8],
    position: usize,
    templates: bool,
    /// The comments so far.
    pub(crate) comments: Vec<Comment>,
}

impl<'s> Lexer<'s> {
    pub(crate) fn new(source: &'s str, templates: bool) -> Self {
        // A byte order mark is not part of the text.
        let position = if source.starts_with('\u{feff}') { 3 } else { 0 };
        Self { source, bytes: source.as_bytes(), position, templates, comments: Vec::new() }
    }

    /// Appends the tokens up to and including the next semicolon or the end. At the start of a
    /// statement (`starting`) cqlsh commands are recognised.
    pub(crate) fn fill(&mut self, tokens: &mut Vec<Token>, starting: bool) {
        self.skip_blanks();
        if starting && let Some(token) = self.shell_command() {
            tokens.push(token);
            self.skip_blanks();
            let ended = self.byte(0) == b';' && self.position < self.bytes.len();
            let end = if ended { self.token() } else { self.mark(TokenKind::End, self.position) };
            tokens.push(end);
            return;
        }
        loop {
            self.skip_blanks();
            let token = self.token();
            tokens.push(token);
            if matches!(token.kind, TokenKind::Semicolon | TokenKind::End) {
                return;
            }
        }
    }

    /// Whether the whole text has been read.
    pub(crate) fn is_at_end(&mut self) -> bool {
        self.skip_blanks();
        self.position >= self.bytes.len()
    }

    /// The byte `ahead` of the position; 0 after the end.
    #[inline]
    fn byte(&self, ahead: usize) -> u8 {
        self.bytes.get(self.position + ahead).copied().unwrap_or(0)
    }

    #[inline]
    #[expect(clippy::indexing_slicing, reason = "there is a class for each byte")]
    fn class_at(&self, position: usize) -> ByteClass {
        self.bytes.get(position).map_or(ByteClass::Other, |&byte| CLASSES[usize::from(byte)])
    }

    /// A token that ends at the position.
    #[inline]
    fn mark(&self, kind: TokenKind, start: usize) -> Token {
        Token { kind, span: span(start, self.position) }
    }

    fn skip_blanks(&mut self) {
        loop {
            while self.class_at(self.position) == ByteClass::Space {
                self.position += 1;
            }
            match (self.byte(0), self.byte(1)) {
                (b'-', b'-') => self.take_line_comment(CommentKind::Dash),
                (b'/', b'/') => self.take_line_comment(CommentKind::Slash),
                (b'/', b'*') => {
                    if !self.take_block_comment() {
                        return;
                    }
                }
                _ => return,
            }
        }
    }

    /// Skips to the end of the line. A comment on the last line needs no line end here, although
    /// the server requires one: cqlsh removes comments before it sends a statement.
    fn take_line_comment(&mut self, kind: CommentKind) {
        let start = self.position;
        while self.bytes.get(self.position).is_some_and(|byte| !matches!(byte, b'\n' | b'\r')) {
            self.position += 1;
        }
        self.comments.push(Comment { kind, span: span(start, self.position) });
    }

    /// Skips a block comment; `false` if it is never closed, which makes it a broken token.
    fn take_block_comment(&mut self) -> bool {
        let rest = self.bytes.get(self.position + 2..).unwrap_or_default();
        let Some(length) = find(rest, *b"*/") else { return false };
        let start = self.position;
        self.position += length + 4;
        self.comments.push(Comment { kind: CommentKind::Block, span: span(start, self.position) });
        true
    }

    fn token(&mut self) -> Token {
        let start = self.position;
        if self.position >= self.bytes.len() {
            return self.mark(TokenKind::End, start);
        }
        if self.templates
            && let Some(token) = self.placeholder()
        {
            return token;
        }
        match self.class_at(start) {
            ByteClass::Letter => self.word(),
            ByteClass::Digit => self.number(),
            _ => self.symbol(),
        }
    }

    fn word(&mut self) -> Token {
        let start = self.position;
        while matches!(
            self.class_at(self.position),
            ByteClass::Letter | ByteClass::Digit | ByteClass::Underscore
        ) {
            self.position += 1;
        }
        let word = &self.source[start..self.position];
        if let Some(token) = self.special_word(start, word) {
            return token;
        }
        match Keyword::find(word) {
            Some(keyword) => self.mark(TokenKind::Keyword(keyword), start),
            None => self.mark(TokenKind::Identifier, start),
        }
    }

    /// Words that are other tokens: `true`, `P1D`, the first part of a uuid, `expr(`.
    fn special_word(&mut self, start: usize, word: &str) -> Option<Token> {
        match word.as_bytes() {
            b"expr" if self.byte(0) == b'(' => {
                self.position += 1;
                Some(self.mark(TokenKind::ExprOpen, start))
            }
            [b't' | b'T', ..] if word.eq_ignore_ascii_case("true") => {
                Some(self.mark(TokenKind::Boolean, start))
            }
            [b'f' | b'F', ..] if word.eq_ignore_ascii_case("false") => {
                Some(self.mark(TokenKind::Boolean, start))
            }
            [b'P', digit, ..] if digit.is_ascii_digit() || *digit == b'T' => {
                self.iso_duration(start)
            }
            word if word.len() == 8
                && self.byte(0) == b'-'
                && word.iter().all(u8::is_ascii_hexdigit) =>
            {
                self.position = start;
                Some(self.uuid())
            }
            _ => None,
        }
    }

    fn symbol(&mut self) -> Token {
        let start = self.position;
        let (kind, length) = match (self.byte(0), self.byte(1)) {
            (b'(', _) => (TokenKind::OpenParen, 1),
            (b')', _) => (TokenKind::CloseParen, 1),
            (b'[', _) => (TokenKind::OpenBracket, 1),
            (b']', _) => (TokenKind::CloseBracket, 1),
            (b'{', _) => (TokenKind::OpenBrace, 1),
            (b'}', _) => (TokenKind::CloseBrace, 1),
            (b',', _) => (TokenKind::Comma, 1),
            (b';', _) => (TokenKind::Semicolon, 1),
            (b':', _) => (TokenKind::Colon, 1),
            (b'?', _) => (TokenKind::Question, 1),
            (b'.', b'.') => (TokenKind::Range, 2),
            (b'.', _) => (TokenKind::Dot, 1),
            (b'=', _) => (TokenKind::Equal, 1),
            (b'!', b'=') => (TokenKind::NotEqual, 2),
            (b'<', b'=') => (TokenKind::LessEqual, 2),
            (b'<', _) => (TokenKind::Less, 1),
            (b'>', b'=') => (TokenKind::GreaterEqual, 2),
            (b'>', _) => (TokenKind::Greater, 1),
            (b'+', b'=') => (TokenKind::PlusEqual, 2),
            (b'+', _) => (TokenKind::Plus, 1),
            (b'*', _) => (TokenKind::Star, 1),
            (b'%', _) => (TokenKind::Percent, 1),
            (b'-', _) => return self.minus(),
            (b'/', b'*') => {
                self.position = self.bytes.len();
                return self.mark(TokenKind::Error, start);
            }
            (b'/', _) => (TokenKind::Slash, 1),
            (b'\'', _) => return self.string(),
            (b'"', _) => return self.quoted_name(),
            (b'$', b'$') => return self.dollar_string(),
            _ => (TokenKind::Error, self.source[start..].chars().next().map_or(1, char::len_utf8)),
        };
        self.position += length;
        self.mark(kind, start)
    }
}

/// The number of tokens of a text, by which the memory of its syntax tree can be estimated. Nothing
/// is stored for them.
pub fn count_tokens(source: &str) -> usize {
    let mut lexer = Lexer::new(source, false);
    let mut count = 0;
    while !lexer.is_at_end() {
        let _ = lexer.token();
        lexer.comments.clear();
        count += 1;
    }
    count
}

/// A span of positions that are known to fit.
#[expect(
    clippy::cast_possible_truncation,
    reason = "sources above 4 GiB are refused before they are lexed"
)]
#[inline]
fn span(start: usize, end: usize) -> Span {
    Span::new(start as u32, end as u32)
}

/// The position of the first occurrence of two bytes.
fn find(haystack: &[u8], needle: [u8; 2]) -> Option<usize> {
    haystack.windows(2).position(|pair| pair == needle)
}
