//! GROUP BY, and aggregates without it.

use std::sync::Arc;

use cql::Span;
use cql::selectable::{Selectable, SelectableKind};
use cql::statement::select::{Select, Selector};

use super::BoundSelect;
use crate::bind::context::Context;
use crate::bind::function::{Function, FunctionKind, SYSTEM};
use crate::bind::restrictions::{Restrictions, existing_column};
use crate::bind::selection::{
    self, Expression, PreparedSelectable, PreparedSelectableKind, Selection,
};
use crate::catalog::{ColumnKind, Table};
use crate::refusal::{SelectionReason, refuse};
use crate::{Refusal, Result};

/// How rows are grouped.
#[derive(Clone, Debug, PartialEq)]
pub enum Aggregation {
    /// All rows: aggregates without GROUP BY.
    Everything,
    /// The rows of a partition with equal first clustering columns.
    KeyPrefix {
        /// The number of clustering columns; 0 groups whole partitions.
        clustering_columns: usize,
        /// The function on the last of them.
        function: Option<GroupFunction>,
    },
}

/// A function on the last clustering column of a group.
#[derive(Clone, Debug, PartialEq)]
pub struct GroupFunction {
    /// The call.
    pub expression: Expression,
    /// Where it stands.
    pub span: Span,
}

/// Binds GROUP BY.
pub(super) fn bind(
    cx: &mut Context<'_>,
    select: &Select,
    table: &Arc<Table>,
    selection: &Selection,
    restrictions: &Restrictions,
) -> Result<Option<Aggregation>> {
    if select.group_by.is_empty() {
        return Ok(selection.is_aggregate.then_some(Aggregation::Everything));
    }
    let key = table.primary_key();
    let mut next = 0;
    let mut function = None;
    for group in &select.group_by {
        let column = if let SelectableKind::Column(name) = &group.kind {
            let column = existing_column(table, name)?;
            check_column(table, column, function.is_some(), group.span)?;
            column
        } else {
            let (expression, column) = bind_function(cx, table, group)?;
            function = Some(GroupFunction { expression, span: group.span });
            column
        };
        loop {
            let at = next;
            next += 1;
            if at == column {
                break;
            }
            if at >= key.len() || !restrictions.is_equal_restricted(at) {
                return refuse(SelectionReason::GroupOrder, group.span);
            }
        }
    }
    let span =
        select.group_by.iter().map(|group| group.span).reduce(Span::union).unwrap_or(cx.span);
    let partition_columns = table.partition_key().len();
    if next < partition_columns {
        return refuse(SelectionReason::GroupPartOfKey, span);
    }
    let clustering_columns = next - partition_columns;
    if clustering_columns > 0 && select.distinct {
        return refuse(SelectionReason::GroupDistinct, span);
    }
    Ok(Some(Aggregation::KeyPrefix { clustering_columns, function }))
}

fn check_column(table: &Table, column: usize, after_function: bool, span: Span) -> Result<()> {
    let column = &table.columns()[column];
    if !column.is_primary_key() {
        return refuse(SelectionReason::GroupColumn { column: column.name.to_string() }, span);
    }
    if after_function {
        return refuse(SelectionReason::GroupFunctionLast, span);
    }
    Ok(())
}

/// Binds a function on one clustering column, and returns the column.
fn bind_function(
    cx: &mut Context<'_>,
    table: &Arc<Table>,
    group: &Selectable,
) -> Result<(Expression, usize)> {
    let refuse = |reason: SelectionReason| refuse(reason, group.span);
    let prepared = PreparedSelectable::new(cx, table, group)?;
    let PreparedSelectableKind::Call(function, _) = &prepared.kind else {
        return Err(no_column(&prepared.kind, group.span).into());
    };
    if function.is_aggregate() {
        let name = &function.name;
        return refuse(SelectionReason::GroupAggregate { function: name.to_string() });
    }
    let selector = Selector { expression: group.clone(), alias: None };
    let mut bound = selection::bind(cx, table, std::slice::from_ref(&selector), false)?;
    let column = match bound.columns_read.as_slice() {
        [] => {
            return refuse(SelectionReason::GroupFunctionColumn);
        }
        [column] => *column,
        several => {
            let names: Vec<String> = several
                .iter()
                .map(|column| cql::printer::identifier(&table.columns()[*column].name))
                .collect();
            return refuse(SelectionReason::GroupFunctionColumns { columns: names.join(",") });
        }
    };
    let definition = &table.columns()[column];
    if definition.kind != ColumnKind::Clustering {
        let name = &definition.name;
        return refuse(SelectionReason::GroupFunctionOther { column: name.to_string() });
    }
    match bound.columns.pop() {
        Some(selected) => Ok((selected.expression, column)),
        None => refuse(SelectionReason::GroupFunctionColumn),
    }
}

/// The server fails on anything but a column or a function.
fn no_column(kind: &PreparedSelectableKind<'_>, span: Span) -> Refusal {
    let class = match kind {
        PreparedSelectableKind::Column(_) | PreparedSelectableKind::Call(..) => "WithFunction",
        PreparedSelectableKind::Term(_) => "WithTerm",
        PreparedSelectableKind::CellInfo(..) => "WritetimeOrTTL",
        PreparedSelectableKind::Cast(..) => "WithCast",
        PreparedSelectableKind::TypeHint(..) => "WithTypeHint",
        PreparedSelectableKind::Tuple(_) => "BetweenParenthesesOrWithTuple",
        PreparedSelectableKind::Array(_) => "WithArrayLiteral",
        PreparedSelectableKind::Set(_) => "WithSet",
        PreparedSelectableKind::Map(_) => "WithMapOrUdt",
        PreparedSelectableKind::Field(..) => "WithFieldSelection",
        PreparedSelectableKind::Element(..) => "WithElementSelection",
        PreparedSelectableKind::Slice(..) => "WithSliceSelection",
    };
    let class = format!("org.apache.cassandra.cql3.selection.Selectable${class}");
    let column = "org.apache.cassandra.schema.ColumnMetadata";
    Refusal::new(SelectionReason::GroupCast { class, column: column.to_string() }, span)
}

/// The function of a group must be monotonic in its column; the server checks this at execution.
pub(super) fn check_function(select: &BoundSelect) -> Result<()> {
    match &select.aggregation {
        Some(Aggregation::KeyPrefix { function: Some(function), .. }) => {
            check_monotonic(&function.expression, function.span)
        }
        _ => Ok(()),
    }
}

fn check_monotonic(expression: &Expression, span: Span) -> Result<()> {
    match expression {
        Expression::Column(_) => Ok(()),
        Expression::Call { function, arguments } => {
            if !is_monotonic(function, arguments) {
                return refuse(
                    SelectionReason::GroupMonotonic { function: signature(function, arguments) },
                    span,
                );
            }
            let open = arguments.iter().filter(|argument| !matches!(argument, Expression::Term(_)));
            open.into_iter().try_for_each(|argument| check_monotonic(argument, span))
        }
        _ => refuse(SelectionReason::GroupExpression, span),
    }
}

fn is_monotonic(function: &Function, arguments: &[Expression]) -> bool {
    if function.kind != FunctionKind::Scalar || &*function.name.keyspace != SYSTEM {
        return false;
    }
    let is_open = |argument: &Expression| !matches!(argument, Expression::Term(_));
    match &*function.name.name {
        "to_date" | "todate" | "to_timestamp" | "totimestamp" | "to_unix_timestamp"
        | "tounixtimestamp" => true,
        "floor" => arguments
            .split_first()
            .is_some_and(|(time, rest)| is_open(time) && !rest.iter().any(is_open)),
        _ => false,
    }
}

/// The signature, with known arguments marked as constant.
fn signature(function: &Function, arguments: &[Expression]) -> String {
    let plain = function.to_string();
    if !arguments.iter().any(|argument| matches!(argument, Expression::Term(_))) {
        return plain;
    }
    let types = function.arguments.iter().zip(arguments).map(|(ty, argument)| match argument {
        Expression::Term(_) => format!("{ty}(constant)"),
        _ => ty.to_string(),
    });
    let types = types.collect::<Vec<_>>().join(", ");
    let name = plain.split(" : ").next().unwrap_or_default();
    format!("{name} : ({types}) -> {}", function.returns)
}
