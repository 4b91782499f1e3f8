//! CREATE UNIQUE INDEX, which makes a key.

use cql::Span;
use sqlparser::ast::Statement;
use sqlparser::tokenizer::TokenWithSpan;

use super::super::draft::ModelDraft;
use super::super::source::SqlName;
use super::super::token;
use super::{KeyDeclaration, column};

/// Reads a CREATE UNIQUE INDEX. One over expressions is not read.
pub(in crate::sql) fn read_unique_index(
    draft: &mut ModelDraft,
    tokens: Vec<TokenWithSpan>,
    whole: Span,
) {
    // An index that the parser does not support does not make a key.
    let Ok(Statement::CreateIndex(index)) = token::parse(tokens, whole) else { return };
    let Some(columns) = column::key_columns(&index.columns) else { return };
    let Some(name) = SqlName::from_object_name(&index.table_name) else { return };
    let condition = index.predicate.map(Box::new);
    // An index on something else, such as a materialized view, does not affect the tables.
    if let Ok(table) = draft.tables.find_table(&name) {
        let table = &mut draft.tables.list[table.index()];
        table.keys.push(KeyDeclaration {
            name: None,
            primary: false,
            columns,
            condition,
            span: name.span,
        });
    }
}
