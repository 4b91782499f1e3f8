//! The tokens of `MySQL`, with names and strings as `PostgreSQL` writes them.

use cql::{Diagnostic, Span};
use sqlparser::dialect::{Dialect, MySqlDialect};
use sqlparser::keywords::Keyword;
use sqlparser::tokenizer::{Token, TokenWithSpan, Word};

use super::super::scan::SqlComment;
use super::super::token;
use super::replace;

/// The version of comments with which dumps declare a table in place of each view, and drop it
/// again.
const VIEW_VERSION: &[u8] = b"50001";

/// Comments of a version from here on are carried out by no database.
const NO_VERSION: &[u8] = b"999999";

/// The lexical rules of `MySQL`; `@name` is a parameter of sqlc and no variable.
#[derive(Debug)]
struct MysqlLexicon;

impl Dialect for MysqlLexicon {
    fn dialect(&self) -> std::any::TypeId {
        MySqlDialect {}.dialect()
    }

    fn is_delimited_identifier_start(&self, ch: char) -> bool {
        ch == '`'
    }

    fn is_identifier_start(&self, ch: char) -> bool {
        ch != '@' && MySqlDialect {}.is_identifier_start(ch)
    }

    fn is_identifier_part(&self, ch: char) -> bool {
        ch != '@' && MySqlDialect {}.is_identifier_part(ch)
    }

    fn supports_string_literal_backslash_escape(&self) -> bool {
        true
    }

    fn ignores_wildcard_escapes(&self) -> bool {
        true
    }

    fn supports_numeric_prefix(&self) -> bool {
        true
    }

    fn requires_single_line_comment_whitespace(&self) -> bool {
        true
    }
}

/// The tokens of the statement at `span`, without white space and comments.
pub(in crate::sql) fn tokenize(
    file: &str,
    span: Span,
    comments: &[SqlComment],
) -> Result<Vec<TokenWithSpan>, Diagnostic> {
    let tokens = token::tokenize_by(&MysqlLexicon, file, span, comments)?;
    token::check_depth(&tokens, span)?;
    let mut converted: Vec<TokenWithSpan> = Vec::with_capacity(tokens.len());
    for found in tokens {
        let token = convert(&found.token);
        let is_string = matches!(token, Token::SingleQuotedString(_));
        if is_string && converted.last().is_some_and(|last| is_introducer(&last.token)) {
            converted.pop();
        }
        converted.push(replace(&found, token));
    }
    quote_user(&mut converted);
    Ok(converted)
}

/// Quotes `user`, which is a name like others here: in `PostgreSQL` it is the user of the database.
fn quote_user(tokens: &mut [TokenWithSpan]) {
    for at in 0..tokens.len() {
        let is_called = tokens.get(at + 1).is_some_and(|next| next.token == Token::LParen);
        let is_account = at.checked_sub(1).is_some_and(|before| {
            matches!(&tokens[before].token, Token::Word(word)
                if matches!(word.keyword, Keyword::CREATE | Keyword::ALTER | Keyword::DROP))
        });
        if let Token::Word(word) = &mut tokens[at].token
            && word.keyword == Keyword::USER
            && !is_called
            && !is_account
        {
            word.value = word.value.to_lowercase();
            (word.keyword, word.quote_style) = (Keyword::NoKeyword, Some('"'));
        }
    }
}

/// A token as `PostgreSQL` writes it. Names of columns are the same in any case, so that all are in
/// lower case.
fn convert(token: &Token) -> Token {
    match token {
        Token::Word(word) if word.quote_style == Some('`') => Token::Word(Word {
            value: word.value.to_lowercase(),
            quote_style: Some('"'),
            keyword: Keyword::NoKeyword,
        }),
        Token::DoubleQuotedString(text) => Token::SingleQuotedString(text.clone()),
        Token::SingleQuotedByteStringLiteral(bits) => match u64::from_str_radix(bits, 2) {
            Ok(number) => Token::Number(number.to_string(), false),
            Err(_) => token.clone(),
        },
        _ => token.clone(),
    }
}

/// The character set before a string: `_utf8mb4'x'`.
fn is_introducer(token: &Token) -> bool {
    const SETS: &[&str] = &["_ascii", "_latin1", "_utf8", "_utf8mb3", "_utf8mb4"];
    matches!(token, Token::Word(word)
        if word.quote_style.is_none() && SETS.iter().any(|it| word.value.eq_ignore_ascii_case(it)))
}

/// The length of the mark of a comment that the database carries out: `/*!40101`, and `/*M!100100` of
/// `MariaDB`; `None` where the text does not begin with one.
pub(in crate::sql) fn executable_mark_length(text: &[u8]) -> Option<usize> {
    let prefix = [&b"/*!"[..], b"/*M!"].into_iter().find(|it| text.starts_with(it))?.len();
    let digits = text[prefix..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let version = &text[prefix..prefix + digits];
    let is_dead = digits == NO_VERSION.len() && version >= NO_VERSION;
    ((5..=6).contains(&digits) && version != VIEW_VERSION && !is_dead).then_some(prefix + digits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_that_are_carried_out() {
        for (text, length) in [
            ("/*!40101 SET", Some(8)),
            ("/*M!100100 x", Some(10)),
            ("/*!50001 CREATE TABLE", None),
            ("/*!999999\\- enable", None),
            ("/* 40101", None),
            ("/*! note */", None),
        ] {
            assert_eq!(executable_mark_length(text.as_bytes()), length, "{text}");
        }
    }
}
