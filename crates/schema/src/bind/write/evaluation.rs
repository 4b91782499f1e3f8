//! The conditions of a write at execution: the errors of their comparison.
//!
//! The server stops at the first condition that does not hold. Rows are unknown here, so the row is
//! assumed not to exist: a condition is checked if those before it hold for null.

use cql::relation::Operator;
use cql::types::{Frozenness, Type};

use super::condition::BoundPredicate;
use super::{BoundCondition, BoundConditions, BoundWrite, ConditionPart, unusable};
use crate::bind::function::evaluate;
use crate::bind::term::BoundTerm;
use crate::catalog::{ColumnKind, Table};
use crate::java::order::{bytes_hash, identifier_hash, sort_by_hash};
use crate::refusal::{ConditionReason, refuse};
use crate::{Refusal, Result};

/// Evaluates the conditions of a write; those on static columns come first.
pub(super) fn check(write: &BoundWrite) -> Result<()> {
    let BoundConditions::All(conditions) = &write.conditions else { return Ok(()) };
    check_values(write)?;
    for kind in [ColumnKind::Static, ColumnKind::Regular] {
        let of_kind =
            |condition: &&BoundCondition| write.table.columns()[condition.column].kind == kind;
        for condition in sort_conditions(&write.table, conditions.iter().filter(of_kind)) {
            let ty = &write.table.columns()[condition.column].ty;
            compare(ty, condition)?;
            if !is_true_for_null(ty, condition) {
                return Ok(());
            }
        }
    }
    Ok(())
}

/// The errors in the values of conditions, before any row is read.
pub(super) fn check_values(write: &BoundWrite) -> Result<()> {
    let BoundConditions::All(conditions) = &write.conditions else { return Ok(()) };
    for condition in conditions {
        compute(condition)?;
        refuse_unset_collection(&write.table, condition)?;
    }
    Ok(())
}

/// The order in which the server evaluates the conditions on one row: that of a hash table, by
/// column and element.
pub fn sort_conditions<'a>(
    table: &Table,
    conditions: impl IntoIterator<Item = &'a BoundCondition>,
) -> Vec<&'a BoundCondition> {
    sort_by_hash(conditions, |condition| {
        let column = identifier_hash(&table.columns()[condition.column].name);
        let element = match &condition.part {
            ConditionPart::Element(BoundTerm::Value(Some(bytes))) => bytes_hash(bytes),
            _ => 0,
        };
        column.wrapping_add(31).wrapping_mul(31).wrapping_add(element)
    })
}

/// Evaluates all values before anything is compared.
fn compute(condition: &BoundCondition) -> Result<()> {
    let values = match &condition.predicate {
        BoundPredicate::Compare(_, value) => std::slice::from_ref(value),
        BoundPredicate::In(values) => values,
        BoundPredicate::InMarker(_) => &[],
    };
    values.iter().try_for_each(|value| evaluate(value, condition.span).map(drop))
}

/// The server treats an unset value as a collection before it compares anything.
fn refuse_unset_collection(table: &Table, condition: &BoundCondition) -> Result<()> {
    let BoundPredicate::Compare(_, BoundTerm::Unset) = &condition.predicate else { return Ok(()) };
    let ty = &table.columns()[condition.column].ty;
    let is_whole = matches!(condition.part, ConditionPart::Whole);
    match unusable::no_collection(ty).filter(|_| is_whole && ty.is_multi_cell()) {
        Some(reason) => refuse(reason, condition.span),
        None => Ok(()),
    }
}

fn is_true_for_null(ty: &Type, condition: &BoundCondition) -> bool {
    let is_whole = matches!(condition.part, ConditionPart::Whole);
    let is_null = |value: &BoundTerm| match value {
        BoundTerm::Value(None) => true,
        // An empty collection is none.
        BoundTerm::Value(Some(bytes)) => is_whole && is_empty_collection(ty, bytes),
        _ => false,
    };
    match &condition.predicate {
        BoundPredicate::Compare(Operator::Eq, value) => is_null(value),
        BoundPredicate::Compare(Operator::Neq, value) => value.is_constant() && !is_null(value),
        BoundPredicate::In(values) => values.iter().any(is_null),
        BoundPredicate::Compare(..) | BoundPredicate::InMarker(_) => false,
    }
}

fn compare(ty: &Type, condition: &BoundCondition) -> Result<()> {
    let refuse = |reason: ConditionReason| refuse(reason, condition.span);
    if let ConditionPart::Element(key) = &condition.part {
        let is_map = matches!(ty, Type::Map(..));
        match key {
            BoundTerm::Value(None) => {
                let what = if is_map { "map" } else { "list" };
                return refuse(ConditionReason::NullElement { what: what.to_string() });
            }
            BoundTerm::Value(Some(bytes)) if !is_map && bytes.is_empty() => {
                return Err(bounds_refusal(condition).into());
            }
            BoundTerm::Value(Some(bytes)) if matches!(ty, Type::List(_, Frozenness::No)) => {
                let index = <[u8; 4]>::try_from(&**bytes).map_or(0, i32::from_be_bytes);
                if index < 0 {
                    return refuse(ConditionReason::NegativeIndex { index: index.to_string() });
                }
            }
            _ => {}
        }
    }
    let (operator, value) = match &condition.predicate {
        BoundPredicate::Compare(_, BoundTerm::Unset) => {
            return refuse(ConditionReason::Unset);
        }
        BoundPredicate::Compare(operator, BoundTerm::Value(value)) => (operator, value),
        _ => return Ok(()),
    };
    if matches!(operator, Operator::Eq | Operator::Neq) {
        return Ok(());
    }
    let sign = operator.text();
    let is_whole = matches!(condition.part, ConditionPart::Whole);
    let contains = matches!(operator, Operator::Contains | Operator::ContainsKey);
    match value {
        None => refuse(ConditionReason::NullComparison { sign: sign.to_string() }),
        Some(bytes) if is_whole && !contains && is_empty_collection(ty, bytes) => {
            let kind = match ty {
                Type::List(..) => "list",
                Type::Set(..) => "set",
                _ => "map",
            };
            refuse(ConditionReason::EmptyComparison {
                kind: kind.to_string(),
                sign: sign.to_string(),
            })
        }
        Some(_) => Ok(()),
    }
}

fn bounds_refusal(condition: &BoundCondition) -> Refusal {
    Refusal::new(ConditionReason::OutOfBounds, condition.span)
}

fn is_empty_collection(ty: &Type, bytes: &[u8]) -> bool {
    ty.is_collection() && ty.is_multi_cell() && bytes.get(..4) == Some(&[0; 4])
}
