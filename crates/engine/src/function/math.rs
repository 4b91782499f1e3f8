//! `abs`, `exp`, `log`, `log10` and `round`.

use cql::value::Decimal;
use num_bigint::Sign;
use schema::Refusal;
use schema::bind::function::Function;
use schema::refusal::ArithmeticFailure;

use super::decimal::{Rounding, set_scale};
use super::logarithm::{exp, log, log10};
use super::number::Number;
use super::{Computation, failure};

/// Computes the function by its name; null and empty numbers give null.
pub(super) fn compute(function: &Function, value: Option<&[u8]>) -> Computation {
    let ty = &function.returns;
    let Some(number) = value.and_then(|bytes| Number::read(ty, bytes)) else { return Ok(None) };
    let computed = match &*function.name.name {
        "abs" => abs(number),
        "round" => round(number)?,
        name => transcendental(name, number)?,
    };
    Ok(Some(computed.to_bytes()))
}

fn abs(number: Number) -> Number {
    match number {
        Number::Tinyint(n) => Number::Tinyint(n.wrapping_abs()),
        Number::Smallint(n) => Number::Smallint(n.wrapping_abs()),
        Number::Int(n) => Number::Int(n.wrapping_abs()),
        Number::Bigint(n) => Number::Bigint(n.wrapping_abs()),
        Number::Float(n) => Number::Float(n.abs()),
        Number::Double(n) => Number::Double(n.abs()),
        Number::Decimal(n) => Number::Decimal(Decimal {
            unscaled: n.unscaled.magnitude().clone().into(),
            scale: n.scale,
        }),
        Number::Varint(n) => Number::Varint(n.magnitude().clone().into()),
    }
}

#[expect(clippy::cast_possible_truncation, reason = "as Java narrows")]
fn round(number: Number) -> Result<Number, Box<Refusal>> {
    Ok(match number {
        Number::Float(n) => Number::Float(round_half_up(n.into()) as i32 as f32),
        Number::Double(n) => Number::Double(round_half_up(n) as i64 as f64),
        Number::Decimal(n) => {
            Number::Decimal(set_scale(&n, 0, Rounding::HalfUp).map_err(failure::arithmetic)?)
        }
        other => other,
    })
}

/// The nearest integer; ties are rounded up, towards positive infinity.
fn round_half_up(number: f64) -> f64 {
    let floor = number.floor();
    if number - floor >= 0.5 { floor + 1.0 } else { floor }
}

#[expect(clippy::cast_possible_truncation, reason = "as Java narrows")]
fn transcendental(name: &str, number: Number) -> Result<Number, Box<Refusal>> {
    let double = |n: f64| match name {
        "exp" => n.exp(),
        "log" => n.ln(),
        // Java's NaN is negative here.
        _ if n < 0.0 => -f64::NAN,
        _ => n.log10(),
    };
    Ok(match number {
        Number::Tinyint(n) => Number::Tinyint(double(n.into()) as i32 as i8),
        Number::Smallint(n) => Number::Smallint(double(n.into()) as i32 as i16),
        Number::Int(n) => Number::Int(double(n.into()) as i32),
        Number::Bigint(n) => Number::Bigint(double(n as f64) as i64),
        Number::Float(n) => Number::Float(double(n.into()) as f32),
        Number::Double(n) => Number::Double(double(n)),
        Number::Decimal(n) => Number::Decimal(compute_decimal(name, &n)?),
        Number::Varint(n) => {
            let computed = compute_decimal(name, &Decimal { unscaled: n, scale: 0 })?;
            let whole = set_scale(&computed, 0, Rounding::Down);
            Number::Varint(whole.map_err(failure::arithmetic)?.unscaled)
        }
    })
}

fn compute_decimal(name: &str, number: &Decimal) -> Result<Decimal, Box<Refusal>> {
    let is_positive = number.unscaled.sign() == Sign::Plus;
    match name {
        "exp" => exp(number).map_err(failure::arithmetic),
        "log" if is_positive => log(number).map_err(failure::arithmetic),
        "log10" if is_positive => log10(number).map_err(failure::arithmetic),
        "log" => Err(failure::arithmetic(ArithmeticFailure::NaturalLogarithm)),
        _ => Err(failure::arithmetic(ArithmeticFailure::DecimalLogarithm)),
    }
}
