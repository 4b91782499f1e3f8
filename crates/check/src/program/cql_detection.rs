//! Telling CQL from other strings.

use cql::ParseOptions;

/// Words that only CQL has.
const CQL_ONLY_WORDS: &[&str] = &[
    "allow filtering",
    "using ttl",
    "using timestamp",
    "apply batch",
    "clustering order",
    "keyspace",
    "primary key ((",
    "if not exists",
    "token(",
    "with compaction",
    "contains key",
    "per partition limit",
    "materialized view",
];

/// So many clauses are put in at most.
const CLAUSES_MAX: usize = 8;

/// A statement without the placeholders that stand for whole clauses, as in `WHERE id = ? %s LIMIT 10`: blanks take their place, and
/// a list where one is wanted.
/// What cannot be read without them either stays as it is.
pub(super) fn remove_open_clauses(text: String) -> String {
    let mut left = text.clone();
    for _ in 0..CLAUSES_MAX {
        if !is_statement_start(&left) {
            break;
        }
        let parsed = cql::parse_with(&left, &ParseOptions { templates: true });
        let Some(first) = parsed.errors.first() else { return left };
        let (start, end) = (first.span.start as usize, first.span.end as usize);
        if !left.get(start..end).is_some_and(cql::is_template) {
            break;
        }
        let is_list = left[..start].trim_end().to_ascii_lowercase().ends_with(" in");
        left.replace_range(
            start..end,
            &if is_list { placeholder_list(end - start) } else { blanks(end - start) },
        );
    }
    text
}

/// A statement whose last value the program puts in behind it, as in `"... LIMIT " + most`: a marker takes the place of the last sign,
/// where the quote was.
pub(super) fn close_open_end(text: String) -> String {
    const VALUE_PREFIXES: &[&str] = &[" limit", " ttl", " timestamp", " in", "=", "<", ">"];
    let written = text.trim_end();
    let lower = written.to_ascii_lowercase();
    let wants =
        written.len() < text.len() && VALUE_PREFIXES.iter().any(|word| lower.ends_with(word));
    if !wants || !is_statement_start(&text) {
        return text;
    }
    let mut whole = text.clone();
    whole.pop();
    whole.push('?');
    let parsed = cql::parse_with(&whole, &ParseOptions { templates: true });
    if parsed.errors.is_empty() { whole } else { text }
}

fn blanks(length: usize) -> String {
    " ".repeat(length)
}

/// A list of unknown values, as long as this: that in the text where there is room for it.
fn placeholder_list(length: usize) -> String {
    match length.checked_sub("(${})".len()) {
        Some(name) => format!("(${{{}}})", "x".repeat(name)),
        None => format!("?{}", blanks(length.saturating_sub(1))),
    }
}

/// Whether a string is CQL: it starts as a statement does, and either all of it can be read or it has words that only CQL has.
pub(super) fn is_cql(text: &str) -> bool {
    if !is_statement_start(text) {
        return false;
    }
    let parsed = cql::parse_with(text, &ParseOptions { templates: true });
    if parsed.errors.is_empty() {
        return !parsed.statements.is_empty();
    }
    let lower = text.to_lowercase();
    let upper = text.split_whitespace().next().is_some_and(|word| word == word.to_uppercase());
    upper && CQL_ONLY_WORDS.iter().any(|words| lower.contains(words))
}

/// Whether the first words are those of a statement: `insert into`, `select ... from`.
fn is_statement_start(text: &str) -> bool {
    let mut words = text
        .split(|sign: char| sign.is_whitespace() || sign == '(')
        .filter(|word| !word.is_empty());
    let first = words.next().unwrap_or_default().to_lowercase();
    let mut next = || words.next().unwrap_or_default().to_lowercase();
    let objects = [
        "table",
        "keyspace",
        "index",
        "custom",
        "type",
        "materialized",
        "function",
        "aggregate",
        "columnfamily",
        "or",
        "role",
        "user",
    ];
    match first.as_str() {
        "insert" => next() == "into",
        "select" | "delete" => words.any(|word| word.eq_ignore_ascii_case("from")),
        "update" => words.any(|word| word.eq_ignore_ascii_case("set")),
        "begin" => words.any(|word| word.eq_ignore_ascii_case("batch")),
        "create" | "alter" | "drop" => objects.contains(&next().as_str()),
        "truncate" => !next().is_empty(),
        _ => false,
    }
}
