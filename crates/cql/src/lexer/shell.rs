//! The recognition of cqlsh commands.

use super::{Lexer, Token, TokenKind};

/// The words that start a cqlsh command. DESCRIBE is a statement of the server too and is not
/// listed.
const WORDS: [&str; 18] = [
    "CONSISTENCY",
    "SERIAL",
    "TRACING",
    "SOURCE",
    "PAGING",
    "EXPAND",
    "COPY",
    "LOGIN",
    "CAPTURE",
    "SHOW",
    "HELP",
    "EXIT",
    "QUIT",
    "CLEAR",
    "CLS",
    "HISTORY",
    "ELAPSED",
    "DEBUG",
];

/// The cqlsh command word of `word`, in capitals.
pub(crate) fn shell_word(word: &str) -> Option<&'static str> {
    if word == "?" {
        return Some("HELP");
    }
    WORDS.into_iter().find(|known| known.eq_ignore_ascii_case(word))
}

impl Lexer<'_> {
    /// The cqlsh command at the position, which must be the start of a statement.
    pub(super) fn shell_command(&mut self) -> Option<Token> {
        let start = self.position;
        let length = match self.byte(0) {
            b'?' => 1,
            _ => self
                .bytes
                .iter()
                .skip(start)
                .take(12)
                .take_while(|byte| byte.is_ascii_alphabetic())
                .count(),
        };
        let word = self.source.get(start..start + length)?;
        let known = shell_word(word)?;
        if matches!(self.byte(length), b'_' | b'0'..=b'9') {
            return None;
        }
        self.position += length;
        // Only COPY may continue over several lines.
        self.skip_command(known != "COPY");
        let command = self.bytes.get(start..self.position).unwrap_or_default();
        self.position = start + command.trim_ascii_end().len();
        Some(self.mark(TokenKind::Shell, start))
    }

    /// Skips to the semicolon or line end that ends the command; those inside quotes do not count.
    fn skip_command(&mut self, one_line: bool) {
        let mut quote = None;
        while let Some(&byte) = self.bytes.get(self.position) {
            match byte {
                b'\n' | b'\r' if one_line => return,
                b';' if quote.is_none() => return,
                b'-' if quote.is_none() && self.byte(1) == b'-' => return,
                b'\'' | b'"' if quote.is_none() => quote = Some(byte),
                _ if quote == Some(byte) => quote = None,
                _ => {}
            }
            self.position += 1;
        }
    }
}
