//! Statements without their values, for logs.

use crate::keyword::Keyword;
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

/// A statement without its values, as one of many that differ in nothing else.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GeneralStatement {
    /// The text with a `?` in place of every literal; lists of values, as of IN, have one element.
    pub text: String,
    /// The most elements of a list after IN.
    pub in_values: Option<u64>,
    /// Whether the text ends within a literal or a parenthesis, as if its end were missing.
    pub is_cut: bool,
}

/// A statement without its values and without the lengths of its lists.
pub fn generalize(text: &str) -> GeneralStatement {
    let mut lexer = Lexer::new(text, false);
    let mut tokens = Vec::new();
    // A list of any length is read, so the limit is one of bytes.
    while !lexer.is_at_end() {
        lexer.fill(&mut tokens, false);
    }
    tokens.retain(|token| !matches!(token.kind, TokenKind::End));
    let mut general = GeneralStatement::default();
    let mut at = 0;
    let mut end = None;
    let mut depth = 0_u32;
    while let Some(Token { kind, span }) = tokens.get(at).copied() {
        if general.text.len() > LENGTH_MAX {
            general.text.push_str("...");
            return general;
        }
        if end.is_some_and(|end| end < span.start) {
            general.text.push(' ');
        }
        end = Some(span.end);
        let is_list = matches!(kind, TokenKind::OpenParen) && is_after_in(&tokens, at);
        let is_literal = matches!(kind, TokenKind::OpenBrace)
            || matches!(kind, TokenKind::OpenBracket) && is_after_operator(&tokens, at);
        if is_list || is_literal {
            let close = closing(&tokens, at);
            general.is_cut |= close.is_none();
            let close = close.unwrap_or(tokens.len());
            if is_list {
                let values = count_elements(tokens.get(at + 1..close).unwrap_or_default());
                general.in_values = general.in_values.max(Some(values));
                general.text.push_str("(?)");
            } else {
                general.text.push('?');
            }
            end = tokens.get(close).map(|token| token.span.end).or(end);
            at = close + 1;
            continue;
        }
        match kind {
            TokenKind::OpenParen => depth += 1,
            TokenKind::CloseParen => depth = depth.saturating_sub(1),
            TokenKind::Error => general.is_cut = true,
            _ => {}
        }
        let range = usize::try_from(span.start).ok().zip(usize::try_from(span.end).ok());
        general.text.push_str(match range.and_then(|(start, end)| text.get(start..end)) {
            Some(written) if !is_value(kind) => written,
            _ => "?",
        });
        at += 1;
    }
    general.is_cut |= depth > 0;
    general
}

/// Whether a token stands after IN.
fn is_after_in(tokens: &[Token], at: usize) -> bool {
    let before = at.checked_sub(1).and_then(|before| tokens.get(before));
    before.is_some_and(|token| matches!(token.kind, TokenKind::Keyword(Keyword::In)))
}

/// Whether a token stands where a value does, and not after a name.
fn is_after_operator(tokens: &[Token], at: usize) -> bool {
    let before = at.checked_sub(1).and_then(|before| tokens.get(before));
    before.is_some_and(|token| {
        !matches!(token.kind, TokenKind::Identifier | TokenKind::QuotedName | TokenKind::Keyword(_))
    })
}

/// The position of the bracket that closes the one at a position.
fn closing(tokens: &[Token], open: usize) -> Option<usize> {
    let mut depth = 0_u32;
    for (at, token) in tokens.iter().enumerate().skip(open) {
        match token.kind {
            TokenKind::OpenParen | TokenKind::OpenBrace | TokenKind::OpenBracket => depth += 1,
            TokenKind::CloseParen | TokenKind::CloseBrace | TokenKind::CloseBracket => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return Some(at);
                }
            }
            _ => {}
        }
    }
    None
}

/// The number of elements between brackets.
fn count_elements(tokens: &[Token]) -> u64 {
    let mut depth = 0_u32;
    let mut elements = u64::from(!tokens.is_empty());
    for token in tokens {
        match token.kind {
            TokenKind::OpenParen | TokenKind::OpenBrace | TokenKind::OpenBracket => depth += 1,
            TokenKind::CloseParen | TokenKind::CloseBrace | TokenKind::CloseBracket => {
                depth = depth.saturating_sub(1);
            }
            TokenKind::Comma if depth == 0 => elements += 1,
            _ => {}
        }
    }
    elements
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
    use super::{generalize, redact};

    #[test]
    fn statements_that_differ_in_values_are_the_same() {
        let text = |text: &str| generalize(text).text;
        assert_eq!(
            text("SELECT a FROM t WHERE k IN (1, 2, 3) AND c = 'x' LIMIT 10"),
            "SELECT a FROM t WHERE k IN (?) AND c = ? LIMIT ?"
        );
        assert_eq!(generalize("SELECT a FROM t WHERE k IN (1, 2, 3)").in_values, Some(3));
        assert_eq!(
            generalize("SELECT a FROM t WHERE (a, b) IN ((1, 2), (3, 4))").in_values,
            Some(2)
        );
        assert_eq!(
            text("UPDATE t SET m['k'] = 1, s = s + {'a', 'b'}, l = [1, 2] WHERE k = ?"),
            "UPDATE t SET m[?] = ?, s = s + ?, l = ? WHERE k = ?"
        );
        assert_eq!(
            text("INSERT INTO t (a, b) VALUES (1, 'x');"),
            "INSERT INTO t (a, b) VALUES (?, ?);"
        );
        let many = format!("SELECT a FROM t WHERE k IN ({}1)", "1, ".repeat(5000));
        assert_eq!(generalize(&many).in_values, Some(5001));
        let cut = generalize("SELECT a FROM t WHERE k IN (1, 2, 'ab");
        assert_eq!((&*cut.text, cut.is_cut), ("SELECT a FROM t WHERE k IN (?)", true));
        assert!(!generalize("SELECT a FROM t").is_cut);
        assert!(generalize("INSERT INTO t (a").is_cut);
    }

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
