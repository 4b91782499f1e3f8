//! What a statement is, by its first words.

use crate::diagnostics::error;
use cql::{Diagnostic, Span, spelling};

/// What a statement is to a model file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// `CREATE TABLE`
    Table,
    /// `CREATE TYPE`
    Type,
    /// `CREATE DOMAIN`
    Domain,
    /// `CREATE UNIQUE INDEX`
    UniqueIndex,
    /// `ALTER TABLE`
    AlterTable,
    /// `SELECT`, which needs a name.
    Query,
    /// `INSERT`, `UPDATE` or `DELETE`, which needs a name.
    Write,
    /// What says nothing about the model.
    Skipped,
}

/// First words of statements that say nothing about the model.
const SKIPPED: &[&str] = &[
    "abort",
    "analyze",
    "begin",
    "call",
    "checkpoint",
    "close",
    "cluster",
    "comment",
    "commit",
    "copy",
    "deallocate",
    "declare",
    "discard",
    "do",
    "drop",
    "end",
    "execute",
    "explain",
    "fetch",
    "grant",
    "import",
    "listen",
    "load",
    "lock",
    "move",
    "notify",
    "prepare",
    "reassign",
    "refresh",
    "reindex",
    "release",
    "reset",
    "revoke",
    "rollback",
    "savepoint",
    "security",
    "set",
    "show",
    "start",
    "truncate",
    "unlisten",
    "vacuum",
];

/// First words of statements that do.
const READ: &[&str] = &["alter", "create", "delete", "insert", "select", "update"];

/// What else can be created.
const OBJECTS: &[&str] = &[
    "access",
    "aggregate",
    "cast",
    "collation",
    "constraint",
    "conversion",
    "database",
    "default",
    "event",
    "extension",
    "foreign",
    "function",
    "group",
    "index",
    "language",
    "materialized",
    "operator",
    "policy",
    "procedural",
    "procedure",
    "publication",
    "role",
    "rule",
    "schema",
    "sequence",
    "server",
    "statistics",
    "subscription",
    "tablespace",
    "text",
    "transform",
    "trigger",
    "trusted",
    "user",
    "view",
];

/// Words between CREATE and what is created.
const MODIFIERS: &[&str] =
    &["or", "replace", "global", "local", "temp", "temporary", "unlogged", "recursive"];

/// What the statement that begins with these words is.
pub(super) fn kind(file: &str, words: &[Span], whole: Span) -> Result<Kind, Diagnostic> {
    let lower: Vec<String> = words.iter().map(|word| word.text(file).to_lowercase()).collect();
    // A query may stand in parentheses.
    let opens = whole.text(file).chars().next().unwrap_or_default();
    let starts = |word: &Span| opens == '(' || word.start == whole.start;
    let (Some(first), Some(true)) = (lower.first(), words.first().map(starts)) else {
        let start =
            Span::new(whole.start, whole.start + u32::try_from(opens.len_utf8()).unwrap_or(1));
        return Err(unknown(start, "", "this starts no SQL statement", None));
    };
    match first.as_str() {
        "create" => created(file, &lower, words),
        "alter" if lower.get(1).is_some_and(|word| word == "table") => Ok(Kind::AlterTable),
        "alter" => Ok(Kind::Skipped),
        "select" if is_of_dump(&lower) => Ok(Kind::Skipped),
        "select" | "with" | "values" | "table" => Ok(Kind::Query),
        "insert" | "update" | "delete" | "merge" => Ok(Kind::Write),
        word if SKIPPED.contains(&word) => Ok(Kind::Skipped),
        word => {
            let known = READ.iter().chain(SKIPPED).copied();
            let message = format!("no SQL statement starts with {}", words[0].text(file));
            Err(unknown(words[0], word, &message, spelling::nearest(word, known)))
        }
    }
}

/// `SELECT pg_catalog.set_config(...)` and the like, which dumps begin with.
fn is_of_dump(words: &[String]) -> bool {
    words.get(1).is_some_and(|word| matches!(word.as_str(), "pg_catalog" | "set_config" | "setval"))
}

fn created(file: &str, lower: &[String], words: &[Span]) -> Result<Kind, Diagnostic> {
    let behind =
        1 + lower[1..].iter().take_while(|word| MODIFIERS.contains(&word.as_str())).count();
    let Some(object) = lower.get(behind) else {
        return Err(unknown(words[0], "", "CREATE does not say what", None));
    };
    match object.as_str() {
        "table" => Ok(Kind::Table),
        "type" => Ok(Kind::Type),
        "domain" => Ok(Kind::Domain),
        "unique" => Ok(Kind::UniqueIndex),
        word if OBJECTS.contains(&word) => Ok(Kind::Skipped),
        word => {
            let known = ["table", "type", "domain", "unique"].into_iter();
            let place = words[behind];
            let message = format!("CREATE cannot create {}", place.text(file));
            let nearest = spelling::nearest(word, known.chain(OBJECTS.iter().copied()));
            Err(unknown(place, word, &message, nearest))
        }
    }
}

fn unknown(place: Span, word: &str, message: &str, nearest: Option<&str>) -> Diagnostic {
    let help = match nearest {
        Some(nearest) => {
            format!("write {} instead of {}", nearest.to_uppercase(), word.to_uppercase())
        }
        None => "write CREATE TABLE, SELECT, INSERT, UPDATE or DELETE".to_owned(),
    };
    error("MF010", place, message, help)
}

#[cfg(test)]
mod tests {
    use super::super::scan::scan;
    use super::*;

    fn kind_of(text: &str) -> Result<Kind, Diagnostic> {
        let piece = &scan(text).pieces[0];
        kind(text, &piece.words, piece.span)
    }

    #[test]
    fn kinds() {
        for (text, expected) in [
            ("CREATE TABLE a (b int)", Kind::Table),
            ("create unlogged table if not exists a (b int)", Kind::Table),
            ("CREATE UNIQUE INDEX i ON a (b)", Kind::UniqueIndex),
            ("CREATE INDEX i ON a (b)", Kind::Skipped),
            ("CREATE OR REPLACE VIEW v AS SELECT 1", Kind::Skipped),
            ("CREATE TYPE t AS ENUM ('a')", Kind::Type),
            ("ALTER TABLE ONLY a ADD PRIMARY KEY (b)", Kind::AlterTable),
            ("ALTER SEQUENCE s OWNED BY a.b", Kind::Skipped),
            ("SELECT pg_catalog.set_config('search_path', '', false)", Kind::Skipped),
            ("SELECT 1", Kind::Query),
            ("(SELECT 1)", Kind::Query),
            ("DELETE FROM a", Kind::Write),
            ("GRANT ALL ON a TO b", Kind::Skipped),
        ] {
            assert_eq!(kind_of(text), Ok(expected), "{text}");
        }
    }

    #[test]
    fn slips() {
        for (text, place, help) in [
            ("CRAETE TABLE a (b int)", "CRAETE", "write CREATE instead of CRAETE"),
            ("CREATE TABEL a (b int)", "TABEL", "write TABLE instead of TABEL"),
            ("SELCT 1", "SELCT", "write SELECT instead of SELCT"),
            ("hello", "hello", "write CREATE TABLE, SELECT, INSERT, UPDATE or DELETE"),
            ("{\"a\": 1}", "{", "write CREATE TABLE, SELECT, INSERT, UPDATE or DELETE"),
        ] {
            let error = kind_of(text).unwrap_err();
            assert_eq!((error.span.text(text), error.help.as_deref()), (place, Some(help)));
        }
    }
}
