//! The alignment of the tokens of the source with those of the printed text.

use crate::lexer::{Token, TokenKind};
use crate::span::Span;

/// How far to search for a match: the printer drops, adds or moves a few tokens at a time.
const WINDOW: usize = 24;

/// For each token of the source, the index of the printed token, or `None` if it was dropped.
pub(super) fn align(
    source: &str,
    tokens: &[Token],
    printed: &str,
    printed_tokens: &[Token],
) -> Vec<Option<usize>> {
    let mut matches = vec![None; tokens.len()];
    let same = |i: usize, j: usize| match (tokens.get(i), printed_tokens.get(j)) {
        (Some(left), Some(right)) => {
            normalise_token(source, *left) == normalise_token(printed, *right)
        }
        _ => false,
    };
    let (mut i, mut j) = (0, 0);
    while i < tokens.len() && j < printed_tokens.len() {
        if same(i, j) {
            if let Some(matched) = matches.get_mut(i) {
                *matched = Some(j);
            }
            (i, j) = (i + 1, j + 1);
            continue;
        }
        let skipped = (1..WINDOW).find(|&ahead| same(i + ahead, j) || same(i, j + ahead));
        match skipped {
            Some(ahead) if same(i + ahead, j) => i += ahead,
            Some(ahead) => j += ahead,
            None => (i, j) = (i + 1, j + 1),
        }
    }
    matches
}

/// The kind and normalised text of a token, which do not depend on its spelling.
fn normalise_token(source: &str, token: Token) -> (u8, String) {
    let text = Span::text(token.span, source);
    match token.kind {
        TokenKind::String => (1, text.trim_matches('\'').replace("''", "'")),
        TokenKind::DollarString => (1, text.trim_matches('$').to_owned()),
        TokenKind::QuotedName => (0, text.trim_matches('"').to_owned()),
        _ => (0, text.to_ascii_lowercase()),
    }
}
