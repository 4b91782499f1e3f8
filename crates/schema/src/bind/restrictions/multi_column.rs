//! `(a, b) op (x, y)`: relations on several clustering columns, which compare them as a tuple.

use cql::relation::{InValues, Operator, Relation};
use cql::term::{Term, TermKind};
use cql::{Name, Span};

use super::relation::{existing_column, one_or_list, receiver, slice};
use super::restriction::{InList, Operand, Restriction, RestrictionKind};
use super::text::relation_text;
use crate::bind::context::{Context, Receiver};
use crate::bind::term;
use crate::catalog::{ColumnKind, Table};
use crate::refusal::{RestrictionReason, refuse};
use crate::{Refusal, Result};

/// `(a, b) = (1, 2)`, `(a, b) > ?`
pub(super) fn compare(
    cx: &mut Context<'_>,
    table: &Table,
    relation: &Relation,
    names: &[Name],
    (operator, value): (Operator, &Term),
) -> Result<Restriction> {
    if matches!(operator, Operator::Contains | Operator::ContainsKey | Operator::Like) {
        return refuse(
            RestrictionReason::MultiColumnOperator { operator: operator.text().to_owned() },
            relation.span,
        );
    }
    let columns = columns(table, relation, names)?;
    let operand = operand(cx, table, &columns, value)?;
    let kind = match operator {
        Operator::Eq => RestrictionKind::Equal(operand),
        _ => RestrictionKind::Slice(slice(operator, operand)),
    };
    Ok(Restriction { columns, multi_column: true, kind, span: relation.span })
}

/// `(a, b) IN ((1, 2), (3, 4))`, `(a, b) IN (?, ?)`, `(a, b) IN ?`
pub(super) fn list(
    cx: &mut Context<'_>,
    table: &Table,
    relation: &Relation,
    names: &[Name],
    values: &InValues,
) -> Result<Restriction> {
    let columns = columns(table, relation, names)?;
    let kind = match values {
        InValues::Marker(marker, _) => {
            if let Some(list) = term::tuple_list_receiver(&receivers(table, &columns)) {
                cx.add_marker(marker.index, &list, None);
            }
            RestrictionKind::In(InList::Marker(marker.index))
        }
        InValues::List(values) => {
            let mut operands = Vec::with_capacity(values.len());
            for value in values {
                operands.push(operand(cx, table, &columns, value)?);
            }
            one_or_list(operands)
        }
    };
    Ok(Restriction { columns, multi_column: true, kind, span: relation.span })
}

/// The columns of a tuple, which must be consecutive clustering columns in key order. (The first
/// one need not be the first of the key: the clause may restrict those before it by `=`.)
fn columns(table: &Table, relation: &Relation, names: &[Name]) -> Result<Vec<usize>> {
    let refuse = |reason: RestrictionReason, span: Span| refuse(reason, span);
    let mut columns: Vec<usize> = Vec::with_capacity(names.len());
    for name in names {
        let column = existing_column(table, name)?;
        let definition = &table.columns()[column];
        if definition.kind != ColumnKind::Clustering {
            return Err(Refusal::new(
                RestrictionReason::MultiColumnOthers { column: definition.name.to_string() },
                name.span,
            )
            .with_help("compare columns that are not clustering columns individually")
            .into());
        }
        if columns.contains(&column) {
            let text = relation_text(relation);
            return refuse(
                RestrictionReason::MultiColumnTwice {
                    column: definition.name.to_string(),
                    relation: text,
                },
                name.span,
            );
        }
        if columns.last().is_some_and(|previous| column != previous + 1) {
            return refuse(
                RestrictionReason::MultiColumnOrder { relation: relation_text(relation) },
                relation.span,
            );
        }
        columns.push(column);
    }
    Ok(columns)
}

fn operand(
    cx: &mut Context<'_>,
    table: &Table,
    columns: &[usize],
    value: &Term,
) -> Result<Operand> {
    let receivers = receivers(table, columns);
    if let TermKind::Marker(marker) = &value.kind {
        if let Some(tuple) = term::tuple_receiver(&receivers) {
            cx.add_marker(marker.index, &tuple, None);
        }
        return Ok(Operand::TupleMarker(marker.index));
    }
    Ok(Operand::Terms(term::prepare_elements(cx, value, &receivers)?))
}

fn receivers(table: &Table, columns: &[usize]) -> Vec<Receiver> {
    columns.iter().map(|column| receiver(table, &table.columns()[*column])).collect()
}
