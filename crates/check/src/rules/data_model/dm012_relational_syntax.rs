//! DM012: SQL features that CQL lacks.

use cql::Span;

use crate::{Check, RuleEntry};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("dm012_relational_syntax.md"), Check::Server);

/// SQL keywords, the feature they stand for, and what to do instead.
const SQL_CONSTRUCTS: [(&[&str], &str, &str); 8] = [
    (
        &["JOIN"],
        "CQL has no joins.",
        "store what is read together in one table: copy the columns of the other table into it on write",
    ),
    (
        &["FOREIGN", "REFERENCES"],
        "CQL has no foreign keys.",
        "remove it; maintain references in the application, and copy what is read together with the row",
    ),
    (
        &["AUTO_INCREMENT", "AUTOINCREMENT", "IDENTITY", "SERIAL"],
        "CQL has no auto-increment columns.",
        "use uuid or timeuuid, which every client can generate independently",
    ),
    (
        &["UNIQUE"],
        "CQL has no unique columns other than the primary key.",
        "make it the primary key of a separate table, and reserve values with INSERT ... IF NOT EXISTS",
    ),
    (
        &["SELECT"],
        "CQL has no subqueries.",
        "run the inner query first and bind its values, or create a table for the query",
    ),
    (
        &["HAVING"],
        "CQL has no HAVING.",
        "store the aggregate in a table, or filter the groups in the client",
    ),
    (
        &["OFFSET"],
        "CQL has no OFFSET.",
        "page by the last clustering key that was read, or with the driver's paging state",
    ),
    (
        &["UNION", "INTERSECT", "EXCEPT"],
        "CQL has no set operations.",
        "query each part separately and combine the results in the client",
    ),
];

/// How far after an SQL keyword the parser may stop: `FOREIGN KEY (` is parsed as a column called
/// foreign at first.
const LOOKBACK_WORDS: usize = 2;

/// An SQL keyword at which the CQL parser stopped, and what to do instead.
#[derive(Debug)]
pub(crate) struct SqlConstruct {
    /// The word.
    pub(crate) span: Span,
    /// The missing feature.
    pub(crate) message: &'static str,
    /// The alternative.
    pub(crate) help: &'static str,
}

/// The SQL feature that CQL lacks, at or near the position where parsing stopped.
pub(crate) fn find_construct(source: &str, statement: Span, stopped: Span) -> Option<SqlConstruct> {
    let words = words(source, Span::new(statement.start, statement.end.max(stopped.end)));
    let at = words.iter().position(|(span, _)| span.end > stopped.start).unwrap_or(words.len());
    if let Some(habit) = comma_join(source, &words, at, stopped) {
        return Some(habit);
    }
    let near = words.iter().enumerate().skip(at.saturating_sub(LOOKBACK_WORDS));
    for (position, (span, word)) in near {
        let known = SQL_CONSTRUCTS
            .iter()
            .find(|(names, ..)| names.iter().any(|name| word.eq_ignore_ascii_case(name)));
        let Some((names, message, help)) = known else { continue };
        // A statement starts with SELECT; only one within another is a sub-query.
        let is_inner = position > 0 && text_before(source, *span).ends_with('(');
        // A keyword that may be a column name counts only where the parser stopped.
        let stops = span.start == stopped.start;
        let counts = match names.first() {
            Some(&"SELECT") => is_inner,
            Some(&"JOIN" | &"FOREIGN" | &"UNION") => true,
            _ => stops,
        };
        if counts {
            return Some(SqlConstruct { span: *span, message, help });
        }
    }
    None
}

/// `FROM a, b`: a join as well.
fn comma_join(
    source: &str,
    words: &[(Span, &str)],
    at: usize,
    stopped: Span,
) -> Option<SqlConstruct> {
    let word = |back: usize| words.get(at.checked_sub(back)?).map(|(_, word)| *word);
    let is_list = stopped.text(source) == ",";
    // The name may be qualified by a keyspace.
    let is_from = |back: usize| word(back).is_some_and(|word| word.eq_ignore_ascii_case("FROM"));
    let (_, message, help) = SQL_CONSTRUCTS.first()?;
    (is_list && (is_from(2) || is_from(3))).then_some(SqlConstruct { span: stopped, message, help })
}

fn text_before(source: &str, span: Span) -> &str {
    source.get(..span.start as usize).unwrap_or_default().trim_end()
}

/// The words of a statement outside of strings, quoted names and comments.
fn words(source: &str, span: Span) -> Vec<(Span, &str)> {
    let mut words = Vec::new();
    let (mut start, mut quote, mut is_comment) = (None, None, false);
    let text = span.text(source);
    let mut last = ' ';
    for (at, letter) in text.char_indices().chain([(text.len(), ' ')]) {
        let is_word = quote.is_none() && !is_comment && (letter.is_alphanumeric() || letter == '_');
        match (start, is_word) {
            (None, true) => start = Some(at),
            (Some(from), false) => {
                let offset =
                    |at: usize| span.start.saturating_add(u32::try_from(at).unwrap_or(u32::MAX));
                words.push((
                    Span::new(offset(from), offset(at)),
                    text.get(from..at).unwrap_or_default(),
                ));
                start = None;
            }
            _ => {}
        }
        if is_comment {
            is_comment = letter != '\n';
        } else if quote == Some(letter) {
            quote = None;
        } else if quote.is_none() && matches!(letter, '\'' | '"') {
            quote = Some(letter);
        } else if quote.is_none() && letter == '-' && last == '-' {
            is_comment = true;
        }
        last = letter;
    }
    words
}
