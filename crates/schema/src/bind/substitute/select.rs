//! The substitution of values in SELECT.

use std::sync::Arc;

use super::restriction::restrictions;
use super::value::{ExecutionValues, unset_to_empty};
use crate::Result;
use crate::bind::select::{Aggregation, BoundSelect, GroupFunction};
use crate::bind::selection::{Expression, SelectedColumn, Selection};
use crate::bind::term::BoundTerm;
use crate::refusal::{ValueReason, refuse};

/// A SELECT with values.
pub(super) fn select(values: &ExecutionValues<'_>, from: &BoundSelect) -> Result<BoundSelect> {
    let limit = limit(values, from.limit.as_ref())?;
    let per_partition_limit = self::limit(values, from.per_partition_limit.as_ref())?;
    let mut orderings = from.orderings.clone();
    for ordering in &mut orderings {
        if let Some(vector) = &mut ordering.nearest_to {
            *vector = values.term(vector)?;
        }
    }
    Ok(BoundSelect {
        table: from.table.clone(),
        selection: selection(values, &from.selection)?,
        restrictions: restrictions(values, &from.restrictions)?,
        aggregation: aggregation(values, from.aggregation.as_ref())?,
        orderings,
        limit,
        per_partition_limit,
        ..*from
    })
}

/// An unset limit is no limit.
fn limit(values: &ExecutionValues<'_>, limit: Option<&BoundTerm>) -> Result<Option<BoundTerm>> {
    let Some(limit) = limit else { return Ok(None) };
    Ok(Some(values.term(limit)?).filter(|limit| *limit != BoundTerm::Unset))
}

fn aggregation(
    values: &ExecutionValues<'_>,
    from: Option<&Aggregation>,
) -> Result<Option<Aggregation>> {
    let Some(Aggregation::KeyPrefix { clustering_columns, function: Some(function) }) = from else {
        return Ok(from.cloned());
    };
    let expression = expression(values, &function.expression)?;
    let function = Some(GroupFunction { expression, span: function.span });
    Ok(Some(Aggregation::KeyPrefix { clustering_columns: *clustering_columns, function }))
}

/// The selection with values; shared if it has no markers.
fn selection(values: &ExecutionValues<'_>, from: &Arc<Selection>) -> Result<Arc<Selection>> {
    if !from.columns.iter().any(|column| has_marker(&column.expression)) {
        return Ok(Arc::clone(from));
    }
    let column = |column: &SelectedColumn| {
        Ok(SelectedColumn {
            name: column.name.clone(),
            ty: column.ty.clone(),
            expression: expression(values, &column.expression)?,
        })
    };
    let columns = from.columns.iter().map(column).collect::<Result<_>>()?;
    Ok(Selection { columns, columns_read: from.columns_read.clone(), ..**from }.into())
}

fn has_marker(expression: &Expression) -> bool {
    match expression {
        Expression::Column(_) => false,
        Expression::Term(term) => term.contains_marker(),
        Expression::CellInfo { of, .. } | Expression::Field(of, _) => has_marker(of),
        Expression::Call { arguments: parts, .. }
        | Expression::Collection { elements: parts, .. } => parts.iter().any(has_marker),
        Expression::Element { of, key, .. } => has_marker(of) || key.contains_marker(),
        Expression::Slice { of, from, to, .. } => {
            has_marker(of) || from.iter().chain(to).any(BoundTerm::contains_marker)
        }
        Expression::Map { entries, .. } => {
            entries.iter().any(|(key, value)| has_marker(key) || has_marker(value))
        }
        Expression::UserType { fields, .. } => fields.iter().any(|(_, value)| has_marker(value)),
    }
}

/// An expression with values. Unset values become empty, except in the arguments of calls, which
/// are refused later.
fn expression(values: &ExecutionValues<'_>, from: &Expression) -> Result<Expression> {
    let boxed = |from: &Expression| expression(values, from).map(Box::new);
    let all = |from: &[Expression]| {
        from.iter().map(|part| expression(values, part)).collect::<Result<Vec<_>>>()
    };
    Ok(match from {
        Expression::Column(at) => Expression::Column(*at),
        Expression::Term(term) => Expression::Term(unset_to_empty(values.term(term)?)),
        Expression::CellInfo { info, column, of } => {
            Expression::CellInfo { info: *info, column: *column, of: boxed(of)? }
        }
        Expression::Call { function, arguments } => {
            let argument = |argument: &Expression| match argument {
                Expression::Term(term) => values.term(term).map(Expression::Term),
                other => expression(values, other),
            };
            let arguments = arguments.iter().map(argument).collect::<Result<_>>()?;
            Expression::Call { function: function.clone(), arguments }
        }
        Expression::Field(of, field) => Expression::Field(boxed(of)?, *field),
        Expression::Element { of, name, key } => {
            let key = values.term(key)?;
            if key == BoundTerm::Unset {
                return refuse(ValueReason::UnsetElement { name: name.to_string() }, values.span);
            }
            Expression::Element { of: boxed(of)?, name: name.clone(), key }
        }
        Expression::Slice { of, name, from, to } => Expression::Slice {
            of: boxed(of)?,
            name: name.clone(),
            from: limit(values, from.as_ref())?,
            to: limit(values, to.as_ref())?,
        },
        Expression::Collection { ty, elements } => {
            Expression::Collection { ty: ty.clone(), elements: all(elements)? }
        }
        Expression::Map { ty, entries } => {
            let entry = |(key, value): &(Expression, Expression)| {
                Ok((expression(values, key)?, expression(values, value)?))
            };
            let entries = entries.iter().map(entry).collect::<Result<_>>()?;
            Expression::Map { ty: ty.clone(), entries }
        }
        Expression::UserType { ty, fields } => {
            let field = |(at, value): &(usize, Expression)| Ok((*at, expression(values, value)?));
            let fields = fields.iter().map(field).collect::<Result<_>>()?;
            Expression::UserType { ty: ty.clone(), fields }
        }
    })
}
