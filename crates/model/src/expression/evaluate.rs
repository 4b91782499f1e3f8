//! Evaluation, as SQL does it: with null as the unknown truth value.

use std::cmp::Ordering;

use cql::types::{NativeType, Type};
use cql::value;

use super::number::{compare, compute, fit_whole, round, to_decimal, to_double, to_whole};
use super::scalar::Scalar;
use super::{BinaryOperation, Expression, ScalarFunction};

/// Milliseconds of a day.
const DAY_MILLIS: i64 = 86_400_000;
/// The number of the day 1970-01-01.
const EPOCH_DAY: i64 = 1 << 31;

/// The value of an expression; `None` where `PostgreSQL` would raise an error, such as a number out
/// of range.
pub fn evaluate<T>(
    expression: &Expression<T>,
    leaf: &mut dyn FnMut(&T) -> Scalar,
) -> Option<Scalar> {
    match expression {
        Expression::Column(column) => Some(leaf(column)),
        Expression::Constant(literal, ty) => Some(constant(literal, *ty)),
        Expression::Null => Some(Scalar::Null),
        Expression::Binary(operation, left, right) => {
            let (left, right) = (evaluate(left, leaf)?, evaluate(right, leaf)?);
            binary(*operation, &left, &right)
        }
        Expression::Not(part) => Some(match evaluate(part, leaf)? {
            Scalar::Boolean(truth) => Scalar::Boolean(!truth),
            _ => Scalar::Null,
        }),
        Expression::IsNull(part) => Some(Scalar::Boolean(evaluate(part, leaf)? == Scalar::Null)),
        Expression::Cast(part, ty) => cast(evaluate(part, leaf)?, *ty),
        Expression::Round(part, digits) => match evaluate(part, leaf)? {
            Scalar::Decimal(number) => round(&number, *digits).map(Scalar::Decimal),
            other => Some(other),
        },
        Expression::Call(function, arguments) => {
            let values: Option<Vec<_>> =
                arguments.iter().map(|part| evaluate(part, leaf)).collect();
            call(*function, values?)
        }
        Expression::Case(branches, otherwise) => {
            for (condition, value) in branches {
                if evaluate(condition, leaf)? == Scalar::Boolean(true) {
                    return evaluate(value, leaf);
                }
            }
            evaluate(otherwise, leaf)
        }
    }
}

/// The value of a CQL literal.
fn constant(literal: &str, ty: NativeType) -> Scalar {
    let inside = literal.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\''));
    let text = inside.map_or_else(|| literal.to_owned(), |inside| inside.replace("''", "'"));
    let text = text.strip_prefix("0x").filter(|_| ty == NativeType::Blob).unwrap_or(&text);
    let ty = Type::Native(ty);
    let bytes = value::from_text(&ty, text, 0).ok();
    Scalar::from_bytes(&ty, bytes.as_deref())
}

fn binary(operation: BinaryOperation, left: &Scalar, right: &Scalar) -> Option<Scalar> {
    let truth = |of: &Scalar| match of {
        Scalar::Boolean(truth) => Some(*truth),
        _ => None,
    };
    let unknown = |truth: Option<bool>| truth.map_or(Scalar::Null, Scalar::Boolean);
    match operation {
        BinaryOperation::And => Some(unknown(match (truth(left), truth(right)) {
            (Some(false), _) | (_, Some(false)) => Some(false),
            (Some(true), Some(true)) => Some(true),
            _ => None,
        })),
        BinaryOperation::Or => Some(unknown(match (truth(left), truth(right)) {
            (Some(true), _) | (_, Some(true)) => Some(true),
            (Some(false), Some(false)) => Some(false),
            _ => None,
        })),
        _ if *left == Scalar::Null || *right == Scalar::Null => Some(Scalar::Null),
        BinaryOperation::Add | BinaryOperation::Subtract | BinaryOperation::Multiply => {
            compute(operation, left, right)
        }
        BinaryOperation::Concatenate => Some(Scalar::Text(left.to_text()? + &right.to_text()?)),
        _ => {
            let order = order(left, right)?;
            Some(Scalar::Boolean(match operation {
                BinaryOperation::Equal => order.is_eq(),
                BinaryOperation::NotEqual => order.is_ne(),
                BinaryOperation::Less => order.is_lt(),
                BinaryOperation::LessOrEqual => order.is_le(),
                BinaryOperation::Greater => order.is_gt(),
                _ => order.is_ge(),
            }))
        }
    }
}

/// The order of two values that are not null.
fn order(left: &Scalar, right: &Scalar) -> Option<Ordering> {
    match (left, right) {
        (Scalar::Boolean(left), Scalar::Boolean(right)) => Some(left.cmp(right)),
        (Scalar::Text(left), Scalar::Text(right)) => Some(left.cmp(right)),
        (Scalar::Other(ty, left), Scalar::Other(_, right)) => Some(value::compare(ty, left, right)),
        _ => compare(left, right),
    }
}

fn cast(of: Scalar, ty: NativeType) -> Option<Scalar> {
    Some(match (ty, of) {
        (_, Scalar::Null) => Scalar::Null,
        (NativeType::Decimal, number) => Scalar::Decimal(to_decimal(&number)?),
        (NativeType::Double, number) => Scalar::Double(to_double(&number)?),
        (NativeType::Text, value) => Scalar::Text(value.to_text()?),
        (_, Scalar::Whole(number, _)) => fit_whole(number, ty)?,
        (NativeType::Smallint | NativeType::Int | NativeType::Bigint, Scalar::Decimal(number)) => {
            fit_whole(to_whole(&number)?, ty)?
        }
        (NativeType::Date, Scalar::Other(Type::Native(NativeType::Timestamp), bytes)) => {
            let millis = i64::from_be_bytes(bytes.try_into().ok()?);
            let day = millis.div_euclid(DAY_MILLIS);
            let day = u32::try_from(day + EPOCH_DAY).ok()?;
            Scalar::Other(NativeType::Date.into(), day.to_be_bytes().to_vec())
        }
        (_, other) => other,
    })
}

fn call(function: ScalarFunction, mut values: Vec<Scalar>) -> Option<Scalar> {
    match function {
        ScalarFunction::Coalesce => {
            Some(values.into_iter().find(|it| *it != Scalar::Null).unwrap_or(Scalar::Null))
        }
        ScalarFunction::Greatest | ScalarFunction::Least => {
            values.retain(|value| *value != Scalar::Null);
            let mut best = Scalar::Null;
            for value in values {
                let wins = match order(&value, &best) {
                    Some(Ordering::Greater) => function == ScalarFunction::Greatest,
                    Some(Ordering::Less) => function == ScalarFunction::Least,
                    Some(Ordering::Equal) => false,
                    None => best == Scalar::Null,
                };
                if wins {
                    best = value;
                }
            }
            Some(best)
        }
        _ => {
            let value = values.pop().unwrap_or(Scalar::Null);
            Some(match (function, value) {
                (ScalarFunction::Lower, Scalar::Text(text)) => Scalar::Text(text.to_lowercase()),
                (ScalarFunction::Upper, Scalar::Text(text)) => Scalar::Text(text.to_uppercase()),
                (ScalarFunction::Trim, Scalar::Text(text)) => {
                    Scalar::Text(text.trim_matches(' ').to_owned())
                }
                (ScalarFunction::Length, Scalar::Text(text)) => {
                    let characters = i64::try_from(text.chars().count()).ok()?;
                    Scalar::Whole(characters, NativeType::Int)
                }
                (ScalarFunction::Absolute, Scalar::Whole(number, ty)) => {
                    fit_whole(number.checked_abs()?, ty)?
                }
                (ScalarFunction::Absolute, Scalar::Double(number)) => Scalar::Double(number.abs()),
                (ScalarFunction::Absolute, Scalar::Decimal(mut number)) => {
                    number.unscaled = num_bigint::BigInt::from(number.unscaled.magnitude().clone());
                    Scalar::Decimal(number)
                }
                _ => Scalar::Null,
            })
        }
    }
}
