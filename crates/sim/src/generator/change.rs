//! The effect of writes on a row.

use cql::types::Type;
use cql::value::{self, Decimal};
use model::concept::{Attribute, Entity};
use model::id::{AttributeId, IdList};
use model::workload::{Assignment, AssignmentValue, Value};
use num_bigint::BigInt;

use super::constraint::compute_generated;
use super::usage::literal_bytes;
use crate::dataset::{Datum, Row};
use crate::value::{element_type, parse_constant, round_to_scale};

/// The row that an INSERT makes: missing attributes are null, counters are 0.
pub(super) fn apply_insert(
    entity: &Entity,
    given: &[(AttributeId, Value)],
    values: &[Datum],
) -> Row {
    let zero = |attribute: &Attribute| {
        let zero = literal_bytes(&attribute.ty, "0");
        zero.filter(|_| attribute.counter)
    };
    let mut row: Row = entity.attributes.iter().map(zero).collect();
    for (at, value) in given {
        if let (Some(place), Some(attribute)) =
            (row.get_mut(at.index()), entity.attributes.member(*at))
        {
            *place = round_to_scale(attribute, resolve_value(&attribute.ty, value, values));
        }
    }
    compute_generated(entity, &mut row);
    row
}

/// A parameter or a constant.
pub(super) fn resolve_value(ty: &Type, value: &Value, values: &[Datum]) -> Datum {
    match value {
        Value::Parameter(at) => values.get(at.index()).cloned().flatten(),
        // An empty array is null, as in CQL.
        Value::Literal(text) => Some(parse_constant(ty, text)).and_then(|constant| {
            let is_empty = element_type(ty).is_some() && constant.elements().is_empty();
            constant.bytes.filter(|_| !is_empty)
        }),
    }
}

/// The row after an UPDATE.
pub(super) fn apply_update(
    entity: &Entity,
    row: &Row,
    assignments: &[Assignment],
    values: &[Datum],
) -> Row {
    let mut after = row.clone();
    for assignment in assignments {
        let at = assignment.attribute;
        let (Some(before), Some(attribute)) = (row.get(at.index()), entity.attributes.member(at))
        else {
            continue;
        };
        let ty = &attribute.ty;
        let element = match ty {
            Type::List(element, _) | Type::Set(element, _) => element,
            other => other,
        };
        let becomes = match &assignment.value {
            AssignmentValue::Set(value) => resolve_value(ty, value, values),
            AssignmentValue::Null => None,
            AssignmentValue::SetUnlessNull(value) => {
                resolve_value(ty, value, values).or_else(|| before.clone())
            }
            AssignmentValue::Add(value) => {
                add_numbers(ty, before, &resolve_value(ty, value, values), 1)
            }
            AssignmentValue::Subtract(value) => {
                add_numbers(ty, before, &resolve_value(ty, value, values), -1)
            }
            AssignmentValue::Append(value) => {
                let mut parts = elements(ty, before);
                parts.extend(resolve_value(element, value, values));
                build_array(ty, element, parts)
            }
            AssignmentValue::Remove(value) => {
                let less = resolve_value(element, value, values);
                let mut parts = elements(ty, before);
                parts.retain(|part| Some(part) != less.as_ref());
                build_array(ty, element, parts)
            }
        };
        if let Some(place) = after.get_mut(at.index()) {
            *place = round_to_scale(attribute, becomes);
        }
    }
    compute_generated(entity, &mut after);
    after
}

/// The elements of an array.
pub(super) fn elements(ty: &Type, array: &Datum) -> Vec<Vec<u8>> {
    let Some(bytes) = array else { return Vec::new() };
    let parts = value::split(ty, bytes).unwrap_or_default();
    parts.into_iter().flatten().map(<[u8]>::to_vec).collect()
}

fn build_array(ty: &Type, element: &Type, mut parts: Vec<Vec<u8>>) -> Datum {
    if let Type::Set(..) = ty {
        parts.sort_by(|one, other| value::compare(element, one, other));
        parts.dedup();
    }
    let parts: Vec<Datum> = parts.into_iter().map(Some).collect();
    value::join(ty, &parts).ok()
}

/// The sum of two numbers, the second times `sign`; null where one is.
fn add_numbers(ty: &Type, left: &Datum, right: &Datum, sign: i32) -> Datum {
    let read = |datum: &Datum| value::decode(ty, datum.as_deref()?).ok();
    let whole = |value: &value::Value| match value {
        value::Value::Tinyint(it) => Some(i64::from(*it)),
        value::Value::Smallint(it) => Some(i64::from(*it)),
        value::Value::Int(it) => Some(i64::from(*it)),
        value::Value::Bigint(it) | value::Value::Counter(it) => Some(*it),
        _ => None,
    };
    let (left, right) = (read(left)?, read(right)?);
    if let (Some(left), Some(right)) = (whole(&left), whole(&right)) {
        let sum = left.checked_add(right.checked_mul(i64::from(sign))?)?;
        return literal_bytes(ty, &sum.to_string());
    }
    let sum = match (left, right) {
        (value::Value::Double(left), value::Value::Double(right)) => {
            value::Value::Double(left + right * f64::from(sign))
        }
        (value::Value::Float(left), value::Value::Float(right)) => {
            value::Value::Float(left + if sign < 0 { -right } else { right })
        }
        (value::Value::Varint(left), value::Value::Varint(right)) => {
            value::Value::Varint(left + right * sign)
        }
        (value::Value::Decimal(left), value::Value::Decimal(right)) => {
            let scale = left.scale.max(right.scale);
            let unscaled = |it: &Decimal| {
                &it.unscaled * BigInt::from(10).pow((scale - it.scale).unsigned_abs())
            };
            let unscaled = unscaled(&left) + unscaled(&right) * sign;
            value::Value::Decimal(Decimal { unscaled, scale })
        }
        _ => return None,
    };
    value::encode(ty, &sum).ok()
}
