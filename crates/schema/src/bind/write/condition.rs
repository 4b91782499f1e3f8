//! IF: conditions on the stored row.

use cql::Span;
use cql::relation::{ColumnPart, Condition, ConditionPredicate, Conditions, InValues, Operator};
use cql::statement::write::UsingClause;
use cql::types::Type;

use crate::bind::context::{Context, Receiver};
use crate::bind::restrictions::{existing_column, receiver};
use crate::bind::term::{
    self, BoundTerm, field_receiver, index_receiver, key_receiver, list_receiver, value_receiver,
};
use crate::catalog::{ColumnKind, Table};
use crate::refusal::{ConditionReason, RestrictionReason, refuse};
use crate::{Refusal, Result};

/// The IF clause of a write.
#[derive(Clone, Debug)]
pub enum BoundConditions {
    /// No IF clause.
    None,
    /// `IF EXISTS`
    Exists,
    /// `IF NOT EXISTS`
    NotExists,
    /// `IF a = 1 AND ...`
    All(Vec<BoundCondition>),
}

/// One condition.
#[derive(Clone, Debug)]
pub struct BoundCondition {
    /// The column, as a position among the table's columns.
    pub column: usize,
    /// The part of the column that is compared.
    pub part: ConditionPart,
    /// The comparison.
    pub predicate: BoundPredicate,
    /// Where it stands.
    pub span: Span,
}

/// The part of a column in a condition.
#[derive(Clone, Debug)]
pub enum ConditionPart {
    /// The whole column.
    Whole,
    /// An element, by index or key.
    Element(BoundTerm),
    /// A field, by its position.
    Field(usize),
}

/// The comparison of a condition.
#[derive(Clone, Debug)]
pub enum BoundPredicate {
    /// `op value`
    Compare(Operator, BoundTerm),
    /// `IN (a, b)`
    In(Vec<BoundTerm>),
    /// `IN ?`
    InMarker(u32),
}

impl BoundConditions {
    /// Whether some condition is on a column of that kind. `IF EXISTS` is on none.
    pub(super) fn has_column_of(&self, table: &Table, kind: ColumnKind) -> bool {
        let Self::All(conditions) = self else { return false };
        conditions.iter().any(|condition| table.columns()[condition.column].kind == kind)
    }
}

/// Binds IF.
pub(super) fn bind(
    cx: &mut Context<'_>,
    table: &Table,
    conditions: &Conditions,
    using: &UsingClause,
) -> Result<BoundConditions> {
    let conditions = match conditions {
        Conditions::None => return Ok(BoundConditions::None),
        Conditions::Exists => return Ok(BoundConditions::Exists),
        Conditions::All(conditions) => conditions,
    };
    if let Some(timestamp) = using.timestamp() {
        return Err(custom_timestamp(timestamp.span).into());
    }
    let mut bound = Vec::with_capacity(conditions.len());
    for condition in conditions {
        bound.push(bind_one(cx, table, condition)?);
    }
    Ok(BoundConditions::All(bound))
}

/// The error for a timestamp: a conditional write gets its timestamp from Paxos.
pub(super) fn custom_timestamp(span: Span) -> Refusal {
    Refusal::new(ConditionReason::CustomTimestamp, span)
        .with_help("remove USING TIMESTAMP; a conditional write assigns its own timestamp")
}

fn bind_one(cx: &mut Context<'_>, table: &Table, condition: &Condition) -> Result<BoundCondition> {
    let column = existing_column(table, &condition.column)?;
    let definition = &table.columns()[column];
    let whole = receiver(table, definition);
    if definition.ty.is_counter() {
        return refuse(ConditionReason::OnCounters, condition.span);
    }
    let (part, value) = bind_part(cx, &whole, condition)?;
    let test = bind_predicate(cx, value.as_ref().unwrap_or(&whole), condition)?;
    if definition.is_primary_key() {
        return Err(Refusal::new(
            ConditionReason::OnKey { column: definition.name.to_string() },
            condition.span,
        )
        .with_help("move it to WHERE; IF is for the other columns")
        .into());
    }
    Ok(BoundCondition { column, part, predicate: test, span: condition.span })
}

/// The part of the column, and its receiver unless it is the whole column.
fn bind_part(
    cx: &mut Context<'_>,
    whole: &Receiver,
    condition: &Condition,
) -> Result<(ConditionPart, Option<Receiver>)> {
    match &condition.part {
        ColumnPart::Whole => {
            check_duration(&whole.ty, condition)?;
            Ok((ConditionPart::Whole, None))
        }
        ColumnPart::Element(key) => {
            let refuse_access = |what: &str| {
                refuse(
                    ConditionReason::ElementAccess {
                        what: what.to_string(),
                        column: whole.name.to_string(),
                    },
                    condition.span,
                )
            };
            let of_key = match &whole.ty {
                Type::List(..) => Some(index_receiver(whole)),
                Type::Map(..) => key_receiver(whole),
                Type::Set(..) => {
                    let reason = ConditionReason::ElementOfSet { column: whole.name.to_string() };
                    return refuse(reason, condition.span);
                }
                _ => None,
            };
            let (Some(of_key), Some(of_value)) = (of_key, value_receiver(whole)) else {
                return refuse_access("non-collection");
            };
            check_duration(&of_value.ty, condition)?;
            let key = term::prepare(cx, key, &of_key, None)?;
            Ok((ConditionPart::Element(key), Some(of_value)))
        }
        ColumnPart::Field(field) => {
            let Type::User(user, _) = &whole.ty else {
                return Err(no_user_type(whole, condition).into());
            };
            let found =
                user.position(&field.text).and_then(|at| Some((at, field_receiver(whole, at)?)));
            let Some((position, of_value)) = found else {
                return refuse(
                    ConditionReason::UnknownField {
                        field: field.text.to_string(),
                        column: whole.name.to_string(),
                    },
                    field.span,
                );
            };
            check_duration(&of_value.ty, condition)?;
            Ok((ConditionPart::Field(position), Some(of_value)))
        }
    }
}

/// The server casts without a check.
fn no_user_type(column: &Receiver, condition: &Condition) -> Refusal {
    let class = column.ty.class_name();
    let class = class.split('(').find(|class| !class.ends_with("FrozenType")).unwrap_or(&class);
    let user = "org.apache.cassandra.db.marshal.UserType";
    Refusal::new(
        ConditionReason::FieldCast { class: class.to_string(), user: user.to_string() },
        condition.span,
    )
    .with_help(format!(
        "compare the whole column; `{}` is not a user type and has no fields",
        column.name
    ))
}

/// Refuses the comparison of durations, which have no order.
fn check_duration(ty: &Type, condition: &Condition) -> Result<()> {
    let ConditionPredicate::Compare(operator, _) = &condition.predicate else { return Ok(()) };
    let is_slice = matches!(operator, Operator::Lt | Operator::Lte | Operator::Gt | Operator::Gte);
    if !is_slice || !ty.has_duration() {
        return Ok(());
    }
    let what = match ty {
        Type::List(..) | Type::Set(..) | Type::Map(..) => "collections containing durations",
        Type::Tuple(_) => "tuples containing durations",
        Type::User(..) => "UDTs containing durations",
        _ => {
            let reason = ConditionReason::DurationComparison { operator: operator.text() };
            return refuse(reason, condition.span);
        }
    };
    refuse(ConditionReason::DurationSlice { what }, condition.span)
}

fn bind_predicate(
    cx: &mut Context<'_>,
    value: &Receiver,
    condition: &Condition,
) -> Result<BoundPredicate> {
    let refuse = |reason: RestrictionReason| refuse(reason, condition.span);
    let (operator, term) = match &condition.predicate {
        ConditionPredicate::In(InValues::List(terms)) => {
            let mut values = Vec::with_capacity(terms.len());
            for term in terms {
                values.push(term::prepare(cx, term, value, None)?);
            }
            return Ok(BoundPredicate::In(values));
        }
        ConditionPredicate::In(InValues::Marker(marker, _)) => {
            cx.add_marker(marker.index, &list_receiver(value), None);
            return Ok(BoundPredicate::InMarker(marker.index));
        }
        ConditionPredicate::Compare(operator, term) => (*operator, term),
    };
    let element = match (operator, &value.ty) {
        (Operator::ContainsKey, Type::Map(..)) => key_receiver(value),
        (Operator::ContainsKey, _) => {
            return refuse(RestrictionReason::ContainsKeyOnOthers {
                column: value.name.to_string(),
            });
        }
        (Operator::Contains, ty) if ty.is_collection() => value_receiver(value),
        (Operator::Contains, _) => {
            return refuse(RestrictionReason::ContainsOnOthers { column: value.name.to_string() });
        }
        _ => None,
    };
    Ok(BoundPredicate::Compare(
        operator,
        term::prepare(cx, term, element.as_ref().unwrap_or(value), None)?,
    ))
}
