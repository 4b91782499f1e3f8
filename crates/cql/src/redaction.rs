//! Statements without their values, for logs.

use crate::lexer::{Lexer, Token, TokenKind};

/// The maximum number of characters.
const LENGTH_MAX: usize = 1_000;

/// A text with a `?` in place of every literal, without comments and line breaks, and cut off if it
/// is long.
pub fn redact(text: &str) -> String {
    let mut lexer = Lexer::new(text, false);
    let mut tokens = Vec::new();
    while !lexer.is_at_end() && tokens.len() < LENGTH_MAX {
        lexer.fill(&mut tokens, false);
    }
    let mut redacted = String::new();
    let mut end = None;
    for Token { kind, span } in tokens {
        if matches!(kind, TokenKind::End) || redacted.len() > LENGTH_MAX {
            break;
        }
        if end.is_some_and(|end| end < span.start) {
            redacted.push(' ');
        }
        end = Some(span.end);
        let range = usize::try_from(span.start).ok().zip(usize::try_from(span.end).ok());
        redacted.push_str(match range.and_then(|(start, end)| text.get(start..end)) {
            Some(written) if !is_value(kind) => written,
            _ => "?",
        });
    }
    if redacted.len() > LENGTH_MAX {
        let cut =
            redacted.char_indices().map(|(at, _)| at).take_while(|at| *at <= LENGTH_MAX).last();
        redacted.truncate(cut.unwrap_or(0));
        redacted.push_str("...");
    }
    redacted
}

/// Whether a token may be, or contain, a value.
fn is_value(kind: TokenKind) -> bool {
    matches!(
        kind,
        TokenKind::String
            | TokenKind::DollarString
            | TokenKind::Integer
            | TokenKind::Float
            | TokenKind::Duration
            | TokenKind::Uuid
            | TokenKind::Hex
            | TokenKind::Error
            | TokenKind::Placeholder
            | TokenKind::Shell
    )
}

#[cfg(test)]
mod tests {
    use super::redact;

    #[test]
    fn literals_and_comments_are_left_out() {
        assert_eq!(
            redact(
                "SELECT a,\n \"B\" FROM ks.t -- secret\nWHERE k = 'it''s' AND c IN (1, 2.5, 0xAB)"
            ),
            "SELECT a, \"B\" FROM ks.t WHERE k = ? AND c IN (?, ?, ?)"
        );
        assert_eq!(
            redact("CREATE ROLE r WITH PASSWORD = 'x' AND LOGIN = true;"),
            "CREATE ROLE r WITH PASSWORD = ? AND LOGIN = true;"
        );
        assert_eq!(redact("SELECT f($$ body $$), 1h30m, 'open"), "SELECT f(?), ?, ?");
        assert_eq!(redact(""), "");
        assert_eq!(redact(&"a ".repeat(10_000)).len(), 1_003);
    }
}
