//! Splits a text into statements and commands, by cqlsh's rules.

use super::command_names::{COMMANDS, COPY};

/// A statement or a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScriptItem<'a> {
    /// Its text, without the terminator.
    pub text: &'a str,
    /// Its offset in the text.
    pub start: usize,
    /// Whether it is terminated.
    pub is_complete: bool,
}

/// The command that an item is, by its name; `None` for a statement.
pub fn find_command(text: &str) -> Option<&'static str> {
    let word = text.split(|it: char| it.is_whitespace() || it == ';').next().unwrap_or_default();
    COMMANDS.into_iter().find(|command| command.eq_ignore_ascii_case(word))
}

/// Iterates over the statements and commands of a text.
pub fn split_script(text: &str) -> impl Iterator<Item = ScriptItem<'_>> {
    // Skip a byte order mark.
    let at = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    let mut splitter = ScriptSplitter { text, at };
    std::iter::from_fn(move || splitter.next_item())
}

struct ScriptSplitter<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> ScriptSplitter<'a> {
    fn next_item(&mut self) -> Option<ScriptItem<'a>> {
        self.skip_blanks();
        let start = self.at;
        let first = self.current_word();
        if self.at >= self.text.len() {
            return None;
        }
        let is_line = is_line_command(first);
        let is_complete = if is_line {
            self.skip_line_command();
            true
        } else {
            self.skip_statement(first.eq_ignore_ascii_case("BEGIN"))
        };
        let text = self.text.get(start..self.at).unwrap_or_default().trim_end();
        if self.byte() == Some(b';') {
            self.at += 1;
        }
        Some(ScriptItem { text, start, is_complete })
    }

    fn byte(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn rest(&self) -> &'a [u8] {
        self.text.as_bytes().get(self.at..).unwrap_or_default()
    }

    /// Skips blanks, comments and empty statements.
    fn skip_blanks(&mut self) {
        while let Some(byte) = self.byte() {
            if byte.is_ascii_whitespace() || byte == b';' {
                self.at += 1;
            } else if !self.skip_comment() {
                return;
            }
        }
    }

    /// Skips a comment; returns whether there was one.
    fn skip_comment(&mut self) -> bool {
        let rest = self.rest();
        let length = if rest.starts_with(b"--") || rest.starts_with(b"//") {
            rest.iter().position(|byte| *byte == b'\n').map_or(rest.len(), |end| end + 1)
        } else if rest.starts_with(b"/*") {
            find_mark(rest, b"*/", 2).map_or(rest.len(), |end| end + 2)
        } else {
            return false;
        };
        self.at += length;
        true
    }

    /// The word at the current position, which may be empty.
    fn current_word(&self) -> &'a str {
        let rest = self.rest();
        let is_word = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'_';
        let length =
            if rest.first() == Some(&b'?') { 1 } else { rest.iter().take_while(is_word).count() };
        self.text.get(self.at..self.at + length).unwrap_or_default()
    }

    /// Moves to the newline, or the semicolon outside quotes, that ends a command.
    fn skip_line_command(&mut self) {
        let mut quote = None;
        while let Some(byte) = self.byte() {
            match byte {
                b'\n' => return,
                b';' if quote.is_none() => return,
                b'\'' | b'"' if quote.is_none() => quote = Some(byte),
                _ if quote == Some(byte) => quote = None,
                _ => {}
            }
            self.at += 1;
        }
    }

    /// Moves to the semicolon that ends a statement; returns whether there is one. A batch ends
    /// after APPLY BATCH, not at the semicolons in it.
    fn skip_statement(&mut self, is_batch: bool) -> bool {
        let mut last_words = ["", ""];
        while let Some(byte) = self.byte() {
            match byte {
                b';' if !is_batch || last_words[0].eq_ignore_ascii_case("APPLY") => return true,
                b'\'' | b'"' => self.skip_quoted(&[byte]),
                b'$' if self.rest().starts_with(b"$$") => self.skip_quoted(b"$$"),
                _ if self.skip_comment() => {}
                _ => {
                    let word = self.current_word();
                    if word.is_empty() {
                        self.at += 1;
                    } else {
                        last_words = [last_words[1], word];
                        self.at += word.len();
                    }
                }
            }
        }
        false
    }

    fn skip_quoted(&mut self, quote: &[u8]) {
        let rest = self.rest();
        self.at += find_mark(rest, quote, quote.len()).map_or(rest.len(), |end| end + quote.len());
    }
}

/// The position of a mark in bytes, at or after `from`.
fn find_mark(bytes: &[u8], mark: &[u8], from: usize) -> Option<usize> {
    let windows = bytes.get(from..)?.windows(mark.len());
    windows.into_iter().position(|window| window == mark).map(|at| at + from)
}

/// Whether a word starts a command that ends at the end of the line.
fn is_line_command(word: &str) -> bool {
    let mut commands = COMMANDS.iter().filter(|command| **command != COPY);
    commands.any(|command| command.eq_ignore_ascii_case(word))
        || ["DESCRIBE", "DESC"].iter().any(|command| command.eq_ignore_ascii_case(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Vec<&str> {
        split_script(text).map(|piece| piece.text).collect()
    }

    #[test]
    fn statements_end_with_semicolons_and_commands_with_lines() {
        assert_eq!(texts("SELECT 1;\n -- no; \nSELECT ';' ; ;"), ["SELECT 1", "SELECT ';'"]);
        assert_eq!(texts("CONSISTENCY ONE\nSELECT\n2;"), ["CONSISTENCY ONE", "SELECT\n2"]);
        assert_eq!(texts("? ; desc tables"), ["?", "desc tables"]);
        let batch = "BEGIN BATCH INSERT x; UPDATE y; APPLY BATCH; SELECT 1;";
        assert_eq!(texts(batch), ["BEGIN BATCH INSERT x; UPDATE y; APPLY BATCH", "SELECT 1"]);
        let body = "CREATE FUNCTION f AS $$ return 1; $$; /* ; */ x";
        assert_eq!(texts(body), ["CREATE FUNCTION f AS $$ return 1; $$", "x"]);
        assert_eq!(texts("copy t to\n'a;b' ;"), ["copy t to\n'a;b'"]);
    }

    #[test]
    fn unterminated_statements_are_incomplete() {
        let complete = |text| split_script(text).map(|piece| piece.is_complete).collect::<Vec<_>>();
        assert_eq!(complete("SELECT 1"), [false]);
        assert_eq!(complete("SELECT 'x;"), [false]);
        assert_eq!(complete("BEGIN BATCH INSERT x;"), [false]);
        assert_eq!(complete("EXIT"), [true]);
        assert_eq!(complete(" -- only a comment"), [false; 0]);
        assert_eq!(complete("/* open"), [false; 0]);
        assert_eq!(texts("\u{feff}SELECT é;"), ["SELECT é"]);
        assert_eq!(split_script("\n x;").map(|piece| piece.start).collect::<Vec<_>>(), [2]);
    }
}
