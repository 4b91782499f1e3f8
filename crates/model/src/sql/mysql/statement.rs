//! Queries and writes of `MySQL`.

use std::collections::HashSet;

use cql::Diagnostic;
use sqlparser::tokenizer::{Token, TokenWithSpan};

use super::super::draft::ModelDraft;
use super::super::table::{has_prefix, is_keyword, split_items, split_parentheses, token_span};
use super::expression::rewrite_expressions;
use super::{keywords, replace};
use crate::diagnostics::error;

/// Words behind SELECT and INSERT that do not change the result.
const MODIFIERS: &[&str] = &[
    "delayed",
    "high_priority",
    "low_priority",
    "quick",
    "sql_cache",
    "sql_no_cache",
    "straight_join",
];

/// The start of ON DUPLICATE KEY UPDATE.
const ON_DUPLICATE: &[&str] = &["on", "duplicate", "key", "update"];

/// The tokens of a query or write, as `PostgreSQL` writes it.
pub(in crate::sql) fn rewrite_statement(
    draft: &mut ModelDraft,
    tokens: &[TokenWithSpan],
) -> Result<Vec<TokenWithSpan>, Diagnostic> {
    let tokens = remove_hints(tokens);
    let starts = |keyword: &str| has_prefix(&tokens, &[keyword]);
    if starts("replace") {
        let message = "REPLACE deletes every row with one of its keys and inserts another";
        let help = "write INSERT ... ON DUPLICATE KEY UPDATE, which keeps the row";
        return Err(error(
            "MF390",
            tokens.first().map(token_span).unwrap_or_default(),
            message,
            help,
        ));
    }
    if (starts("update") || starts("delete"))
        && let Some(ignore) = tokens.get(1).filter(|it| is_keyword(it, "ignore"))
    {
        let message = "IGNORE leaves out the rows that violate a constraint";
        return Err(error("MF390", token_span(ignore), message, "remove IGNORE"));
    }
    if starts("update") {
        check_sequence(assignments_of_update(&tokens))?;
    }
    if starts("insert") {
        return rewrite_expressions(&rewrite_clauses(&rewrite_insert(draft, &tokens)?));
    }
    rewrite_expressions(&rewrite_clauses(&tokens))
}

/// Without words that only say how the database proceeds.
fn remove_hints(tokens: &[TokenWithSpan]) -> Vec<TokenWithSpan> {
    let mut kept: Vec<TokenWithSpan> = Vec::with_capacity(tokens.len());
    let mut rest = tokens;
    while let [first, behind @ ..] = rest {
        rest = behind;
        if let Some(end) = skip_index_hint(first, behind) {
            rest = end;
            continue;
        }
        let is_verb = |it: &TokenWithSpan| {
            ["select", "insert", "update", "delete"].iter().any(|verb| is_keyword(it, verb))
        };
        let is_modifier = MODIFIERS.iter().any(|it| is_keyword(first, it));
        if is_modifier && kept.last().is_some_and(is_verb) {
            continue;
        }
        if is_keyword(first, "straight_join") {
            kept.extend(keywords(first, "JOIN"));
        } else if is_keyword(first, "distinctrow") {
            kept.extend(keywords(first, "DISTINCT"));
        } else {
            kept.push(first.clone());
        }
    }
    kept
}

/// `USE INDEX (a, b)`: the tokens behind it.
fn skip_index_hint<'t>(
    first: &TokenWithSpan,
    behind: &'t [TokenWithSpan],
) -> Option<&'t [TokenWithSpan]> {
    let verb = ["use", "force", "ignore"].iter().any(|it| is_keyword(first, it));
    let [index, list @ ..] = behind else { return None };
    let is_index = is_keyword(index, "index") || is_keyword(index, "key");
    (verb && is_index).then(|| split_parentheses(list))?.map(|(_, behind)| behind)
}

/// `LIMIT skipped, rows` and `LOCK IN SHARE MODE`.
fn rewrite_clauses(tokens: &[TokenWithSpan]) -> Vec<TokenWithSpan> {
    let mut rewritten = Vec::with_capacity(tokens.len());
    let mut rest = tokens;
    while let [first, behind @ ..] = rest {
        rest = behind;
        if has_prefix(behind, &["in", "share", "mode"]) && is_keyword(first, "lock") {
            rewritten.extend(keywords(first, "FOR SHARE"));
            rest = &behind[3..];
        } else if let [skipped, comma, rows, end @ ..] = behind
            && is_keyword(first, "limit")
            && comma.token == Token::Comma
        {
            rewritten.extend([first.clone(), rows.clone()]);
            if !matches!(&skipped.token, Token::Number(digits, _) if digits == "0") {
                rewritten.extend(keywords(comma, "OFFSET").chain([skipped.clone()]));
            }
            rest = end;
        } else {
            rewritten.push(first.clone());
        }
    }
    rewritten
}

/// `INSERT IGNORE`, `INSERT ... SET`, `VALUE` and ON DUPLICATE KEY UPDATE.
fn rewrite_insert(
    draft: &mut ModelDraft,
    tokens: &[TokenWithSpan],
) -> Result<Vec<TokenWithSpan>, Diagnostic> {
    let Some((insert, mut rest)) = tokens.split_first() else { return Ok(Vec::new()) };
    let ignore = rest.first().filter(|it| is_keyword(it, "ignore"));
    rest = if ignore.is_some() { &rest[1..] } else { rest };
    rest = if has_prefix(rest, &["into"]) { &rest[1..] } else { rest };
    let end = (0..rest.len()).find(|at| has_prefix(&rest[*at..], ON_DUPLICATE));
    let (row, update) = rest.split_at(end.unwrap_or(rest.len()));
    let mut rewritten: Vec<TokenWithSpan> = vec![insert.clone()];
    rewritten.extend(keywords(insert, "INTO"));
    let (row, alias) = split_alias(row);
    rewritten.extend(rewrite_row(row));
    if let Some(ignore) = ignore {
        let message = "INSERT IGNORE also leaves out rows without the row that they refer to, and changes values that do not fit: here only rows whose key exists are left out";
        draft.warn("MF275", token_span(ignore), message, "test such values in the application");
        rewritten.extend(keywords(ignore, "ON CONFLICT DO NOTHING"));
    } else if let [on, ..] = update {
        let set = rewrite_new_values(&update[ON_DUPLICATE.len()..], alias.as_deref());
        check_sequence(&set)?;
        rewritten.extend(keywords(on, "ON DUPLICATE KEY UPDATE"));
        rewritten.extend(set);
    }
    Ok(rewritten)
}

/// The row of an INSERT without the alias behind it, and the alias.
fn split_alias(row: &[TokenWithSpan]) -> (&[TokenWithSpan], Option<String>) {
    match row {
        [before @ .., keyword, alias] if is_keyword(keyword, "as") => match &alias.token {
            Token::Word(word) => (before, Some(word.value.to_lowercase())),
            _ => (row, None),
        },
        _ => (row, None),
    }
}

/// `t SET a = 1, b = 2`, as `t (a, b) VALUES (1, 2)`, and `VALUE` as `VALUES`.
fn rewrite_row(row: &[TokenWithSpan]) -> Vec<TokenWithSpan> {
    let Some(at) = row.iter().position(|it| {
        is_keyword(it, "set") || is_keyword(it, "value") || is_keyword(it, "values")
    }) else {
        return row.to_vec();
    };
    let (table, keyword, behind) = (&row[..at], &row[at], &row[at + 1..]);
    let mut rewritten = table.to_vec();
    if !is_keyword(keyword, "set") {
        rewritten.extend(keywords(keyword, "VALUES"));
        rewritten.extend(behind.iter().cloned());
        return rewritten;
    }
    let assignments: Vec<_> =
        split_items(behind).into_iter().filter_map(split_assignment).collect();
    let list = |parts: Vec<&[TokenWithSpan]>| {
        let inside = parts.join(&replace(keyword, Token::Comma));
        let (open, close) = (replace(keyword, Token::LParen), replace(keyword, Token::RParen));
        std::iter::once(open).chain(inside).chain([close]).collect::<Vec<_>>()
    };
    rewritten.extend(list(assignments.iter().map(|(column, _)| *column).collect()));
    rewritten.extend(keywords(keyword, "VALUES"));
    rewritten.extend(list(assignments.iter().map(|(_, value)| *value).collect()));
    rewritten
}

/// The column and the value of `column = value`.
fn split_assignment(item: &[TokenWithSpan]) -> Option<(&[TokenWithSpan], &[TokenWithSpan])> {
    let sign = item.iter().position(|it| matches!(it.token, Token::Eq | Token::Assignment))?;
    Some((&item[..sign], &item[sign + 1..]))
}

/// `VALUES(column)` and `new.column`, as `EXCLUDED.column`.
fn rewrite_new_values(set: &[TokenWithSpan], alias: Option<&str>) -> Vec<TokenWithSpan> {
    let mut rewritten = Vec::with_capacity(set.len());
    let mut rest = set;
    while let [first, behind @ ..] = rest {
        rest = behind;
        let of_row = is_keyword(first, "values").then(|| split_parentheses(behind)).flatten();
        let is_alias = matches!((&first.token, alias), (Token::Word(word), Some(alias)) if word.value.eq_ignore_ascii_case(alias));
        if let Some(([.., column], end)) = of_row {
            rewritten.extend(keywords(first, "EXCLUDED"));
            rewritten.extend([replace(first, Token::Period), column.clone()]);
            rest = end;
        } else if is_alias && matches!(behind, [period, ..] if period.token == Token::Period) {
            rewritten.extend(keywords(first, "EXCLUDED"));
        } else {
            rewritten.push(first.clone());
        }
    }
    rewritten
}

/// The assignments of an UPDATE.
fn assignments_of_update(tokens: &[TokenWithSpan]) -> &[TokenWithSpan] {
    let start =
        tokens.iter().position(|it| is_keyword(it, "set")).map_or(tokens.len(), |at| at + 1);
    let set = &tokens[start..];
    let is_end = |it: &TokenWithSpan| {
        ["where", "order", "limit", "returning"].iter().any(|word| is_keyword(it, word))
    };
    &set[..set.iter().position(is_end).unwrap_or(set.len())]
}

/// Refuses an assignment that reads a column which was set before it: `MySQL` sees the new value,
/// every other database the old one.
fn check_sequence(set: &[TokenWithSpan]) -> Result<(), Diagnostic> {
    let mut seen: HashSet<String> = HashSet::new();
    for (column, value) in split_items(set).into_iter().filter_map(split_assignment) {
        for (at, token) in value.iter().enumerate() {
            let Token::Word(word) = &token.token else { continue };
            let is_call = value.get(at + 1).is_some_and(|next| next.token == Token::LParen);
            let is_new = at >= 2 && is_keyword(&value[at - 2], "excluded");
            if !is_call && !is_new && seen.contains(&word.value.to_lowercase()) {
                let message = format!(
                    "{} is set before and read here: MySQL takes its new value",
                    word.value
                );
                let help = "write the assignment that reads it first";
                return Err(error("MF393", token_span(token), message, help));
            }
        }
        if let Some(Token::Word(word)) = column.last().map(|it| &it.token) {
            seen.insert(word.value.to_lowercase());
        }
    }
    Ok(())
}
