//! The text around a place: the statement that is being written, word by word, whole or not.

use cql::Span;

/// A word or sign of a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct StatementToken<'t> {
    /// As written.
    pub(super) text: &'t str,
    /// Where.
    pub(super) span: Span,
}

impl StatementToken<'_> {
    /// Whether it is this word, in any case.
    pub(super) fn is_keyword(&self, word: &str) -> bool {
        self.text.eq_ignore_ascii_case(word)
    }

    /// Whether it may be a name.
    pub(super) fn is_name(&self) -> bool {
        self.text.starts_with(|sign: char| sign.is_alphabetic() || sign == '_' || sign == '"')
    }

    /// The name that it is: without quotes, or in lower case.
    pub(super) fn name(&self) -> String {
        match self.text.strip_prefix('"') {
            Some(quoted) => quoted.trim_end_matches('"').replace("\"\"", "\""),
            None => self.text.to_lowercase(),
        }
    }
}

/// The words of the statement at an offset: from the semicolon before to the one behind.
pub(super) fn statement_tokens(text: &str, offset: usize) -> Vec<StatementToken<'_>> {
    let mut all = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let length = token_length(&text[at..]);
        let part = &text[at..at + length];
        if part == ";" {
            if at >= offset {
                break;
            }
            all.clear();
        } else if !part.starts_with(char::is_whitespace) && !is_comment(part) {
            all.push(StatementToken { text: part, span: span(at, at + length) });
        }
        at += length;
    }
    all
}

fn span(start: usize, end: usize) -> Span {
    let fit = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
    Span::new(fit(start), fit(end))
}

fn is_comment(part: &str) -> bool {
    part.starts_with("--") || part.starts_with("//") || part.starts_with("/*")
}

/// How long what begins a text is: blanks, a comment, a literal, a word, or one sign.
fn token_length(text: &str) -> usize {
    let Some(first) = text.chars().next() else { return 0 };
    let run = |belongs: fn(char) -> bool| text.find(|sign| !belongs(sign)).unwrap_or(text.len());
    if first.is_whitespace() {
        return run(char::is_whitespace);
    }
    if text.starts_with("--") || text.starts_with("//") {
        return text.find('\n').unwrap_or(text.len());
    }
    if text.starts_with("/*") {
        return text.find("*/").map_or(text.len(), |end| end + 2);
    }
    if first == '\'' || first == '"' {
        return text[1..].find(first).map_or(text.len(), |end| end + 2);
    }
    if first.is_alphanumeric() || first == '_' {
        return run(|sign| sign.is_alphanumeric() || sign == '_');
    }
    first.len_utf8()
}
