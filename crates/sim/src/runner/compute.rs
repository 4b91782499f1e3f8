//! Results that the client computes from the outputs of a row.

use cql::types::{NativeType, Type};
use cql::value::Decimal;
use model::bucket;
use model::id::OutputId;
use model::workload::{ComputedOutput, ResultExpression};
use num_bigint::{BigInt, Sign};

use super::fold;
use crate::dataset::Datum;
use crate::value::{TypedValue, integer_bytes, is_integer, matches_order, parse_constant};

/// Milliseconds of a day.
const DAY_MILLIS: i64 = 86_400_000;
/// The number of the day 1970-01-01.
const EPOCH_DAY: i64 = 1 << 31;

/// The results of a row with these outputs.
pub(super) fn compute_row(results: &[ComputedOutput], outputs: &[TypedValue]) -> Vec<Datum> {
    let types = |at: &OutputId| output(outputs, *at).ty;
    results
        .iter()
        .map(|result| {
            let ty = result.value.ty(&types);
            convert(&evaluate(&result.value, outputs), &ty).bytes
        })
        .collect()
}

fn output(outputs: &[TypedValue], at: OutputId) -> TypedValue {
    outputs.get(at.index()).cloned().unwrap_or_else(TypedValue::null)
}

fn evaluate(expression: &ResultExpression<OutputId>, outputs: &[TypedValue]) -> TypedValue {
    let of = |part: &ResultExpression<OutputId>| evaluate(part, outputs);
    let ty = || expression.ty(&|at: &OutputId| output(outputs, *at).ty);
    match expression {
        ResultExpression::Column(at) => output(outputs, *at),
        ResultExpression::Constant(ty, text) => parse_constant(ty, text),
        ResultExpression::Coalesce(parts) => {
            let found = parts.iter().map(of).find(|value| !value.is_null());
            convert(&found.unwrap_or_else(TypedValue::null), &ty())
        }
        ResultExpression::Case { branches, otherwise } => {
            let taken = branches.iter().find(|(condition, _)| truth(&of(condition)) == Some(true));
            let taken = taken.map(|(_, value)| value).or(otherwise.as_deref());
            convert(&taken.map_or_else(TypedValue::null, of), &ty())
        }
        ResultExpression::Compare(left, comparison, right) => {
            let (left, right) = (of(left), of(right));
            let common = ResultExpression::Coalesce(vec![
                ResultExpression::<()>::Constant(left.ty.clone(), String::new()),
                ResultExpression::Constant(right.ty.clone(), String::new()),
            ]);
            let common = common.ty(&|()| left.ty.clone());
            let known = !left.is_null() && !right.is_null();
            let order = convert(&left, &common).compare(&convert(&right, &common));
            boolean(known.then(|| matches_order(order, *comparison)))
        }
        ResultExpression::IsNull(part) => boolean(Some(of(part).is_null())),
        ResultExpression::Not(part) => boolean(truth(&of(part)).map(|truth| !truth)),
        ResultExpression::And(left, right) => {
            boolean(match (truth(&of(left)), truth(&of(right))) {
                (Some(false), _) | (_, Some(false)) => Some(false),
                (Some(true), Some(true)) => Some(true),
                _ => None,
            })
        }
        ResultExpression::Or(left, right) => boolean(match (truth(&of(left)), truth(&of(right))) {
            (Some(true), _) | (_, Some(true)) => Some(true),
            (Some(false), Some(false)) => Some(false),
            _ => None,
        }),
        ResultExpression::Concat(left, right) => {
            let joined =
                of(left).bytes.zip(of(right).bytes).map(|(left, right)| [left, right].concat());
            TypedValue::new(NativeType::Text, joined)
        }
        ResultExpression::Cast(part, ty) => convert(&of(part), ty),
    }
}

fn truth(value: &TypedValue) -> Option<bool> {
    value.bytes.as_ref().map(|bytes| bytes.first().is_some_and(|byte| *byte != 0))
}

fn boolean(truth: Option<bool>) -> TypedValue {
    TypedValue::new(NativeType::Boolean, truth.map(|truth| vec![u8::from(truth)]))
}

/// The value in another type.
fn convert(value: &TypedValue, ty: &Type) -> TypedValue {
    let bytes = match (&value.ty, ty) {
        (Type::Native(NativeType::Timestamp), Type::Native(NativeType::Date)) => {
            value.bytes.as_deref().and_then(|bytes| {
                let day = bucket::to_millis(&value.ty, bytes)?.div_euclid(DAY_MILLIS);
                Some(u32::try_from(day + EPOCH_DAY).ok()?.to_be_bytes().to_vec())
            })
        }
        (Type::Native(NativeType::Decimal), ty) if is_integer(ty) => {
            value.bytes.as_deref().and_then(|bytes| integer_bytes(ty, round(bytes)?))
        }
        _ => fold::to_output(value, ty),
    };
    TypedValue::new(ty.clone(), bytes)
}

/// A decimal rounded to a whole number, halves away from zero.
fn round(decimal: &[u8]) -> Option<i64> {
    let decimal = Decimal::from_bytes(decimal)?;
    let power: BigInt = BigInt::from(10).pow(decimal.scale.unsigned_abs());
    let rounded = if decimal.scale <= 0 {
        decimal.unscaled * power
    } else {
        let half: BigInt = &power / 2_u32;
        let half = if decimal.unscaled.sign() == Sign::Minus { -half } else { half };
        (decimal.unscaled + half) / power
    };
    i64::try_from(rounded).ok()
}
