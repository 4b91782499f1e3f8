//! The kind of a statement, from its first words.

use crate::diagnostics::error;
use cql::{Diagnostic, Span, spelling};

/// The kind of a statement in a model file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SqlKind {
    /// `CREATE TABLE`
    Table,
    /// `CREATE TYPE`
    Type,
    /// `CREATE DOMAIN`
    Domain,
    /// `ALTER TYPE` or `ALTER DOMAIN`
    AlterType,
    /// `CREATE COLLATION`
    Collation,
    /// `CREATE UNIQUE INDEX`
    UniqueIndex,
    /// `ALTER TABLE`
    AlterTable,
    /// `CREATE FUNCTION`
    Function,
    /// `CREATE TRIGGER`
    Trigger,
    /// `CREATE RULE`
    Rule,
    /// `CREATE VIEW`, `CREATE MATERIALIZED VIEW`
    View,
    /// `SELECT`, which needs a name.
    Query,
    /// `INSERT`, `UPDATE` or `DELETE`, which needs a name.
    Write,
    /// Any other statement, which does not affect the model.
    Skipped,
}

/// First words of statements that do not affect the model.
const IGNORED_VERBS: &[&str] = &[
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
    "flush",
    "grant",
    "import",
    "listen",
    "load",
    "lock",
    "move",
    "notify",
    "optimize",
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
    "unlock",
    "use",
    "vacuum",
];

/// First words of statements that are read.
const MODEL_VERBS: &[&str] = &["alter", "create", "delete", "insert", "select", "update"];

/// Objects of CREATE that do not affect the model.
const OBJECTS: &[&str] = &[
    "access",
    "aggregate",
    "cast",
    "conversion",
    "database",
    "default",
    "event",
    "extension",
    "foreign",
    "fulltext",
    "group",
    "index",
    "language",
    "operator",
    "policy",
    "procedural",
    "procedure",
    "publication",
    "role",
    "schema",
    "sequence",
    "server",
    "spatial",
    "statistics",
    "subscription",
    "tablespace",
    "text",
    "transform",
    "trusted",
    "user",
];

/// Words between CREATE and the object type.
const MODIFIERS: &[&str] =
    &["or", "replace", "global", "local", "temp", "temporary", "unlogged", "recursive"];

/// The kind of the statement that begins with these words.
pub(super) fn classify(file: &str, words: &[Span], whole: Span) -> Result<SqlKind, Diagnostic> {
    let lower: Vec<String> = words.iter().map(|word| word.text(file).to_lowercase()).collect();
    // A query may stand in parentheses.
    let opens = whole.text(file).chars().next().unwrap_or_default();
    let starts = |word: &Span| opens == '(' || word.start == whole.start;
    let (Some(first), Some(true)) = (lower.first(), words.first().map(starts)) else {
        let start =
            Span::new(whole.start, whole.start + u32::try_from(opens.len_utf8()).unwrap_or(1));
        return Err(unknown_statement(
            start,
            "",
            "this is not the start of an SQL statement",
            None,
        ));
    };
    match first.as_str() {
        "create" => classify_create(file, &lower, words),
        "alter" if lower.get(1).is_some_and(|word| word == "table") => Ok(SqlKind::AlterTable),
        "alter" if lower.get(1).is_some_and(|word| word == "type" || word == "domain") => {
            Ok(SqlKind::AlterType)
        }
        "alter" => Ok(SqlKind::Skipped),
        "select" if is_dump_call(&lower) => Ok(SqlKind::Skipped),
        "select" | "with" | "values" | "table" => Ok(SqlKind::Query),
        "insert" | "update" | "delete" | "merge" | "replace" => Ok(SqlKind::Write),
        word if IGNORED_VERBS.contains(&word) => Ok(SqlKind::Skipped),
        word => {
            let known = MODEL_VERBS.iter().chain(IGNORED_VERBS).copied();
            let message = format!("no SQL statement starts with {}", words[0].text(file));
            Err(unknown_statement(words[0], word, &message, spelling::find_nearest(word, known)))
        }
    }
}

/// `SELECT pg_catalog.set_config(...)` and the like, which dumps begin with.
fn is_dump_call(words: &[String]) -> bool {
    words.get(1).is_some_and(|word| matches!(word.as_str(), "pg_catalog" | "set_config" | "setval"))
}

fn classify_create(file: &str, lower: &[String], words: &[Span]) -> Result<SqlKind, Diagnostic> {
    let modifiers = lower[1..].iter().take_while(|word| MODIFIERS.contains(&word.as_str())).count();
    let behind = find_owned_object(lower, 1 + modifiers).unwrap_or(1 + modifiers);
    let Some(object) = lower.get(behind) else {
        return Err(unknown_statement(words[0], "", "CREATE is incomplete", None));
    };
    match object.as_str() {
        "table" => Ok(SqlKind::Table),
        "type" => Ok(SqlKind::Type),
        "domain" => Ok(SqlKind::Domain),
        "collation" => Ok(SqlKind::Collation),
        "unique" => Ok(SqlKind::UniqueIndex),
        "function" => Ok(SqlKind::Function),
        "trigger" | "constraint" => Ok(SqlKind::Trigger),
        "rule" => Ok(SqlKind::Rule),
        "view" | "materialized" => Ok(SqlKind::View),
        word if OBJECTS.contains(&word) => Ok(SqlKind::Skipped),
        word => {
            let known = [
                "table",
                "type",
                "domain",
                "collation",
                "unique",
                "function",
                "trigger",
                "rule",
                "view",
            ];
            let place = words[behind];
            let message = format!("{} is not a known object type of CREATE", place.text(file));
            let nearest =
                spelling::find_nearest(word, known.into_iter().chain(OBJECTS.iter().copied()));
            Err(unknown_statement(place, word, &message, nearest))
        }
    }
}

/// The object behind `DEFINER = user`, `ALGORITHM = ...` and `SQL SECURITY ...` of `MySQL`.
fn find_owned_object(lower: &[String], at: usize) -> Option<usize> {
    let is_any = |word: &String, words: &[&str]| words.contains(&word.as_str());
    if !is_any(lower.get(at)?, &["algorithm", "definer", "sql"]) {
        return None;
    }
    let objects = ["event", "function", "procedure", "trigger", "view"];
    (at + 1..lower.len()).find(|at| is_any(&lower[*at], &objects))
}

fn unknown_statement(place: Span, word: &str, message: &str, nearest: Option<&str>) -> Diagnostic {
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

    fn classify_first(text: &str) -> Result<SqlKind, Diagnostic> {
        let piece = &scan(text).pieces[0];
        classify(text, &piece.words, piece.span)
    }

    #[test]
    fn kinds() {
        for (text, expected) in [
            ("CREATE TABLE a (b int)", SqlKind::Table),
            ("create unlogged table if not exists a (b int)", SqlKind::Table),
            ("CREATE UNIQUE INDEX i ON a (b)", SqlKind::UniqueIndex),
            ("CREATE INDEX i ON a (b)", SqlKind::Skipped),
            ("CREATE OR REPLACE VIEW v AS SELECT 1", SqlKind::View),
            ("CREATE TYPE t AS ENUM ('a')", SqlKind::Type),
            ("ALTER TABLE ONLY a ADD PRIMARY KEY (b)", SqlKind::AlterTable),
            ("CREATE OR REPLACE FUNCTION f() RETURNS trigger AS ''", SqlKind::Function),
            ("CREATE CONSTRAINT TRIGGER t AFTER INSERT ON a", SqlKind::Trigger),
            ("CREATE DEFINER=root@localhost TRIGGER t AFTER INSERT ON a", SqlKind::Trigger),
            ("CREATE ALGORITHM=MERGE SQL SECURITY DEFINER VIEW v AS SELECT 1", SqlKind::View),
            ("UNLOCK TABLES", SqlKind::Skipped),
            ("CREATE OR REPLACE RULE r AS ON DELETE TO a DO INSTEAD NOTHING", SqlKind::Rule),
            ("ALTER SEQUENCE s OWNED BY a.b", SqlKind::Skipped),
            ("ALTER TYPE t ADD VALUE 'b'", SqlKind::AlterType),
            ("CREATE COLLATION c (deterministic = false)", SqlKind::Collation),
            ("SELECT pg_catalog.set_config('search_path', '', false)", SqlKind::Skipped),
            ("SELECT 1", SqlKind::Query),
            ("(SELECT 1)", SqlKind::Query),
            ("DELETE FROM a", SqlKind::Write),
            ("GRANT ALL ON a TO b", SqlKind::Skipped),
        ] {
            assert_eq!(classify_first(text), Ok(expected), "{text}");
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
            let error = classify_first(text).unwrap_err();
            assert_eq!((error.span.text(text), error.help.as_deref()), (place, Some(help)));
        }
    }
}
