//! The items between the commas of a CREATE TABLE, and after the ADD of an ALTER TABLE.

use cql::{Diagnostic, Span};
use sqlparser::ast::{ColumnDef, TableConstraint};
use sqlparser::parser::{Parser, ParserError};
use sqlparser::tokenizer::{Token, TokenWithSpan};

use super::super::token;
use super::ClauseDeclaration;

/// A column or a constraint.
pub(super) enum TableItem {
    Column(Box<ColumnDef>),
    Constraint(Box<TableConstraint>),
    /// A constraint of which only the text is kept.
    Clause(ClauseDeclaration),
    /// `LIKE other`
    Like,
}

/// The place of a token.
pub(in crate::sql) fn token_span(token: &TokenWithSpan) -> Span {
    token::byte_span(token.span).unwrap_or_default()
}

/// The place of some tokens.
pub(in crate::sql) fn tokens_span(tokens: &[TokenWithSpan]) -> Span {
    match tokens {
        [first, .., last] => token_span(first).union(token_span(last)),
        [only] => token_span(only),
        [] => Span::default(),
    }
}

/// Whether the token is this keyword.
pub(in crate::sql) fn is_keyword(token: &TokenWithSpan, keyword: &str) -> bool {
    matches!(&token.token, Token::Word(word)
        if word.quote_style.is_none() && word.value.eq_ignore_ascii_case(keyword))
}

/// Whether the tokens start with these keywords.
pub(in crate::sql) fn has_prefix(tokens: &[TokenWithSpan], keywords: &[&str]) -> bool {
    tokens.len() >= keywords.len()
        && tokens.iter().zip(keywords).all(|(token, keyword)| is_keyword(token, keyword))
}

/// The tokens between the commas outside of all parentheses.
pub(in crate::sql) fn split_items(tokens: &[TokenWithSpan]) -> Vec<&[TokenWithSpan]> {
    let mut depth = 0_usize;
    let at_comma = |token: &TokenWithSpan| {
        match token.token {
            Token::LParen | Token::LBracket => depth += 1,
            Token::RParen | Token::RBracket => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0 && token.token == Token::Comma
    };
    tokens.split(at_comma).collect()
}

/// The tokens inside the parentheses that `tokens` starts with, and those behind them.
pub(in crate::sql) fn split_parentheses(
    tokens: &[TokenWithSpan],
) -> Option<(&[TokenWithSpan], &[TokenWithSpan])> {
    let mut depth = 0_usize;
    for (position, token) in tokens.iter().enumerate() {
        match token.token {
            Token::LParen => depth += 1,
            Token::RParen => depth = depth.checked_sub(1)?,
            _ => {}
        }
        if depth == 0 {
            return (position > 0).then(|| (&tokens[1..position], &tokens[position + 1..]));
        }
    }
    None
}

/// Reads an item.
pub(super) fn parse_item(tokens: &[TokenWithSpan], whole: Span) -> Result<TableItem, Diagnostic> {
    let unnamed =
        if has_prefix(tokens, &["constraint"]) { &tokens[2.min(tokens.len())..] } else { tokens };
    let starts_with = |keyword| unnamed.first().is_some_and(|token| is_keyword(token, keyword));
    if starts_with("exclude") || starts_with("check") {
        let parsed = parse_tokens(tokens, whole, Parser::parse_optional_table_constraint);
        let constraint = parsed.ok().flatten().map(Box::new).map(TableItem::Constraint);
        let unread = || TableItem::Clause(ClauseDeclaration::from_tokens(unnamed, whole));
        return Ok(constraint.unwrap_or_else(unread));
    }
    if starts_with("like") && tokens.len() == unnamed.len() {
        return Ok(TableItem::Like);
    }
    let constraint = ["primary", "unique", "foreign"].into_iter().any(starts_with);
    if constraint || tokens.len() != unnamed.len() {
        return parse_tokens(tokens, whole, |parser| {
            match parser.parse_optional_table_constraint()? {
                Some(constraint) => Ok(TableItem::Constraint(Box::new(constraint))),
                None => parser.expected("a constraint", parser.peek_token()),
            }
        });
    }
    parse_tokens(tokens, whole, |parser| {
        parser.parse_column_def().map(|column| TableItem::Column(Box::new(column)))
    })
}

/// Reads all of the tokens.
pub(super) fn parse_tokens<T>(
    tokens: &[TokenWithSpan],
    whole: Span,
    read: impl FnOnce(&mut Parser<'static>) -> Result<T, ParserError>,
) -> Result<T, Diagnostic> {
    token::parse_all(tokens.to_vec(), whole, read)
}
