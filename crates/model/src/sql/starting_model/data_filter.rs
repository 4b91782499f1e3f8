//! Removes the data from a dump while it is read: the rows of COPY, and INSERTs without a name.
//!
//! It takes the bytes of a dump piece by piece and keeps only the schema, so that its memory does not
//! depend on the size of the data. It recognises no more of SQL than what may hide a semicolon.

use crate::directive::SqlDialect;

use super::super::dialect;
use super::super::file::FILE_BYTES_MAX;

/// A longer word after a `$` is no tag of a quote.
const TAG_BYTES_MAX: usize = 64;
/// The end of the rows of a COPY.
const ROWS_END: &[u8] = b"\\.";

/// What the bytes belong to.
#[derive(Debug)]
enum LexicalState {
    /// Statements and what is between them.
    Code,
    /// A comment up to the end of the line.
    LineComment,
    /// A comment in `/* */`, with its depth.
    BlockComment(usize),
    /// A quoted text or name, with its mark; whether a backslash escapes.
    Quotation(u8, bool),
    /// The word behind a `$`, which may be a tag.
    TagStart(Vec<u8>),
    /// A text between `$tag$`.
    DollarQuotation(Vec<u8>),
    /// The rows of a COPY: the first bytes of the current line and its length.
    Rows(Vec<u8>, usize),
}

/// What was removed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RemovedData {
    /// The lines of COPY.
    pub rows: usize,
    /// The INSERT statements.
    pub inserts: usize,
}

/// A filter for the data of a dump.
#[derive(Debug)]
pub struct DataFilter {
    state: LexicalState,
    dialect: SqlDialect,
    schema: Vec<u8>,
    removed: RemovedData,
    /// Where the statement before ended.
    last_end: usize,
    /// Where the current statement begins.
    start: Option<usize>,
    /// Its first word, while that is read.
    word: Vec<u8>,
    is_word_complete: bool,
    /// The statement is data: its bytes are not kept.
    is_data: bool,
    /// The rows of a COPY follow behind the end of the line.
    awaits_rows: bool,
    /// The two bytes before.
    before: [u8; 2],
}

impl DataFilter {
    /// A filter for a dump that begins with these bytes, which show its dialect.
    pub fn new(beginning: &[u8]) -> Self {
        let dialect = dialect::detect_dialect(&String::from_utf8_lossy(beginning));
        Self {
            state: LexicalState::Code,
            dialect,
            schema: Vec::new(),
            removed: RemovedData::default(),
            last_end: 0,
            start: None,
            word: Vec::new(),
            is_word_complete: false,
            is_data: false,
            awaits_rows: false,
            before: [b'\n'; 2],
        }
    }

    fn is_mysql(&self) -> bool {
        self.dialect == SqlDialect::Mysql
    }

    /// Takes the next bytes of the dump.
    pub fn push(&mut self, bytes: &[u8]) {
        let mut at = 0;
        while let Some(byte) = bytes.get(at) {
            if let LexicalState::Rows(line, length) = &mut self.state {
                let rest = bytes.get(at..).unwrap_or_default();
                let end = rest.iter().position(|byte| *byte == b'\n');
                let part = rest.get(..end.unwrap_or(rest.len())).unwrap_or_default();
                let room = (ROWS_END.len() + 1).saturating_sub(line.len());
                line.extend(part.iter().take(room));
                *length += part.len();
                at += part.len() + usize::from(end.is_some());
                if end.is_some() {
                    self.end_row();
                }
                continue;
            }
            self.take(*byte);
            at += 1;
        }
    }

    /// Whether the schema is larger than a model can be, so that more of it need not be read.
    pub fn is_too_large(&self) -> bool {
        self.schema.len() > FILE_BYTES_MAX
    }

    /// The dump without its data.
    pub fn finish(self) -> (Vec<u8>, RemovedData) {
        (self.schema, self.removed)
    }

    /// Ends a line of the rows of a COPY.
    fn end_row(&mut self) {
        let LexicalState::Rows(line, length) = &mut self.state else { return };
        let is_end = *length <= ROWS_END.len() + 1 && line.trim_ascii_end() == ROWS_END;
        line.clear();
        *length = 0;
        if is_end {
            self.state = LexicalState::Code;
            self.before = [b'\n'; 2];
        } else {
            self.removed.rows += 1;
        }
    }

    fn take(&mut self, byte: u8) {
        let state = std::mem::replace(&mut self.state, LexicalState::Code);
        self.state = match state {
            LexicalState::Code => return self.take_code(byte),
            LexicalState::LineComment if byte == b'\n' => return self.take_code(byte),
            LexicalState::BlockComment(depth) => return self.take_comment(depth, byte),
            LexicalState::Quotation(mark, escapes) => {
                return self.take_quotation(mark, escapes, byte);
            }
            LexicalState::TagStart(tag) => return self.take_tag(tag, byte),
            LexicalState::DollarQuotation(mut tail) => {
                // The tag and the last bytes, of the same length, are stored one after the other.
                let length = tail.len() / 2;
                tail.remove(length);
                tail.push(byte);
                let is_end = byte == b'$' && tail.get(..length) == tail.get(length..);
                if is_end { LexicalState::Code } else { LexicalState::DollarQuotation(tail) }
            }
            other @ (LexicalState::LineComment | LexicalState::Rows(..)) => other,
        };
        self.keep(byte);
    }

    fn take_comment(&mut self, depth: usize, byte: u8) {
        let [_, last] = self.before;
        let depth = match (last, byte) {
            (b'*', b'/') => depth - 1,
            (b'/', b'*') if !self.is_mysql() => depth + 1,
            _ => {
                self.state = LexicalState::BlockComment(depth);
                return self.keep(byte);
            }
        };
        if depth > 0 {
            self.state = LexicalState::BlockComment(depth);
        }
        self.keep_mark(byte);
    }

    /// Two marks are the end of one quotation and the start of another, which hides semicolons alike.
    fn take_quotation(&mut self, mark: u8, escapes: bool, byte: u8) {
        let is_escaped = escapes && self.before[1] == b'\\';
        if byte != mark || is_escaped {
            self.state = LexicalState::Quotation(mark, escapes);
        }
        if is_escaped { self.keep_mark(byte) } else { self.keep(byte) }
    }

    fn take_tag(&mut self, mut tag: Vec<u8>, byte: u8) {
        let is_first = tag.len() == 1;
        if byte == b'$' {
            tag.push(byte);
            let length = tag.len();
            tag.resize(2 * length, 0);
            self.state = LexicalState::DollarQuotation(tag);
            return self.keep(byte);
        }
        let continues = is_word(byte) && !(is_first && byte.is_ascii_digit());
        if !continues || tag.len() > TAG_BYTES_MAX {
            return self.take_code(byte);
        }
        tag.push(byte);
        self.state = LexicalState::TagStart(tag);
        self.keep(byte);
    }

    fn take_code(&mut self, byte: u8) {
        let [second_last, last] = self.before;
        if self.awaits_rows && byte == b'\n' {
            self.awaits_rows = false;
            self.state = LexicalState::Rows(Vec::new(), 0);
            return self.keep(byte);
        }
        self.state = match (last, byte) {
            (b'-', b'-') => LexicalState::LineComment,
            (b'/', b'*') => LexicalState::BlockComment(1),
            (_, b'#') if self.is_mysql() => LexicalState::LineComment,
            (b'\n', b'\\') if self.start.is_none() => LexicalState::LineComment,
            (_, b'\'') => {
                let is_escape = matches!(last, b'e' | b'E') && !is_word(second_last);
                LexicalState::Quotation(byte, self.is_mysql() || is_escape)
            }
            (_, b'"') => LexicalState::Quotation(byte, self.is_mysql()),
            (_, b'`') if self.is_mysql() => LexicalState::Quotation(byte, false),
            (_, b'$') if !self.is_mysql() && !is_word(last) && last != b'$' => {
                LexicalState::TagStart(vec![b'$'])
            }
            _ => LexicalState::Code,
        };
        let is_comment =
            matches!(self.state, LexicalState::LineComment | LexicalState::BlockComment(_));
        if is_comment {
            self.forget_mark(byte);
            return self.keep_mark(byte);
        }
        self.read_word(byte);
        self.keep(byte);
        if byte == b';' && matches!(self.state, LexicalState::Code) {
            self.end_statement();
        }
    }

    /// The first sign of a comment's mark is no statement.
    fn forget_mark(&mut self, byte: u8) {
        let is_alone = self.start.is_some_and(|start| start + 1 == self.schema.len());
        if matches!(byte, b'-' | b'*') && is_alone {
            self.start = None;
            self.word.clear();
            self.is_word_complete = false;
        }
    }

    /// Reads the first word of a statement.
    fn read_word(&mut self, byte: u8) {
        if self.start.is_none() && !byte.is_ascii_whitespace() && byte != b';' {
            self.start = Some(self.schema.len());
        }
        if self.start.is_none() || self.is_word_complete {
            return;
        }
        if is_word(byte) {
            self.word.push(byte);
            return;
        }
        self.is_word_complete = !self.word.is_empty() || !matches!(byte, b'-' | b'/');
        if self.word.eq_ignore_ascii_case(b"insert") && !self.is_named() {
            self.is_data = true;
            self.schema.truncate(self.start.unwrap_or_default());
        }
    }

    /// Whether a name line may stand above the statement.
    fn is_named(&self) -> bool {
        let above = self.schema.get(self.last_end..self.start.unwrap_or_default());
        above.is_some_and(|above| above.windows(5).any(|word| word == b"name:"))
    }

    fn end_statement(&mut self) {
        if self.is_data {
            self.removed.inserts += 1;
        } else if self.word.eq_ignore_ascii_case(b"copy") {
            let start = self.start.unwrap_or_default();
            let text = self.schema.get(start..).unwrap_or_default().to_ascii_lowercase();
            let words: Vec<&[u8]> = text.split(|byte| !is_word(*byte)).collect();
            if words.windows(2).any(|pair| pair == [b"from".as_slice(), b"stdin"]) {
                self.schema.truncate(start);
                self.awaits_rows = true;
            }
        }
        self.last_end = self.schema.len();
        self.start = None;
        self.word.clear();
        (self.is_word_complete, self.is_data) = (false, false);
    }

    /// Keeps a byte, and remembers it for those behind it.
    fn keep(&mut self, byte: u8) {
        self.before = [self.before[1], byte];
        if !self.is_data {
            self.schema.push(byte);
        }
    }

    /// Keeps a byte that is the end of a mark, and so part of no other.
    fn keep_mark(&mut self, byte: u8) {
        self.keep(byte);
        self.before = [0; 2];
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || !byte.is_ascii()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The dump without its data, when it is read in pieces of some length.
    fn filter(dump: &str, length: usize) -> (String, RemovedData) {
        let mut filter = DataFilter::new(dump.as_bytes());
        dump.as_bytes().chunks(length).for_each(|piece| filter.push(piece));
        let (schema, removed) = filter.finish();
        (String::from_utf8(schema).unwrap(), removed)
    }

    #[track_caller]
    fn check(dump: &str, schema: &str, removed: [usize; 2]) {
        let [rows, inserts] = removed;
        for length in [1, 2, 3, 7, 10_000] {
            let expected = (schema.to_owned(), RemovedData { rows, inserts });
            assert_eq!(filter(dump, length), expected, "in pieces of {length}");
        }
    }

    #[test]
    fn rows_are_removed() {
        check(
            "CREATE TABLE a (b text);\n-- Data\nCOPY public.a (b) FROM stdin;\n1;'\n\\.x\n\\\\.\n\\.\nCREATE TABLE c (d int);\n",
            "CREATE TABLE a (b text);\n-- Data\n\nCREATE TABLE c (d int);\n",
            [3, 0],
        );
        check("COPY a FROM stdin;\r\n1\r\n\\.\r\nSELECT 1;", "\r\nSELECT 1;", [1, 0]);
        check("COPY a TO stdout; SELECT 1;", "COPY a TO stdout; SELECT 1;", [0, 0]);
    }

    #[test]
    fn inserts_without_a_name_are_removed() {
        check(
            "INSERT INTO a VALUES ('x;', E'\\';', $$;$$, \"a;\"); insert into a values (1);\nTABLE a;",
            " \nTABLE a;",
            [0, 2],
        );
        let named = "-- name: AddA :exec\nINSERT INTO a VALUES ($1);\n";
        check(named, named, [0, 0]);
    }

    #[test]
    fn what_hides_semicolons_is_kept() {
        for text in [
            "CREATE FUNCTION f() AS $f$ BEGIN\nINSERT INTO a VALUES (1);\nCOPY a FROM stdin;\nEND $f$;",
            "/* ; /* INSERT INTO a; */ ;\nINSERT */ SELECT 1;",
            "/*/ ;INSERT INTO a; */ SELECT 1;",
            "-- it's;\nSELECT 'it''s; insert into a;' - 1;",
            "SELECT a$b, $1; SELECT $$ $a$ ; INSERT $$;",
            "\\restrict it's\nSELECT 1;",
            "SELECT E'\\\\';",
        ] {
            check(text, text, [0, 0]);
        }
    }

    #[test]
    fn escapes_of_mysql_are_known() {
        check(
            "CREATE TABLE `a;` (b int) ENGINE=InnoDB;\nINSERT INTO `a;` VALUES ('\\';');\n# it's\n",
            "CREATE TABLE `a;` (b int) ENGINE=InnoDB;\n\n# it's\n",
            [0, 1],
        );
    }
}
