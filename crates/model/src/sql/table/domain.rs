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
    let behind = tokens.get(2..).unwrap_or_default();
    let Some((name, behind)) = create_table::parse_name(behind) else {
        let help = "write CREATE DOMAIN name AS type";
        return Err(error("MF210", whole, "the name of CREATE DOMAIN is missing", help));
    };
    let skipped = usize::from(has_prefix(behind, &["as"]));
    let ty = behind[skipped..].to_vec();
    // Checks and defaults stand behind the type: what the parser leaves is no concern of ours.
    let place = create_table::parse_name(&ty).map_or(name.span, |(ty, _)| ty.span);
    let ty = token::parse_prefix(ty, whole, Parser::parse_data_type)?;
    let mut resolved = types.resolve(&ty, place)?;
    resolved.not_null =
        behind.windows(2).any(|pair| is_keyword(&pair[0], "not") && is_keyword(&pair[1], "null"));
    Ok((name, resolved))
}
