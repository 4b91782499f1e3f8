//! Splits a file into statements and comments without parsing them.
//!
//! Only what may hide a semicolon is recognised: quotes, comments, and the bodies of functions and
//! rules. Nothing but places is kept, so that even a large data dump is scanned quickly.

use cql::{Diagnostic, Span};

use super::mysql;
use crate::diagnostics::error;
use crate::directive::SqlDialect;

/// The number of leading words kept of a statement: so many stand before the VIEW of a dump.
const LEADING_WORDS_MAX: usize = 12;

/// A statement.
#[derive(Clone, Debug, Default)]
pub(super) struct RawStatement {
    /// From its first word to its end, without the semicolon.
    pub span: Span,
    /// Its first words.
    pub words: Vec<Span>,
    /// The comments between the statement before and this one.
    pub above: Vec<SqlComment>,
    /// The comments inside it, and behind its semicolon on the same line.
    pub within: Vec<SqlComment>,
    /// Whether it is the first one of its file.
    pub is_first: bool,
}

/// A comment.
#[derive(Clone, Copy, Debug)]
pub(super) struct SqlComment {
    /// Including its delimiters.
    pub whole: Span,
    /// Its text, without the delimiters.
    pub text: Span,
    /// Where its line begins.
    pub line: u32,
    /// Nothing stands before it on its line.
    pub own_line: bool,
}

/// The statements and comments of one or several files.
#[derive(Debug, Default)]
pub(super) struct FileScan {
    /// The statements.
    pub pieces: Vec<RawStatement>,
    /// The comments after the last statement of a file.
    pub rest: Vec<SqlComment>,
    /// The comments of files without statements.
    pub lone: Vec<SqlComment>,
    /// A `COPY ... FROM stdin`, after which rows follow: the scan stops there.
    pub data: Option<Span>,
    /// The error about an unterminated quote or comment.
    pub unclosed: Option<Diagnostic>,
}

/// Scans a file of `PostgreSQL`.
pub(super) fn scan(text: &str) -> FileScan {
    scan_files(text, &[0], SqlDialect::Postgres)
}

/// Scans several files whose texts follow one another, each from one of these offsets on.
///
/// A statement or comment ends with its file at the latest.
pub(super) fn scan_files(text: &str, starts: &[usize], dialect: SqlDialect) -> FileScan {
    let mut result = FileScan::default();
    for (position, start) in starts.iter().enumerate() {
        let end = starts.get(position + 1).copied().unwrap_or(text.len());
        let Some(text) = text.get(..end) else { continue };
        result.append(scan_file(text, *start, dialect));
    }
    result
}

/// Scans the file that begins at an offset of a text and ends with it.
fn scan_file(text: &str, start: usize, dialect: SqlDialect) -> FileScan {
    let bytes = text.as_bytes();
    let is_mysql = dialect == SqlDialect::Mysql;
    let (at, line, code, delimiter) = (start, start, start, ";");
    let mut scanner =
        Scanner { text, bytes, at, line, code, is_mysql, delimiter, ..Scanner::default() };
    if text.get(start..).is_some_and(|text| text.starts_with('\u{feff}')) {
        scanner.at += '\u{feff}'.len_utf8();
    }
    while scanner.at < scanner.bytes.len() && scanner.result.data.is_none() {
        scanner.scan_next();
    }
    scanner.end_statement();
    let mut result = scanner.result;
    match result.pieces.first_mut() {
        Some(first) => {
            first.is_first = true;
            result.rest = scanner.above;
        }
        None => result.lone = scanner.above,
    }
    result
}

impl FileScan {
    /// Adds the scan of the next file.
    fn append(&mut self, next: Self) {
        self.pieces.extend(next.pieces);
        self.rest.extend(next.rest);
        self.lone.extend(next.lone);
        self.data = self.data.or(next.data);
        self.unclosed = self.unclosed.take().or(next.unclosed);
    }

    /// The comments above the first statement of each file, and those of files without statements.
    pub(super) fn head_comments(&self) -> impl Iterator<Item = &SqlComment> {
        let first = self.pieces.iter().filter(|piece| piece.is_first);
        first.flat_map(|piece| &piece.above).chain(&self.lone)
    }

    /// All comments that are outside of statements.
    pub(super) fn outer_comments(&self) -> impl Iterator<Item = &SqlComment> {
        let above = self.pieces.iter().flat_map(|piece| &piece.above);
        above.chain(&self.rest).chain(&self.lone)
    }
}

#[derive(Default)]
struct Scanner<'a> {
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
    /// Where the last line began.
    line: usize,
    /// Where the last code ended.
    code: usize,
    /// The current statement, once its first word was seen.
    piece: Option<RawStatement>,
    /// Comments that wait for the next statement.
    above: Vec<SqlComment>,
    /// How many `BEGIN` and `CASE` of a function's body, or parentheses of a rule's, are open.
    body: usize,
    /// The lexical rules are those of `MySQL`.
    is_mysql: bool,
    /// What ends a statement.
    delimiter: &'a str,
    /// A comment that the database carries out is open.
    is_executed: bool,
    result: FileScan,
}

impl Scanner<'_> {
    fn scan_next(&mut self) {
        let rest = &self.bytes[self.at..];
        match rest {
            [b'\n', ..] => {
                self.at += 1;
                self.line = self.at;
            }
            [b' ' | b'\t' | b'\r' | 0x0b | 0x0c, ..] => self.at += 1,
            [b'-', b'-', ..] if self.is_dash_comment() => self.scan_line_comment(2),
            [b'#', ..] if self.is_mysql => self.scan_line_comment(1),
            [b'/', b'*', ..] => self.scan_block_comment(),
            [b'*', b'/', ..] if self.is_executed => self.scan_executed(2),
            _ if self.body == 0 && rest.starts_with(self.delimiter.as_bytes()) => {
                self.end_statement();
                self.at += self.delimiter.len();
                self.code = self.at;
            }
            [b'\\', ..] if self.piece.is_none() => self.at = self.end_of_line(),
            _ => self.scan_code(),
        }
    }

    /// A word, a quoted token or a sign.
    fn scan_code(&mut self) {
        let start = self.at;
        if self.piece.is_none() {
            let above = std::mem::take(&mut self.above);
            self.piece = Some(RawStatement { above, ..RawStatement::default() });
        }
        match self.bytes[start] {
            b'\'' => self.scan_quoted(b'\'', self.is_mysql || self.is_escape_string(start)),
            b'"' => self.scan_quoted(b'"', self.is_mysql),
            b'`' if self.is_mysql => self.scan_quoted(b'`', false),
            b'$' if !self.is_mysql => self.scan_dollar(),
            byte if is_word(byte) => self.scan_word(),
            byte => {
                self.at += 1;
                self.track_rule_body(byte);
            }
        }
        self.code = self.at;
        if let Some(piece) = &mut self.piece {
            let place = to_span(start, self.at);
            piece.span = if piece.span.end == 0 { place } else { piece.span.union(place) };
        }
    }

    fn scan_word(&mut self) {
        let start = self.at;
        let length = self.bytes[start..].iter().position(|byte| !is_word(*byte) && *byte != b'$');
        self.at = length.map_or(self.bytes.len(), |length| start + length);
        let word = to_span(start, self.at);
        let Some(piece) = &mut self.piece else { return };
        if piece.words.len() < LEADING_WORDS_MAX {
            piece.words.push(word);
        }
        let word = word.text(self.text);
        if self.is_mysql && piece.words.len() == 1 && is_keyword(word, "delimiter") {
            return self.set_delimiter();
        }
        // A block needs no tracking where another mark ends its statement.
        if self.delimiter != ";" {
            return;
        }
        let function = || is_create(self.text, &piece.words, &["function", "procedure"]);
        if self.body == 0 && !(is_keyword(word, "begin") && function()) {
            return;
        }
        if is_keyword(word, "begin") || is_keyword(word, "case") {
            self.body += 1;
        } else if is_keyword(word, "end") {
            self.body -= 1;
        }
    }

    /// `DELIMITER ;;`: what ends the statements from here on.
    fn set_delimiter(&mut self) {
        let end = self.end_of_line();
        let mark = self.text.get(self.at..end).unwrap_or_default().trim();
        self.delimiter = if mark.is_empty() { ";" } else { mark };
        (self.at, self.code) = (end, end);
        self.above = self.piece.take().map(|piece| piece.above).unwrap_or_default();
    }

    /// Whether two dashes begin a comment: in `MySQL` only before white space.
    fn is_dash_comment(&self) -> bool {
        let next = self.bytes.get(self.at + 2);
        !self.is_mysql || next.is_none_or(|next| next.is_ascii_whitespace() || *next == b'-')
    }

    /// The marks around a comment that the database carries out are comments, and what is between
    /// them is not.
    fn scan_executed(&mut self, length: usize) {
        let (start, end) = (self.at, self.at + length);
        self.is_executed = self.bytes[start] == b'/';
        self.at = end;
        self.add_comment(to_span(start, end), to_span(end, end));
    }

    /// The statements of a rule stand in parentheses.
    fn track_rule_body(&mut self, byte: u8) {
        let rule = |piece: &RawStatement| is_create(self.text, &piece.words, &["rule"]);
        match byte {
            b'(' if self.piece.as_ref().is_some_and(rule) => self.body += 1,
            b')' if self.body > 0 && self.piece.as_ref().is_some_and(rule) => self.body -= 1,
            _ => {}
        }
    }

    /// Whether the quote at `start` opens an `E'...'`, in which a backslash escapes.
    fn is_escape_string(&self, start: usize) -> bool {
        let before = |back: usize| start.checked_sub(back).map(|at| self.bytes[at]);
        matches!(before(1), Some(b'e' | b'E')) && !before(2).is_some_and(is_word)
    }

    fn scan_quoted(&mut self, quote: u8, escapes: bool) {
        let start = self.at;
        self.at += 1;
        while let Some(byte) = self.bytes.get(self.at) {
            self.at += match byte {
                b'\\' if escapes => 2,
                byte if *byte != quote => 1,
                _ if self.bytes.get(self.at + 1) == Some(&quote) => 2,
                _ => {
                    self.at += 1;
                    return;
                }
            };
        }
        self.report_unclosed(start, 1, "this quote is not closed", "close it");
    }

    /// `$$...$$`, `$tag$...$tag$`, or the `$` of a parameter.
    fn scan_dollar(&mut self) {
        let start = self.at;
        let tag = self.bytes[start + 1..].iter().position(|byte| !is_word(*byte));
        let Some(length) = tag.filter(|length| self.bytes[start + 1 + length] == b'$') else {
            self.at += 1;
            return;
        };
        let behind = start + length + 2;
        // A tag does not start with a digit: `$1$2` is two parameters.
        if self.bytes[start + 1].is_ascii_digit() {
            self.at += 1;
            return;
        }
        let tag = &self.text[start..behind];
        if let Some(end) = self.text[behind..].find(tag) {
            self.at = behind + end + tag.len();
        } else {
            let help = format!("close it with {tag}");
            self.report_unclosed(start, tag.len(), "this quote is not closed", &help);
        }
    }

    fn scan_line_comment(&mut self, mark: usize) {
        let start = self.at;
        self.at = self.end_of_line();
        self.add_comment(to_span(start, self.at), to_span(start + mark, self.at));
    }

    fn scan_block_comment(&mut self) {
        let (start, mut depth) = (self.at, 0_usize);
        if self.is_mysql
            && let Some(mark) = mysql::executable_mark_length(&self.bytes[start..])
        {
            return self.scan_executed(mark);
        }
        while self.at < self.bytes.len() {
            match &self.bytes[self.at..] {
                [b'/', b'*', ..] if depth == 0 || !self.is_mysql => depth += 1,
                [b'*', b'/', ..] => depth -= 1,
                _ => {
                    self.at += 1;
                    continue;
                }
            }
            self.at += 2;
            if depth == 0 {
                let comment = to_span(start, self.at);
                self.add_comment(comment, to_span(start + 2, self.at - 2));
                if let Some(newline) = comment.text(self.text).rfind('\n') {
                    self.line = start + newline + 1;
                }
                return;
            }
        }
        self.report_unclosed(start, 2, "this comment is not closed", "close it with */");
    }

    fn add_comment(&mut self, whole: Span, text: Span) {
        let line = to_span(self.line, self.line).start;
        let comment = SqlComment { whole, text, line, own_line: self.code <= self.line };
        match (&mut self.piece, self.result.pieces.last_mut()) {
            (Some(piece), _) => piece.within.push(comment),
            (None, Some(piece)) if !comment.own_line => piece.within.push(comment),
            _ => self.above.push(comment),
        }
    }

    fn end_statement(&mut self) {
        self.body = 0;
        let Some(piece) = self.piece.take() else { return };
        let copies =
            piece.words.first().is_some_and(|word| is_keyword(word.text(self.text), "copy"));
        if copies && piece.span.text(self.text).to_lowercase().contains("from stdin") {
            self.result.data = Some(piece.span);
        }
        self.result.pieces.push(piece);
    }

    /// An unterminated quote or comment extends to the end of the file, so its statement is
    /// dropped.
    fn report_unclosed(&mut self, start: usize, length: usize, message: &str, help: &str) {
        self.result.unclosed = Some(error("MF006", to_span(start, start + length), message, help));
        self.at = self.bytes.len();
        self.piece = None;
    }

    fn end_of_line(&self) -> usize {
        let newline = self.bytes[self.at..].iter().position(|byte| matches!(byte, b'\n' | b'\r'));
        newline.map_or(self.bytes.len(), |length| self.at + length)
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || !byte.is_ascii()
}

fn is_keyword(word: &str, keyword: &str) -> bool {
    word.eq_ignore_ascii_case(keyword)
}

/// Whether the statement creates (or replaces) one of these, whose body may hold semicolons.
fn is_create(text: &str, words: &[Span], kinds: &[&str]) -> bool {
    let mut words = words.iter().map(|word| word.text(text));
    words.next().is_some_and(|word| is_keyword(word, "create"))
        && words.take(3).any(|word| kinds.iter().any(|kind| is_keyword(word, kind)))
}

fn to_span(start: usize, end: usize) -> Span {
    let offset = |at| u32::try_from(at).unwrap_or(u32::MAX);
    Span::new(offset(start), offset(end))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn statements(text: &str) -> Vec<&str> {
        let found = scan(text);
        assert_eq!(found.unclosed, None);
        found.pieces.iter().map(|piece| piece.span.text(text)).collect()
    }

    fn comments<'a>(text: &'a str, comments: &[SqlComment]) -> Vec<&'a str> {
        comments.iter().map(|comment| comment.text.text(text).trim()).collect()
    }

    #[test]
    fn semicolons_hide_in_quotes_and_comments() {
        let text =
            "a ';''' \"b;\"\"\" ; $$;$$ $t$;$$;$t$ E'\\';' 'x\\'; -- ;\n c /* ; /* ; */ ; */ d$1;";
        assert_eq!(
            statements(text),
            ["a ';''' \"b;\"\"\"", "$$;$$ $t$;$$;$t$ E'\\';' 'x\\'", "c /* ; /* ; */ ; */ d$1"]
        );
        assert_eq!(statements("a $1$2; b"), ["a $1$2", "b"]);
        assert_eq!(statements(";;\n;"), [""; 0]);
        assert_eq!(statements("\u{feff}select 1"), ["select 1"]);
    }

    #[test]
    fn semicolons_hide_in_bodies() {
        let function = "CREATE FUNCTION f() RETURNS int BEGIN ATOMIC SELECT CASE WHEN a THEN 1 END; SELECT 2; END";
        let rule = "CREATE RULE r AS ON INSERT TO t DO (SELECT 1; SELECT 2)";
        let text = format!("{function}; BEGIN; {rule}; COMMIT");
        assert_eq!(statements(&text), [function, "BEGIN", rule, "COMMIT"]);
    }

    #[test]
    fn commands_of_the_shell_are_lines() {
        let text = "\\restrict a;b'c\n\\connect x\nselect 1;\n\\unrestrict x'";
        assert_eq!(statements(text), ["select 1"]);
    }

    #[test]
    fn comments_know_their_statements() {
        let text = "-- head\n\n-- above\nselect -- in\n /* own */ 1; -- behind\n-- rest";
        let found = scan(text);
        assert_eq!(comments(text, &found.pieces[0].above), ["head", "above"]);
        assert_eq!(comments(text, &found.pieces[0].within), ["in", "own", "behind"]);
        let own: Vec<_> = found.pieces[0].within.iter().map(|comment| comment.own_line).collect();
        assert_eq!(own, [false, true, false]);
        assert_eq!(comments(text, &found.rest), ["rest"]);
    }

    #[test]
    fn what_is_never_closed() {
        for (text, place) in
            [("a; 'b;", "'"), ("a; \"b", "\""), ("a; $x$b$", "$x$"), ("a; /* /* */", "/*")]
        {
            let found = scan(text);
            let error = found.unclosed.unwrap();
            assert_eq!(error.span.text(text), place);
            assert_eq!(found.pieces.len(), 1, "{text}");
        }
    }

    #[test]
    fn files_end_their_statements() {
        let texts = ["-- a\nselect 1", "-- @table t\n", "\u{feff}-- b\nselect 2; -- c"];
        let text = texts.concat();
        let starts = [0, texts[0].len(), texts[0].len() + texts[1].len()];
        let scan = scan_files(&text, &starts, SqlDialect::Postgres);
        let spans: Vec<_> = scan.pieces.iter().map(|piece| piece.span.text(&text)).collect();
        assert_eq!(spans, ["select 1", "select 2"]);
        assert!(scan.pieces.iter().all(|piece| piece.is_first));
        assert_eq!(comments(&text, &scan.lone), ["@table t"]);
        let heads: Vec<_> = scan.head_comments().copied().collect();
        assert_eq!(comments(&text, &heads), ["a", "b", "@table t"]);
        assert!(heads.iter().all(|comment| comment.own_line));
    }

    #[test]
    fn mysql_has_lexical_rules_of_its_own() {
        let text =
            "# it's\na 'x\\';' `b;``c` \"d\\\";\" --1;\n/*!40101 SET x */;\n-- y;\n/* /* */ z";
        let found = scan_files(text, &[0], SqlDialect::Mysql);
        assert_eq!(found.unclosed, None);
        let spans: Vec<_> = found.pieces.iter().map(|piece| piece.span.text(text)).collect();
        assert_eq!(spans, ["a 'x\\';' `b;``c` \"d\\\";\" --1", "SET x", "z"]);
    }

    #[test]
    fn other_marks_end_statements() {
        let text = "a;\nDELIMITER $$\n/*!50003 CREATE*/ /*!50003 TRIGGER t BEGIN b; END */$$\ndelimiter ;\nc;";
        let found = scan_files(text, &[0], SqlDialect::Mysql);
        let spans: Vec<_> = found.pieces.iter().map(|piece| piece.span.text(text)).collect();
        assert_eq!(spans, ["a", "CREATE*/ /*!50003 TRIGGER t BEGIN b; END", "c"]);
    }

    #[test]
    fn rows_are_not_looked_at() {
        let found = scan("create table t ();\nCOPY public.t (a) FROM stdin;\nit's\t1\n\\.\n");
        assert!(found.data.is_some() && found.unclosed.is_none());
    }
}
