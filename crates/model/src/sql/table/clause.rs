//! Constraints that no design can carry, of which only the text is kept: writes state them as
//! preconditions.

use cql::Span;
use sqlparser::ast::{Expr, IndexColumn};
use sqlparser::tokenizer::TokenWithSpan;

/// The text of some tokens.
pub(super) fn spell_tokens(tokens: &[TokenWithSpan]) -> String {
    let words: Vec<String> = tokens.iter().map(|token| token.token.to_string()).collect();
    words.join(" ")
}

/// A constraint of which only the text is known.
#[derive(Clone, Debug)]
pub(in crate::sql) struct ClauseDeclaration {
    /// The clause.
    pub sql: String,
    /// Its place in the file.
    pub span: Span,
    /// What to write instead.
    pub help: String,
}

impl ClauseDeclaration {
    /// A clause that the application has to check.
    pub(super) fn new(sql: String, span: Span) -> Self {
        Self { sql, span, help: "check it in the application: no table can enforce it".to_owned() }
    }

    /// A clause in tokens that the parser does not know.
    pub(super) fn from_tokens(tokens: &[TokenWithSpan], span: Span) -> Self {
        Self::new(spell_tokens(tokens), span)
    }

    /// UNIQUE over columns of which one is an expression.
    pub(super) fn from_index(
        columns: &[IndexColumn],
        condition: Option<&Expr>,
        span: Span,
    ) -> Self {
        let parts: Vec<String> = columns.iter().map(|it| it.column.expr.to_string()).collect();
        let condition = condition.map(|it| format!(" WHERE {it}")).unwrap_or_default();
        let sql = format!("UNIQUE ({}){condition}", parts.join(", "));
        let is_name = |it: &&IndexColumn| matches!(it.column.expr, Expr::Identifier(_));
        let help = columns.iter().find(|it| !is_name(it)).map_or_else(String::new, |computed| {
            let expression = &computed.column.expr;
            format!(
                "add a generated column and make it unique: `name text GENERATED ALWAYS AS ({expression}) STORED UNIQUE`"
            )
        });
        Self { sql, span, help }
    }
}
