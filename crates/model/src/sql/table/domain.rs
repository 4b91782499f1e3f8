//! CREATE DOMAIN: another name for a type.

use cql::{Diagnostic, Span};
use sqlparser::parser::Parser;
use sqlparser::tokenizer::TokenWithSpan;

use super::super::source::SqlName;
use super::super::token;
use super::super::types::{SqlType, TypeRegistry};
use super::create_table;
use super::item::{has_prefix, is_keyword};
use crate::diagnostics::error;

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
    // Checks and defaults follow the type; they are ignored.
    let place = create_table::parse_name(&ty).map_or(name.span, |(ty, _)| ty.span);
    let ty = token::parse_prefix(ty, whole, Parser::parse_data_type)?;
    let mut resolved = types.resolve(&ty, place)?;
    resolved.not_null =
        rest.windows(2).any(|pair| is_keyword(&pair[0], "not") && is_keyword(&pair[1], "null"));
    Ok((name, resolved))
}
