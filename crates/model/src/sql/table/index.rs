//! CREATE UNIQUE INDEX, which makes a key.

use cql::Span;
use sqlparser::ast::{CreateIndex, Statement};
use sqlparser::tokenizer::TokenWithSpan;

use super::super::draft::ModelDraft;
use super::super::source::SqlName;
use super::super::token;
use super::item::is_keyword;
use super::{
    ClauseDeclaration, ExpressionKey, KeyDeclaration, TableDeclaration, column, create_table,
};

/// Reads a CREATE UNIQUE INDEX. Of one that the parser does not know only the text is kept.
pub(in crate::sql) fn read_unique_index(
    draft: &mut ModelDraft,
    tokens: &[TokenWithSpan],
    whole: Span,
) {
    let table = find_table_name(tokens);
    let parsed = match token::parse(tokens.to_vec(), whole) {
        Ok(Statement::CreateIndex(index)) => Some(index),
        _ => None,
    };
    let Some(name) = table else { return };
    // An index on something else, such as a materialized view, does not affect the tables.
    let Ok(table) = draft.tables.find_table(&name) else { return };
    let table = &mut draft.tables.list[table.index()];
    match parsed {
        Some(index) => add_index(table, index, name.span),
        None => table.clauses.push(ClauseDeclaration::from_tokens(tokens, name.span)),
    }
}

/// The table behind ON.
fn find_table_name(tokens: &[TokenWithSpan]) -> Option<SqlName> {
    let on = tokens.iter().position(|token| is_keyword(token, "on"))?;
    create_table::parse_name(&tokens[on + 1..]).map(|(name, _)| name)
}

fn add_index(table: &mut TableDeclaration, index: CreateIndex, span: Span) {
    let nulls_equal = index.nulls_distinct == Some(false);
    let Some(columns) = column::key_columns(&index.columns) else {
        let clause = ClauseDeclaration::from_index(&index.columns, index.predicate.as_ref(), span);
        let condition = index.predicate.map(Box::new);
        let parts = index.columns.into_iter().map(|part| part.column.expr).collect();
        table.expression_keys.push(ExpressionKey { parts, condition, nulls_equal, clause, span });
        return;
    };
    table.keys.push(KeyDeclaration {
        condition: index.predicate.map(Box::new),
        nulls_equal,
        ..KeyDeclaration::new(None, false, columns, span)
    });
}
