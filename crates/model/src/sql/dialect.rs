//! The dialect that a model is written in, from signs in its text.

use crate::directive::{DirectiveKind, SqlDialect, parse_prose};

/// Signs are searched in so many bytes: the rest of a long text is data.
const SEARCHED_MAX: usize = 256 * 1024;

/// Types that only `MySQL` has.
const MYSQL_TYPES: &[&str] =
    &["longblob", "longtext", "mediumblob", "mediumint", "mediumtext", "tinyblob", "tinytext"];

/// Types that may be followed by `UNSIGNED`.
const NUMBER_TYPES: &[&str] = &[
    "bigint",
    "decimal",
    "double",
    "float",
    "int",
    "integer",
    "mediumint",
    "numeric",
    "real",
    "smallint",
    "tinyint",
];

/// The dialect of a model: what `@dialect` states, else `MySQL`'s where a sign of it stands outside of
/// quotes and comments.
///
/// The files of a model have one dialect: queries alone often show none.
pub(super) fn detect_dialect(text: &str) -> SqlDialect {
    let detected = || {
        if SignReader::new(text).has_mysql_sign() {
            SqlDialect::Mysql
        } else {
            SqlDialect::Postgres
        }
    };
    find_stated_dialect(text).unwrap_or_else(detected)
}

/// The dialect of the first `-- @dialect`.
fn find_stated_dialect(text: &str) -> Option<SqlDialect> {
    let comments = text.lines().filter_map(|line| line.trim_start().strip_prefix("--"));
    let mut directives = comments.flat_map(|comment| parse_prose(comment, 0).0);
    directives.find_map(|directive| match directive.kind {
        DirectiveKind::Dialect(dialect) => Some(dialect),
        _ => None,
    })
}

/// What stands before a word.
#[derive(Clone, Copy)]
enum Before<'a> {
    Word(&'a str),
    Parenthesis,
    Other,
}

/// A reader of the words of a text outside of quotes and comments, by the lexical rules that both
/// dialects share.
struct SignReader<'a> {
    text: &'a str,
    at: usize,
    before: Before<'a>,
    /// Nothing but white space was read of the line so far.
    is_line_blank: bool,
    /// A `$tag$` was read that has no end.
    has_open_quotation: bool,
}

impl<'a> SignReader<'a> {
    fn new(text: &'a str) -> Self {
        Self { text, at: 0, before: Before::Other, is_line_blank: true, has_open_quotation: false }
    }

    fn has_mysql_sign(&mut self) -> bool {
        while let Some(byte) = self.rest().bytes().next().filter(|_| self.at < SEARCHED_MAX) {
            match byte {
                b'`' => return true,
                b'/' if is_executable_comment(self.rest()) => return true,
                byte if is_word(byte) => {
                    if self.is_sign_word() {
                        return true;
                    }
                }
                _ => self.skip(byte),
            }
        }
        false
    }

    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// Moves behind a token that is no word.
    fn skip(&mut self, byte: u8) {
        let rest = self.rest();
        let length = match byte {
            b'\'' | b'"' => quoted_length(rest, byte),
            b'-' if rest.starts_with("--") => line_length(rest),
            b'#' if self.is_line_blank => line_length(rest),
            b'/' if rest.starts_with("/*") => rest.find("*/").map_or(rest.len(), |end| end + 2),
            b'$' => self.dollar_length(rest),
            _ => 1,
        };
        self.is_line_blank = byte == b'\n' || (self.is_line_blank && byte.is_ascii_whitespace());
        if !byte.is_ascii_whitespace() {
            self.before = if byte == b')' { Before::Parenthesis } else { Before::Other };
        }
        self.at += length;
    }

    /// The length of `$tag$...$tag$`, or of a dollar sign.
    fn dollar_length(&mut self, text: &str) -> usize {
        let name = text.get(1..).unwrap_or_default();
        let length = name.bytes().position(|byte| !is_word(byte)).unwrap_or(name.len());
        let tag = text.get(..length + 2).filter(|tag| tag.ends_with('$'));
        let Some(tag) = tag.filter(|_| !self.has_open_quotation) else { return 1 };
        let close = text.get(tag.len()..).and_then(|rest| rest.find(tag));
        // Each further search would read the rest of the text again.
        self.has_open_quotation = close.is_none();
        close.map_or(1, |at| at + 2 * tag.len())
    }

    /// Reads a word: whether it is one that only `MySQL` has in its place.
    fn is_sign_word(&mut self) -> bool {
        let rest = self.rest();
        let length = rest.bytes().position(|byte| !is_word(byte)).unwrap_or(rest.len());
        let word = rest.get(..length).unwrap_or_default();
        let behind = rest.get(length..).unwrap_or_default().trim_start();
        let before = std::mem::replace(&mut self.before, Before::Word(word));
        self.is_line_blank = false;
        self.at += length;
        let is = |keyword: &str| word.eq_ignore_ascii_case(keyword);
        let is_any = |words: &[&str]| words.iter().any(|it| is(it));
        match before {
            Before::Parenthesis => {
                is("auto_increment") || is("unsigned") || (is("engine") && behind.starts_with('='))
            }
            Before::Word(before) => {
                let follows = |keyword: &str| before.eq_ignore_ascii_case(keyword);
                let of_number = NUMBER_TYPES.iter().any(|it| follows(it));
                is("auto_increment")
                    || is_any(MYSQL_TYPES)
                    || (is("unsigned") && of_number)
                    || (is("key") && (follows("unique") || follows("fulltext")))
                    || (is("duplicate") && follows("on"))
                    || (is("ignore") && follows("insert"))
                    || (is("into") && follows("replace"))
            }
            Before::Other => false,
        }
    }
}

/// `/*!40101`, or `/*M!100100` of `MariaDB`: a comment that the database carries out.
fn is_executable_comment(text: &str) -> bool {
    super::mysql::executable_mark_length(text.as_bytes()).is_some()
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || !byte.is_ascii()
}

fn quoted_length(text: &str, quote: u8) -> usize {
    text.bytes().skip(1).position(|byte| byte == quote).map_or(text.len(), |length| length + 2)
}

fn line_length(text: &str) -> usize {
    text.find('\n').unwrap_or(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_of_mysql() {
        for text in [
            "CREATE TABLE `a` (b int)",
            "/*!40101 SET NAMES utf8 */;",
            "/*M!100616 SET x */;",
            "create table a (b int auto_increment)",
            "create table a (b int(11) unsigned)",
            "create table a (b int) engine = InnoDB",
            "create table a (b longtext)",
            "create table a (b int, unique key k (b))",
            "insert into a values (1) on duplicate key update b = 1",
            "# it's a comment\ncreate table a (b mediumint)",
            "-- @dialect mysql\ncreate table a (b int)",
        ] {
            assert_eq!(detect_dialect(text), SqlDialect::Mysql, "{text}");
        }
    }

    #[test]
    fn no_signs_of_mysql() {
        for text in [
            "",
            "create table a (engine text, auto_increment int, unsigned boolean)",
            "select * from a where engine = ?",
            "-- the `b` of a\nselect '`', \"`\" /* ` */ from a",
            "create function f() returns int as $$ `x` $$ language plv8",
            "create table a (b int) -- auto_increment",
            "/*! a comment */ select 1",
            "-- @dialect postgresql\ninsert ignore into a",
            "select a #> '{b}' from c",
        ] {
            assert_eq!(detect_dialect(text), SqlDialect::Postgres, "{text}");
        }
    }
}
