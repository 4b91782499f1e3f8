//! CREATE DOMAIN: another name for a type.

use cql::{Diagnostic, Span};
use sqlparser::ast::Expr;
use sqlparser::parser::Parser;
use sqlparser::tokenizer::TokenWithSpan;

use super::super::source::SqlName;
use super::super::token;
use super::super::types::{SqlType, TypeRegistry};
use super::clause::spell_tokens;
use super::create_table;
use super::item::{has_prefix, is_keyword, split_parentheses};
use crate::diagnostics::error;

/// The expression after DEFAULT.
fn domain_default(tokens: &[TokenWithSpan], whole: Span) -> Result<Option<Box<Expr>>, Diagnostic> {
    let Some(at) = tokens.iter().position(|token| is_keyword(token, "default")) else {
        return Ok(None);
    };
    token::parse_prefix(tokens[at + 1..].to_vec(), whole, Parser::parse_expr)
        .map(Box::new)
        .map(Some)
}

/// Adds the conditions after CHECK; of those that the parser does not know, the text.
fn add_checks(ty: &mut SqlType, tokens: &[TokenWithSpan], whole: Span) {
    let starts = tokens.iter().enumerate().filter(|(_, token)| is_keyword(token, "check"));
    for (at, _) in starts {
        let Some((inside, rest)) = split_parentheses(&tokens[at + 1..]) else { continue };
        if let Ok(condition) = token::parse_all(inside.to_vec(), whole, Parser::parse_expr) {
            ty.checks.push(condition);
        } else {
            let clause = &tokens[at..tokens.len() - rest.len()];
            ty.unread_checks.push(spell_tokens(clause));
        }
    }
}

/// The name of a domain, and its type.
pub(in crate::sql) fn read_domain(
    types: &TypeRegistry,
    tokens: &[TokenWithSpan],
    whole: Span,
) -> Result<(SqlName, SqlType), Diagnostic> {
    let rest = tokens.get(2..).unwrap_or_default();
    let Some((name, rest)) = create_table::parse_name(rest) else {
        let help = "write CREATE DOMAIN name AS type";
        return Err(error("MF210", whole, "the name of CREATE DOMAIN is missing", help));
    };
    let skipped = usize::from(has_prefix(rest, &["as"]));
    let ty = rest[skipped..].to_vec();
    let place = create_table::parse_name(&ty).map_or(name.span, |(ty, _)| ty.span);
    let ty = token::parse_prefix(ty, whole, Parser::parse_data_type)?;
    let mut resolved = types.resolve(&ty, place)?;
    add_checks(&mut resolved, rest, whole);
    resolved.default = domain_default(rest, whole)?.or(resolved.default);
    resolved.not_null =
        rest.windows(2).any(|pair| is_keyword(&pair[0], "not") && is_keyword(&pair[1], "null"));
    Ok((name, resolved))
}
