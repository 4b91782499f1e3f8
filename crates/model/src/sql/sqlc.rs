//! The macros of sqlc, in `PostgreSQL`'s syntax with named parameters.
//!
//! | sqlc | here |
//! |---|---|
//! | `@name`, `sqlc.arg(name)`, `sqlc.narg('name')` | `:name` |
//! | `x IN (sqlc.slice('names'))` | `x = ANY (:names)` |
//! | `sqlc.embed(t)` | `t.*` |

use std::ops::Range;

use cql::Span;
use sqlparser::keywords::Keyword;
use sqlparser::tokenizer::{Token, TokenWithSpan};

use super::token::byte_span;

/// A macro: its tokens, and what they stand for.
struct MacroUse {
    range: Range<usize>,
    tokens: Vec<Token>,
    text: String,
}

/// The tokens and the text of a statement with its macros replaced; `start` is the place of the
/// text in the file. Replaced tokens keep their place.
pub(super) fn expand_macros(
    tokens: Vec<TokenWithSpan>,
    text: &str,
    start: u32,
) -> (Vec<TokenWithSpan>, String) {
    let uses = find_macros(&tokens);
    if uses.is_empty() {
        return (tokens, text.to_owned());
    }
    let (mut expanded, mut written) = (Vec::with_capacity(tokens.len()), String::new());
    let (mut next, mut copied) = (0, start);
    for found in uses {
        let Some(place) = macro_span(&tokens, &found.range) else { continue };
        let Some(place_bytes) = byte_span(place) else { continue };
        expanded.extend(tokens.iter().take(found.range.start).skip(next).cloned());
        expanded.extend(found.tokens.into_iter().map(|token| TokenWithSpan::new(token, place)));
        written.push_str(Span::new(copied - start, place_bytes.start - start).text(text));
        written.push_str(&found.text);
        (next, copied) = (found.range.end, place_bytes.end);
    }
    expanded.extend(tokens.iter().skip(next).cloned());
    let end = u32::try_from(text.len()).unwrap_or(u32::MAX);
    written.push_str(Span::new(copied - start, end).text(text));
    (expanded, written)
}

/// The place of a macro.
fn macro_span(
    tokens: &[TokenWithSpan],
    range: &Range<usize>,
) -> Option<sqlparser::tokenizer::Span> {
    let first = tokens.get(range.start)?.span;
    let last = tokens.get(range.end.checked_sub(1)?)?.span;
    Some(sqlparser::tokenizer::Span::new(first.start, last.end))
}

fn find_macros(tokens: &[TokenWithSpan]) -> Vec<MacroUse> {
    let mut found: Vec<MacroUse> = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        match read_macro(tokens, at) {
            Some(one) => {
                at = one.range.end;
                found.push(one);
            }
            None => at += 1,
        }
    }
    found
}

/// The macro that begins with a token.
fn read_macro(tokens: &[TokenWithSpan], at: usize) -> Option<MacroUse> {
    let token = |offset: usize| tokens.get(at + offset).map(|token| &token.token);
    match token(0)? {
        Token::AtSign => {
            let Token::Word(name) = token(1)? else { return None };
            let adjacent = tokens[at].span.end == tokens[at + 1].span.start;
            adjacent.then(|| parameter(at..at + 2, &name.value))
        }
        Token::Word(word) if word.keyword == Keyword::IN && token(1) == Some(&Token::LParen) => {
            let (macro_name, argument, end) = read_call(tokens, at + 2)?;
            let negated = at > 0
                && matches!(&tokens[at - 1].token, Token::Word(word) if word.keyword == Keyword::NOT);
            let closed = tokens.get(end).map(|token| &token.token) == Some(&Token::RParen);
            if macro_name != "slice" || negated || !closed {
                return None;
            }
            Some(MacroUse {
                range: at..end + 1,
                tokens: vec![
                    Token::Eq,
                    Token::make_keyword("ANY"),
                    Token::LParen,
                    Token::Placeholder(format!(":{argument}")),
                    Token::RParen,
                ],
                text: format!("= ANY (:{argument})"),
            })
        }
        Token::Word(_) => {
            let (macro_name, argument, end) = read_call(tokens, at)?;
            match macro_name {
                "arg" | "narg" | "slice" => Some(parameter(at..end, argument)),
                "embed" => Some(MacroUse {
                    range: at..end,
                    tokens: vec![Token::make_word(argument, None), Token::Period, Token::Mul],
                    text: format!("{argument}.*"),
                }),
                _ => None,
            }
        }
        _ => None,
    }
}

/// `sqlc.name(argument)`: the name, the argument, and the token behind.
fn read_call(tokens: &[TokenWithSpan], at: usize) -> Option<(&str, &str, usize)> {
    let call: Vec<&Token> = tokens.get(at..at + 6)?.iter().map(|token| &token.token).collect();
    let [
        Token::Word(module),
        Token::Period,
        Token::Word(name),
        Token::LParen,
        argument,
        Token::RParen,
    ] = call[..]
    else {
        return None;
    };
    let argument = match argument {
        Token::Word(word) => &word.value,
        Token::SingleQuotedString(text) | Token::DoubleQuotedString(text) => text,
        _ => return None,
    };
    let is_name = argument.chars().all(|it| it.is_alphanumeric() || it == '_');
    (module.value == "sqlc" && is_name && !argument.is_empty()).then_some((
        name.value.as_str(),
        argument.as_str(),
        at + 6,
    ))
}

fn parameter(range: Range<usize>, name: &str) -> MacroUse {
    let text = format!(":{name}");
    MacroUse { range, tokens: vec![Token::Placeholder(text.clone())], text }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sql::{scan, token};

    fn expand(sql: &str) -> String {
        let scan = scan::scan(sql);
        let piece = scan.pieces.first().unwrap();
        let tokens = token::tokenize(sql, piece.span, &piece.within).unwrap();
        let (tokens, text) = expand_macros(tokens, piece.span.text(sql), piece.span.start);
        let again = token::parse(tokens, piece.span).unwrap().to_string();
        let direct = super::super::parse_statement(&text).unwrap().to_string();
        assert_eq!(again, direct, "{sql}");
        text
    }

    #[test]
    fn macros_become_named_parameters() {
        for (sql, expanded) in [
            ("SELECT a FROM t WHERE a = @b::bigint", "SELECT a FROM t WHERE a = :b::bigint"),
            (" SELECT a FROM t WHERE a = sqlc.arg(b)", "SELECT a FROM t WHERE a = :b"),
            (
                "UPDATE t SET a = coalesce(sqlc.narg('a'), a) WHERE b = sqlc.arg('b')",
                "UPDATE t SET a = coalesce(:a, a) WHERE b = :b",
            ),
            ("SELECT a FROM t WHERE a IN (sqlc.slice('x'))", "SELECT a FROM t WHERE a = ANY (:x)"),
            ("SELECT sqlc.embed(t), u.a FROM t, u", "SELECT t.*, u.a FROM t, u"),
            ("SELECT a FROM t WHERE a = $1", "SELECT a FROM t WHERE a = $1"),
        ] {
            assert_eq!(expand(sql), expanded);
        }
    }
}
