//! CREATE TABLE, ALTER TABLE and CREATE UNIQUE INDEX.

use sqlparser::tokenizer::{Token, TokenWithSpan};

use super::super::draft::ModelDraft;
use super::super::table::{
    has_prefix, is_keyword, parse_name, split_items, split_parentheses, token_span,
};
use super::column::TableTraits;
use super::column_type::read_collation;
use super::item::{key_tokens, reference_columns, rewrite_item};
use super::{keywords, replace};

/// The tokens of a CREATE TABLE, as `PostgreSQL` writes it.
pub(in crate::sql) fn rewrite_create(
    draft: &mut ModelDraft,
    tokens: &[TokenWithSpan],
) -> Vec<TokenWithSpan> {
    let at = tokens.iter().position(|it| is_keyword(it, "table")).map_or(tokens.len(), |at| at + 1);
    let Some((name, behind)) = parse_name(&tokens[at..]) else { return tokens.to_vec() };
    let header = &tokens[..tokens.len() - behind.len()];
    if let [like, ..] = behind
        && is_keyword(like, "like")
    {
        let close = replace(like, Token::RParen);
        let open = std::iter::once(replace(like, Token::LParen));
        return header
            .iter()
            .cloned()
            .chain(open)
            .chain(behind.iter().cloned())
            .chain([close])
            .collect();
    }
    let Some((inside, options)) = split_parentheses(behind) else { return tokens.to_vec() };
    if let Some(next) = options.iter().find(|it| is_keyword(it, "create")) {
        let message = "the statement before this CREATE is not terminated";
        draft.report(
            "MF011",
            token_span(next),
            message,
            "end the statement above with a semicolon",
        );
    }
    let items = split_items(inside);
    let is_binary = find_collation(options).unwrap_or(false);
    let table = TableTraits { name: name.text, is_binary, references: reference_columns(&items) };
    let mut rewritten = header.to_vec();
    rewritten.push(behind[0].clone());
    let body = rewrite_items(draft, &table, &items, &[]);
    rewritten.extend(body);
    rewritten.push(replace(&behind[inside.len() + 1], Token::RParen));
    rewritten
}

/// Rewrites items, each behind `before`, with commas between them.
fn rewrite_items(
    draft: &mut ModelDraft,
    table: &TableTraits,
    items: &[&[TokenWithSpan]],
    before: &[TokenWithSpan],
) -> Vec<TokenWithSpan> {
    let mut rewritten: Vec<TokenWithSpan> = Vec::new();
    for item in items {
        let found = match rewrite_item(draft, table, item) {
            Ok(found) => found,
            Err(error) => {
                draft.errors.push(error);
                item.to_vec()
            }
        };
        if let [first, ..] = found.as_slice() {
            if !rewritten.is_empty() {
                rewritten.push(replace(first, Token::Comma));
            }
            rewritten.extend(before.iter().cloned());
            rewritten.extend(found);
        }
    }
    rewritten
}

/// Whether the collation of a table compares by bytes; the last that is stated counts.
fn find_collation(options: &[TokenWithSpan]) -> Option<bool> {
    (0..options.len()).rev().find_map(|at| read_collation(&options[at..])).map(|(binary, _)| binary)
}

/// The tokens of an ALTER TABLE, as `PostgreSQL` writes it.
pub(in crate::sql) fn rewrite_alter(
    draft: &mut ModelDraft,
    tokens: &[TokenWithSpan],
) -> Vec<TokenWithSpan> {
    let Some((name, behind)) = parse_name(tokens.get(2..).unwrap_or_default()) else {
        return tokens.to_vec();
    };
    let mut rewritten = tokens[..tokens.len() - behind.len()].to_vec();
    let actions = split_items(behind);
    let added: Vec<&[TokenWithSpan]> =
        actions.iter().filter_map(|action| find_addition(action)).collect();
    let table =
        TableTraits { name: name.text, is_binary: false, references: reference_columns(&added) };
    let mut is_first = true;
    for action in actions {
        let found = rewrite_action(draft, &table, action);
        let Some(start) = found.first() else { continue };
        if !std::mem::take(&mut is_first) {
            rewritten.push(replace(start, Token::Comma));
        }
        rewritten.extend(found);
    }
    rewritten
}

/// What an ADD adds.
fn find_addition(action: &[TokenWithSpan]) -> Option<&[TokenWithSpan]> {
    let [add, item @ ..] = action else { return None };
    let item = if has_prefix(item, &["column"]) { &item[1..] } else { item };
    is_keyword(add, "add").then_some(item)
}

/// An action of ALTER TABLE; empty where it does not affect the model.
fn rewrite_action(
    draft: &mut ModelDraft,
    table: &TableTraits,
    action: &[TokenWithSpan],
) -> Vec<TokenWithSpan> {
    let [first, behind @ ..] = action else { return Vec::new() };
    if let Some(item) = find_addition(action) {
        return rewrite_items(draft, table, &[item], std::slice::from_ref(first));
    }
    let is_modify = is_keyword(first, "modify");
    if !is_modify && !is_keyword(first, "change") {
        return action.to_vec();
    }
    let column = if has_prefix(behind, &["column"]) { &behind[1..] } else { behind };
    let Some(name) = column.first() else { return action.to_vec() };
    // Dumps declare the numbering of a column after its table; its type stays.
    let is_numbered = is_modify && column.iter().any(|it| is_keyword(it, "auto_increment"));
    let change = if is_numbered { "ADD GENERATED BY DEFAULT AS IDENTITY" } else { "TYPE" };
    let alter = keywords(first, "ALTER COLUMN").chain([name.clone()]);
    alter.chain(keywords(first, change)).collect()
}

/// The tokens of a CREATE UNIQUE INDEX, as `PostgreSQL` writes it: without the lengths of prefixes.
pub(in crate::sql) fn rewrite_index(
    draft: &mut ModelDraft,
    tokens: &[TokenWithSpan],
) -> Vec<TokenWithSpan> {
    let on = tokens.iter().position(|it| is_keyword(it, "on"));
    let Some((_, list)) = on.and_then(|on| parse_name(&tokens[on + 1..])) else {
        return tokens.to_vec();
    };
    let mut rewritten = tokens[..tokens.len() - list.len()].to_vec();
    let columns = key_tokens(draft, "UNIQUE", list);
    rewritten.extend(columns.into_iter().skip(1));
    rewritten
}
