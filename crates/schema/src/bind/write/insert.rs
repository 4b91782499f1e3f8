//! INSERT.

use std::sync::Arc;

use cql::relation::{Operator, Relation, RelationKind};
use cql::statement::write::{Insert, InsertValues};
use cql::term::Term;
use cql::{Name, Span};

use super::operation::{self, Operation};
use super::{
    BoundAttributes, BoundConditions, BoundWrite, analyse_rows, attributes, insert_json,
    is_static_only, validate,
};
use crate::bind::context::Context;
use crate::bind::restrictions::{StatementType, existing_column};
use crate::catalog::{ColumnKind, Table};
use crate::refusal::{RestrictionReason, WriteReason, refuse};
use crate::{Refusal, Result};

/// Binds an INSERT of either form.
pub(in crate::bind) fn bind(cx: &mut Context<'_>, insert: &Insert) -> Result<BoundWrite> {
    let table = cx.table(&insert.table)?;
    let using = attributes::bind(cx, &insert.using, &table.keyspace, &table.name)?;
    let conditions =
        if insert.if_not_exists { BoundConditions::NotExists } else { BoundConditions::None };
    if table.is_counter() {
        return Err(Refusal::new(WriteReason::InsertIntoCounters, insert.table.span())
            .with_help("write `UPDATE ... SET c = c + 1 WHERE ...`; it creates the row too")
            .into());
    }
    let write = match &insert.values {
        InsertValues::Columns { columns, values } => {
            let form = InsertParts { table, using, conditions };
            bind_columns(cx, form, columns, values)?
        }
        InsertValues::Json { value, default_unset } => {
            let (rows, operations) = insert_json::bind(cx, &table, value, *default_unset)?;
            let statement = StatementType::Insert;
            BoundWrite { statement, table, rows, operations, conditions, using, span: cx.span }
        }
    };
    validate::check_prepared(&write)?;
    Ok(write)
}

/// The common parts of both forms of INSERT.
struct InsertParts {
    table: Arc<Table>,
    using: BoundAttributes,
    conditions: BoundConditions,
}

fn bind_columns(
    cx: &mut Context<'_>,
    form: InsertParts,
    columns: &[Name],
    values: &[Term],
) -> Result<BoundWrite> {
    check_columns(columns, values)?;
    let table = &form.table;
    let mut relations = Vec::new();
    let mut operations = Vec::new();
    let mut names_clustering = false;
    for (name, value) in columns.iter().zip(values) {
        let column = existing_column(table, name)?;
        let definition = &table.columns()[column];
        names_clustering |= definition.kind == ColumnKind::Clustering;
        if definition.is_primary_key() {
            let kind = RelationKind::Column(name.clone(), Operator::Eq, value.clone());
            relations.push(Relation { kind, span: value.span });
        } else {
            let kind = operation::bind_set(cx, table, column, value)?;
            operations.push(Operation { column, kind, span: value.span });
        }
    }
    let statement = StatementType::Insert;
    let only_statics =
        !names_clustering && is_static_only(table, statement, &operations, &form.conditions);
    let rows = analyse_rows(cx, statement, table, &relations, only_statics)?;
    if let Some(clustering) = table.implicit_clustering().filter(|_| operations.is_empty()) {
        return Err(Refusal::new(
            RestrictionReason::MissingClustering { columns: clustering.name.to_string() },
            cx.span,
        )
        .with_help("name a column outside the key; without one, COMPACT STORAGE stores no row")
        .into());
    }
    let InsertParts { table, using, conditions } = form;
    Ok(BoundWrite { statement, table, rows, operations, conditions, using, span: cx.span })
}

fn check_columns(columns: &[Name], values: &[Term]) -> Result<()> {
    let span =
        |spans: &mut dyn Iterator<Item = Span>| spans.reduce(Span::union).unwrap_or_default();
    if columns.is_empty() {
        let span = span(&mut values.iter().map(|value| value.span));
        return refuse(WriteReason::NoColumns, span);
    }
    if columns.len() != values.len() {
        let span = span(&mut columns.iter().map(|name| name.span));
        let (named, given) = (columns.len(), values.len());
        let help =
            format!("write a value for each column; there are {named} columns and {given} values");
        return Err(Refusal::new(WriteReason::UnmatchedValues, span).with_help(help).into());
    }
    let mut seen = std::collections::HashSet::with_capacity(columns.len());
    match columns.iter().find(|name| !seen.insert(&name.text)) {
        Some(again) => refuse(WriteReason::DuplicateColumns, again.span),
        None => Ok(()),
    }
}
