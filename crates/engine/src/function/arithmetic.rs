//! The operators `+`, `-`, `*`, `/`, `%` and negation, for every pair of types that has them.

use cql::term::ArithmeticOperator as Operator;
use cql::types::{NativeType, Type};
use num_bigint::Sign;
use schema::bind::function::Function;
use schema::refusal::ArithmeticFailure;

use super::number::Number;
use super::{Computation, decimal, failure, is_meaningless, time};

/// Applies an operator to two numbers, two texts, or a time and a duration. Null and empty numbers
/// give null.
pub(super) fn operate(
    function: &Function,
    operator: Operator,
    left: Option<&[u8]>,
    right: Option<&[u8]>,
) -> Computation {
    let (Some(left), Some(right)) = (left, right) else { return Ok(None) };
    let ([left_type, right_type], Type::Native(returns)) =
        (&function.arguments[..], &function.returns)
    else {
        return Ok(None);
    };
    if is_meaningless(left_type, left) || is_meaningless(right_type, right) {
        return Ok(None);
    }
    match returns {
        NativeType::Text | NativeType::Ascii => Ok(Some([left, right].concat())),
        NativeType::Timestamp | NativeType::Date => {
            let is_minus = operator == Operator::Subtract;
            let moment = time::shift(*returns, left, right, is_minus);
            moment.map(Some).map_err(|failure| failure::operation(function, operator, failure))
        }
        _ => {
            let read = (Number::read(left_type, left), Number::read(right_type, right));
            let (Some(left), Some(right)) = read else { return Ok(None) };
            match compute_numbers(*returns, operator, &left, &right) {
                Ok(number) => Ok(Some(number.to_bytes())),
                Err(failure) => Err(failure::operation(function, operator, failure)),
            }
        }
    }
}

#[expect(clippy::cast_possible_truncation, reason = "as Java narrows")]
fn compute_numbers(
    returns: NativeType,
    operator: Operator,
    left: &Number,
    right: &Number,
) -> Result<Number, ArithmeticFailure> {
    Ok(match returns {
        NativeType::Tinyint => Number::Tinyint(wrap_integers(operator, left, right)? as i8),
        NativeType::Smallint => Number::Smallint(wrap_integers(operator, left, right)? as i16),
        NativeType::Int => Number::Int(wrap_integers(operator, left, right)? as i32),
        NativeType::Float => {
            Number::Float(compute_floats(operator, left.float().into(), right.float().into()) as f32)
        }
        NativeType::Double => {
            Number::Double(compute_floats(operator, left.double(), right.double()))
        }
        NativeType::Decimal => {
            let (left, right) = (left.big_decimal()?, right.big_decimal()?);
            Number::Decimal(match operator {
                Operator::Add => decimal::add(&left, &right)?,
                Operator::Subtract => decimal::add(&left, &decimal::negate(&right))?,
                Operator::Multiply => decimal::multiply(&left, &right)?,
                Operator::Divide => decimal::divide(&left, &right)?,
                Operator::Modulo => decimal::remainder(&left, &right)?,
            })
        }
        NativeType::Varint => {
            let (left, right) = (left.big_integer(), right.big_integer());
            let divides = matches!(operator, Operator::Divide | Operator::Modulo);
            if divides && right.sign() == Sign::NoSign {
                return Err(ArithmeticFailure::BigIntegerByZero);
            }
            if !matches!(operator, Operator::Add | Operator::Subtract) {
                decimal::check_size(&left)?;
                decimal::check_size(&right)?;
            }
            Number::Varint(match operator {
                Operator::Add => left + right,
                Operator::Subtract => left - right,
                Operator::Multiply => left * right,
                Operator::Divide => left / right,
                Operator::Modulo => left % right,
            })
        }
        _ => Number::Bigint(wrap_integers(operator, left, right)?),
    })
}

/// Integer arithmetic with wrap-around. Narrow types are computed in 64 bits and truncated, which
/// is the same.
fn wrap_integers(
    operator: Operator,
    left: &Number,
    right: &Number,
) -> Result<i64, ArithmeticFailure> {
    let (left, right) = (left.long(), right.long());
    let divides = matches!(operator, Operator::Divide | Operator::Modulo);
    if divides && right == 0 {
        return Err(ArithmeticFailure::IntegerByZero);
    }
    Ok(match operator {
        Operator::Add => left.wrapping_add(right),
        Operator::Subtract => left.wrapping_sub(right),
        Operator::Multiply => left.wrapping_mul(right),
        Operator::Divide => left.wrapping_div(right),
        Operator::Modulo => left.wrapping_rem(right),
    })
}

/// Float arithmetic. Floats may be computed as doubles and rounded once more: for a single
/// operation the result is the same.
fn compute_floats(operator: Operator, left: f64, right: f64) -> f64 {
    match operator {
        Operator::Add => left + right,
        Operator::Subtract => left - right,
        Operator::Multiply => left * right,
        Operator::Divide => left / right,
        Operator::Modulo => left % right,
    }
}

/// `-a`
pub(super) fn negate(function: &Function, value: Option<&[u8]>) -> Option<Vec<u8>> {
    let ty = &function.returns;
    let negated = match Number::read(ty, value?)? {
        Number::Tinyint(n) => Number::Tinyint(n.wrapping_neg()),
        Number::Smallint(n) => Number::Smallint(n.wrapping_neg()),
        Number::Int(n) => Number::Int(n.wrapping_neg()),
        Number::Bigint(n) => Number::Bigint(n.wrapping_neg()),
        Number::Float(n) => Number::Float(-n),
        Number::Double(n) => Number::Double(-n),
        Number::Decimal(n) => Number::Decimal(decimal::negate(&n)),
        Number::Varint(n) => Number::Varint(-n),
    };
    Some(negated.to_bytes())
}
