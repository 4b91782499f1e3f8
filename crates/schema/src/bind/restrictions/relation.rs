//! The conversion of a relation as written into a restriction, with the checks of its operator.

use std::sync::Arc;

use cql::relation::{InValues, Operator, Relation, RelationKind};
use cql::term::Term;
use cql::types::{Frozenness, Type};
use cql::{Name, Span};

use super::restriction::{
    ContainsRestriction, InList, Operand, Restriction, RestrictionKind, Slice, SliceBound,
};
use super::{multi_column, text, token};
use crate::bind::context::{Context, Receiver};
use crate::bind::term::{self, BoundTerm};
use crate::catalog::{Column, ColumnKind, Table};
use crate::refusal::{NameReason, RestrictionReason, refuse};
use crate::{Refusal, Result};

/// The result of converting a relation.
pub(super) enum ConvertedRelation {
    /// A restriction of columns.
    Columns(Restriction),
    /// A restriction of the token.
    Token(super::partition::TokenRestriction),
    /// `IS NOT NULL`
    NotNull(usize),
    /// `expr(index, value)`, which is checked after all others.
    CustomIndex,
}

/// Converts a relation; its terms are prepared for the columns they are compared with.
pub(super) fn convert(
    cx: &mut Context<'_>,
    table: &Arc<Table>,
    relation: &Relation,
) -> Result<ConvertedRelation> {
    let span = relation.span;
    let restriction = match &relation.kind {
        RelationKind::CustomIndex(..) => return Ok(ConvertedRelation::CustomIndex),
        RelationKind::IsNotNull(name) => {
            return Ok(ConvertedRelation::NotNull(existing_column(table, name)?));
        }
        RelationKind::Token(names, operator, value) => {
            let value = token::prepare(cx, table, relation, names, value)?;
            return Ok(ConvertedRelation::Token(token::restriction(*operator, value, span)));
        }
        RelationKind::Column(_, Operator::Neq, _)
        | RelationKind::Element(_, _, Operator::Neq, _)
        | RelationKind::Tuple(_, Operator::Neq, _) => return Err(refuse_not_equal(relation).into()),
        RelationKind::Column(name, operator, value) => {
            let column = existing_column(table, name)?;
            let kind = compare(cx, table, column, name, (*operator, value))?;
            Restriction { columns: vec![column], multi_column: false, kind, span }
        }
        RelationKind::Element(name, key, operator, value) => {
            let column = existing_column(table, name)?;
            let kind = entry(cx, table, column, name, (key, *operator, value))?;
            Restriction { columns: vec![column], multi_column: false, kind, span }
        }
        RelationKind::In { column: name, values, negated } => {
            if *negated {
                return Err(refuse_newer(relation).into());
            }
            let column = existing_column(table, name)?;
            let kind = list(cx, table, column, name, values)?;
            Restriction { columns: vec![column], multi_column: false, kind, span }
        }
        RelationKind::Tuple(names, operator, value) => {
            multi_column::compare(cx, table, relation, names, (*operator, value))?
        }
        RelationKind::TupleIn(names, values) => {
            multi_column::list(cx, table, relation, names, values)?
        }
        RelationKind::Between(..) => return Err(refuse_newer(relation).into()),
    };
    Ok(ConvertedRelation::Columns(restriction))
}

/// The index of a column in the table's columns, or the server's error.
pub(crate) fn existing_column(table: &Table, name: &Name) -> Result<usize> {
    table.column_index(&name.text).ok_or_else(|| {
        let name_text = cql::printer::identifier(&name.text);
        Refusal::new(
            NameReason::UndefinedColumn { column: name_text, table: table.qualified_name() },
            name.span,
        )
        .into()
    })
}

/// `Unsupported "!=" relation: ...`
pub(super) fn refuse_not_equal(relation: &Relation) -> Refusal {
    Refusal::new(
        RestrictionReason::NotEqual { relation: text::relation_text(relation) },
        relation.span,
    )
    .with_help("read the rows and filter them in the client")
}

/// `NOT IN` and `BETWEEN`, which 5.0 does not parse.
fn refuse_newer(relation: &Relation) -> Refusal {
    Refusal::new(
        RestrictionReason::Unsupported { relation: text::relation_text(relation) },
        relation.span,
    )
}

/// The receiver of values for a column.
pub(crate) fn receiver(table: &Table, column: &Column) -> Receiver {
    Receiver {
        keyspace: table.keyspace.clone(),
        table: table.name.clone(),
        name: column.name.clone(),
        ty: column.ty.clone(),
    }
}

/// Prepares a value of that column.
pub(super) fn prepare(
    cx: &mut Context<'_>,
    table: &Table,
    column: usize,
    value: &Term,
) -> Result<BoundTerm> {
    let column = &table.columns()[column];
    let key_position = (column.kind == ColumnKind::Partition).then_some(column.position);
    term::prepare(cx, value, &receiver(table, column), key_position)
}

/// The slice of `<`, `<=`, `>` or `>=`, which has one end.
pub(super) fn slice(operator: Operator, value: Operand) -> Slice {
    let inclusive = matches!(operator, Operator::Lte | Operator::Gte);
    let bound = Some(SliceBound { value, inclusive });
    match operator {
        Operator::Lt | Operator::Lte => Slice { start: None, end: bound },
        _ => Slice { start: bound, end: None },
    }
}

fn compare(
    cx: &mut Context<'_>,
    table: &Table,
    column: usize,
    name: &Name,
    (operator, value): (Operator, &Term),
) -> Result<RestrictionKind> {
    let definition = &table.columns()[column];
    if matches!(operator, Operator::Lt | Operator::Lte | Operator::Gt | Operator::Gte) {
        refuse_durations(definition, name.span)?;
    }
    check_operator(definition, name.span, operator.text())?;
    match operator {
        Operator::Contains | Operator::ContainsKey => {
            let in_keys = operator == Operator::ContainsKey;
            let value = prepare_part(cx, table, definition, value, in_keys)?;
            let mut contains = ContainsRestriction::default();
            let part = if in_keys { &mut contains.keys } else { &mut contains.values };
            part.push(value);
            Ok(RestrictionKind::Contains(contains))
        }
        Operator::Like => Ok(RestrictionKind::Like(prepare(cx, table, column, value)?)),
        Operator::Lt | Operator::Lte | Operator::Gt | Operator::Gte => {
            let value = Operand::Terms(vec![prepare(cx, table, column, value)?]);
            Ok(RestrictionKind::Slice(slice(operator, value)))
        }
        Operator::Eq | Operator::Neq => {
            Ok(RestrictionKind::Equal(Operand::Terms(vec![prepare(cx, table, column, value)?])))
        }
    }
}

/// `column[key] op value`
fn entry(
    cx: &mut Context<'_>,
    table: &Table,
    column: usize,
    name: &Name,
    (key, operator, value): (&Term, Operator, &Term),
) -> Result<RestrictionKind> {
    let definition = &table.columns()[column];
    if matches!(operator, Operator::Lt | Operator::Lte | Operator::Gt | Operator::Gte) {
        refuse_durations(definition, name.span)?;
    }
    let refuse = |reason: RestrictionReason| refuse(reason, name.span);
    let ty = ascending_type(definition);
    if matches!(ty, Some(Type::List(..))) {
        let name = &definition.name;
        return refuse(RestrictionReason::ListEntries { column: name.to_string() });
    }
    if !matches!(ty, Some(Type::Map(..))) {
        return refuse(RestrictionReason::NoMap { column: definition.name.to_string() });
    }
    if !definition.is_multi_cell() {
        let name = &definition.name;
        return refuse(RestrictionReason::FrozenMapEntry { column: name.to_string() });
    }
    if operator != Operator::Eq {
        return refuse(RestrictionReason::EntryOperator);
    }
    let key = prepare_part(cx, table, definition, key, true)?;
    let value = prepare_part(cx, table, definition, value, false)?;
    Ok(RestrictionKind::Contains(ContainsRestriction {
        entries: vec![(key, value)],
        ..ContainsRestriction::default()
    }))
}

fn list(
    cx: &mut Context<'_>,
    table: &Table,
    column: usize,
    name: &Name,
    values: &InValues,
) -> Result<RestrictionKind> {
    let definition = &table.columns()[column];
    check_operator(definition, name.span, "IN")?;
    let values = match values {
        InValues::Marker(marker, _) => {
            let list = term::list_receiver(&receiver(table, definition));
            cx.add_marker(marker.index, &list, None);
            return Ok(RestrictionKind::In(InList::Marker(marker.index)));
        }
        InValues::List(values) => values,
    };
    let mut operands = Vec::with_capacity(values.len());
    for value in values {
        operands.push(Operand::Terms(vec![prepare(cx, table, column, value)?]));
    }
    Ok(one_or_list(operands))
}

/// IN with one value is the same as `=`, also for the rules that forbid IN.
pub(super) fn one_or_list(mut operands: Vec<Operand>) -> RestrictionKind {
    if operands.len() == 1
        && let Some(operand) = operands.pop()
    {
        return RestrictionKind::Equal(operand);
    }
    RestrictionKind::In(InList::Values(operands))
}

/// The checks that every relation on a single column goes through.
fn check_operator(column: &Column, span: Span, operator: &str) -> Result<()> {
    let refuse = |reason: RestrictionReason| refuse(reason, span);
    let ty = ascending_type(column);
    if operator == Operator::ContainsKey.text() && !matches!(ty, Some(Type::Map(..))) {
        return refuse(RestrictionReason::ContainsKeyOnOthers { column: column.name.to_string() });
    }
    if operator == Operator::Contains.text() && !ty.is_some_and(Type::is_collection) {
        return refuse(RestrictionReason::ContainsOnOthers { column: column.name.to_string() });
    }
    if matches!(column.ty, Type::User(_, Frozenness::No)) {
        return refuse(RestrictionReason::NonFrozenType {
            column: column.name.to_string(),
            ty: column.ty.to_string(),
        });
    }
    let looks_inside =
        [Operator::Contains.text(), Operator::ContainsKey.text()].contains(&operator);
    if column.ty.is_collection() && column.is_multi_cell() && !looks_inside {
        return refuse(RestrictionReason::CollectionOperator {
            column: column.name.to_string(),
            ty: column.ty.to_string(),
            operator: operator.to_string(),
        });
    }
    Ok(())
}

/// The type as the server's checks see it: a descending column has a `ReversedType`, which they do
/// not unwrap.
fn ascending_type(column: &Column) -> Option<&Type> {
    (!column.descending).then_some(&column.ty)
}

/// Prepares a key, or an element or value, of a collection.
fn prepare_part(
    cx: &mut Context<'_>,
    table: &Table,
    column: &Column,
    value: &Term,
    is_key: bool,
) -> Result<BoundTerm> {
    let whole = receiver(table, column);
    let part = if is_key { term::key_receiver(&whole) } else { term::value_receiver(&whole) };
    term::prepare(cx, value, &part.unwrap_or(whole), None)
}

fn refuse_durations(column: &Column, span: Span) -> Result<()> {
    let Some(ty) = ascending_type(column) else { return Ok(()) };
    if !ty.has_duration() {
        return Ok(());
    }
    let what = match ty {
        Type::List(..) | Type::Set(..) | Type::Map(..) => "collections containing durations",
        Type::Tuple(_) => "tuples containing durations",
        Type::User(..) => "UDTs containing durations",
        _ => "duration columns",
    };
    refuse(RestrictionReason::DurationSlice { what }, span)
}
