//! Strings and quoted names.

use super::{Lexer, Token, TokenKind, find};

impl Lexer<'_> {
    /// `'text'`, where `''` is a quote.
    pub(super) fn string(&mut self) -> Token {
        let start = self.position;
        let kind = if self.skip_quoted(b'\'') { TokenKind::String } else { TokenKind::Error };
        self.mark(kind, start)
    }

    /// `"name"`, where `""` is a quote.
    pub(super) fn quoted_name(&mut self) -> Token {
        let start = self.position;
        let kind = match self.skip_quoted(b'"') {
            true if self.position - start == 2 => TokenKind::EmptyQuotedName,
            true => TokenKind::QuotedName,
            false => TokenKind::Error,
        };
        self.mark(kind, start)
    }

    /// `$$text$$`
    pub(super) fn dollar_string(&mut self) -> Token {
        let start = self.position;
        let rest = self.bytes.get(start + 2..).unwrap_or_default();
        let length = find(rest, *b"$$");
        self.position = length.map_or(self.bytes.len(), |length| start + length + 4);
        self.mark(if length.is_some() { TokenKind::DollarString } else { TokenKind::Error }, start)
    }

    /// Skips past the closing quote; `false`, at the end of the text, if there is none.
    fn skip_quoted(&mut self, quote: u8) -> bool {
        self.position += 1;
        while let Some(&byte) = self.bytes.get(self.position) {
            self.position += 1;
            if byte == quote {
                if self.byte(0) != quote || self.position >= self.bytes.len() {
                    return true;
                }
                self.position += 1;
            }
        }
        false
    }
}
