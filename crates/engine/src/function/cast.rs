//! `CAST(x AS type)`

use cql::types::{NativeType, Type};
use cql::value::{self, Decimal};
use num_bigint::BigInt;
use schema::bind::function::Function;
use schema::refusal::ComputationReason;

use super::json::check_length;
use super::number::{Number, parse_decimal, print_number};
use super::{Computation, failure, is_meaningless, time};

/// Converts a value to another type; null and empty values give null.
pub(super) fn cast(function: &Function, to: NativeType, value: Option<&[u8]>) -> Computation {
    let (Some(from), Some(bytes)) = (function.arguments.first(), value) else { return Ok(None) };
    if is_meaningless(from, bytes) {
        return Ok(None);
    }
    match to {
        NativeType::Text | NativeType::Ascii => {
            check_length(from, bytes)?;
            Ok(Some(to_text(from, bytes).into_bytes()))
        }
        NativeType::Date | NativeType::Timestamp => Ok(time::convert(from, to, bytes)),
        _ => match Number::read(from, bytes) {
            Some(number) => Ok(Some(convert(number, to)?.to_bytes())),
            None => Ok(None),
        },
    }
}

/// The literal of a value without its quotes.
fn to_text(from: &Type, bytes: &[u8]) -> String {
    if matches!(from, Type::Native(NativeType::Text | NativeType::Ascii)) {
        return String::from_utf8_lossy(bytes).into_owned();
    }
    let literal = value::literal(from, Some(bytes)).unwrap_or_default();
    literal.trim_matches('\'').to_owned()
}

#[expect(clippy::cast_possible_truncation, reason = "as Java narrows")]
fn convert(number: Number, to: NativeType) -> Result<Number, Box<schema::Refusal>> {
    Ok(match to {
        NativeType::Tinyint => Number::Tinyint(number.int() as i8),
        NativeType::Smallint => Number::Smallint(number.int() as i16),
        NativeType::Int => Number::Int(number.int()),
        NativeType::Float => Number::Float(number.float()),
        NativeType::Double => Number::Double(number.double()),
        NativeType::Varint => Number::Varint(number.long().into()),
        NativeType::Decimal => Number::Decimal(match number {
            Number::Float(n) => from_floating(NativeType::Float, &n.to_be_bytes(), n.into())?,
            Number::Double(n) => from_floating(NativeType::Double, &n.to_be_bytes(), n)?,
            Number::Decimal(n) => n,
            Number::Varint(n) => Decimal { unscaled: n, scale: 0 },
            whole => Decimal { unscaled: BigInt::from(whole.long()), scale: 0 },
        }),
        _ => Number::Bigint(number.long()),
    })
}

fn from_floating(
    ty: NativeType,
    bytes: &[u8],
    number: f64,
) -> Result<Decimal, Box<schema::Refusal>> {
    if number.is_finite() {
        return Ok(parse_decimal(&print_number(ty, bytes)));
    }
    let first = if number.is_nan() { 'N' } else { 'I' };
    Err(failure::refusal(ComputationReason::NoDecimal { first }))
}
