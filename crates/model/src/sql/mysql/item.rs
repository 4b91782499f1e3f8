//! The items between the commas of a CREATE TABLE, and behind the ADD of an ALTER TABLE.

use cql::Diagnostic;
use sqlparser::tokenizer::{Token, TokenWithSpan};

use super::super::draft::ModelDraft;
use super::super::table::{has_prefix, is_keyword, split_items, split_parentheses, tokens_span};
use super::column::{TableTraits, rewrite_column};
use super::expression::rewrite_expressions;
use super::{keywords, replace};

/// The tokens of a column or constraint, as `PostgreSQL` writes it; none for an index.
pub(super) fn rewrite_item(
    draft: &mut ModelDraft,
    table: &TableTraits,
    item: &[TokenWithSpan],
) -> Result<Vec<TokenWithSpan>, Diagnostic> {
    let unnamed = strip_constraint_name(item);
    let [first, behind @ ..] = unnamed else { return Ok(item.to_vec()) };
    let is = |keyword: &str| is_keyword(first, keyword);
    if is("key") || is("index") || is("fulltext") || is("spatial") || is("period") {
        return Ok(Vec::new());
    }
    if is("primary") && has_prefix(behind, &["key"]) {
        return Ok(key_tokens(draft, "PRIMARY KEY", unnamed));
    }
    if is("unique") {
        return Ok(key_tokens(draft, "UNIQUE", unnamed));
    }
    if is("foreign") && has_prefix(behind, &["key"]) {
        return Ok(foreign_key_tokens(unnamed));
    }
    if is("check") {
        return check_tokens(unnamed);
    }
    if is("like") || unnamed.len() != item.len() {
        return Ok(unnamed.to_vec());
    }
    rewrite_expressions(&rewrite_column(draft, table, item))
}

/// The columns of the foreign keys among the items.
pub(super) fn reference_columns(items: &[&[TokenWithSpan]]) -> Vec<String> {
    let foreign = items
        .iter()
        .map(|item| strip_constraint_name(item))
        .filter(|item| has_prefix(item, &["foreign", "key"]));
    let lists = foreign.filter_map(|item| {
        let open = item.iter().position(|it| it.token == Token::LParen)?;
        split_parentheses(&item[open..]).map(|(inside, _)| inside)
    });
    let words = lists.flatten().filter_map(|it| match &it.token {
        Token::Word(word) => Some(word.value.to_lowercase()),
        _ => None,
    });
    words.collect()
}

/// An item without `CONSTRAINT name`, of which the name may be missing.
fn strip_constraint_name(item: &[TokenWithSpan]) -> &[TokenWithSpan] {
    const KINDS: &[&str] = &["primary", "unique", "foreign", "check"];
    let [first, behind @ ..] = item else { return item };
    if !is_keyword(first, "constraint") {
        return item;
    }
    let is_kind = behind.first().is_some_and(|it| KINDS.iter().any(|kind| is_keyword(it, kind)));
    behind.get(usize::from(!is_kind)..).unwrap_or_default()
}

/// `PRIMARY KEY (columns)` or `UNIQUE (columns)`; none for one over expressions.
pub(super) fn key_tokens(
    draft: &mut ModelDraft,
    words: &str,
    item: &[TokenWithSpan],
) -> Vec<TokenWithSpan> {
    let open = item.iter().position(|it| it.token == Token::LParen);
    let Some((inside, _)) = open.and_then(|open| split_parentheses(&item[open..])) else {
        return item.to_vec();
    };
    let mut columns: Vec<TokenWithSpan> = Vec::new();
    for part in split_items(inside) {
        let [column, behind @ ..] = part else { continue };
        if column.token == Token::LParen {
            warn_key(draft, item, "an expression is not held to be unique");
            return Vec::new();
        }
        if behind.first().is_some_and(|next| next.token == Token::LParen) {
            warn_key(draft, item, "the whole value is held to be unique, not its first characters");
        }
        if !columns.is_empty() {
            columns.push(replace(column, Token::Comma));
        }
        columns.push(column.clone());
    }
    let Some(first) = item.first() else { return Vec::new() };
    let mut tokens: Vec<_> = keywords(first, words).collect();
    tokens.push(replace(first, Token::LParen));
    tokens.extend(columns);
    tokens.push(replace(first, Token::RParen));
    tokens
}

fn warn_key(draft: &mut ModelDraft, item: &[TokenWithSpan], message: &str) {
    let help = "declare a column with the value that must be unique, and make it UNIQUE";
    draft.warn("MF273", tokens_span(item), message, help);
}

/// `FOREIGN KEY (columns) REFERENCES ...`, without the name of its index.
fn foreign_key_tokens(item: &[TokenWithSpan]) -> Vec<TokenWithSpan> {
    let open = item.iter().position(|it| it.token == Token::LParen).unwrap_or(item.len());
    item.iter().take(2).chain(item.iter().skip(open.max(2))).cloned().collect()
}

/// `CHECK (condition)`; none if it is not enforced.
fn check_tokens(item: &[TokenWithSpan]) -> Result<Vec<TokenWithSpan>, Diagnostic> {
    let Some((_, behind)) = split_parentheses(item.get(1..).unwrap_or_default()) else {
        return Ok(item.to_vec());
    };
    if has_prefix(behind, &["not", "enforced"]) {
        return Ok(Vec::new());
    }
    rewrite_expressions(&item[..item.len() - behind.len()])
}
