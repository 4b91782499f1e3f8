//! Values of CQL as `SQLite` stores them, so that SQL compares, orders and adds them up as
//! `PostgreSQL` would.
//!
//! Numbers, times and booleans are numbers; decimals are whole numbers of millionths; ids are
//! their bytes, time-ordered ones rearranged so that bytes sort by time; arrays are JSON
//! texts of their elements' bytes in hexadecimal digits (elements are only ever compared for
//! equality).

use cql::types::{NativeType, Type};
use cql::value::{self, Decimal};
use num_bigint::BigInt;
use rusqlite::types::Value;

use crate::dataset::Datum;

/// Digits of decimals after the point.
const DIGITS: u32 = 6;

/// The factor from a decimal to its stored integer.
pub(super) const SCALE: i64 = 10_i64.pow(DIGITS);

/// The stored form of a value.
pub(super) fn encode(ty: &Type, bytes: &[u8]) -> Result<Value, String> {
    let wrong = || format!("{} is not a value of {ty}", value::bytes_to_hex(bytes));
    match ty {
        Type::Native(native) => encode_native(*native, bytes).ok_or_else(wrong),
        Type::List(element, _) | Type::Set(element, _) => {
            let parts = value::split(ty, bytes).map_err(|_| wrong())?;
            let mut digits = Vec::with_capacity(parts.len());
            for part in parts {
                digits.push(format!("\"{}\"", encode_element(element, part.unwrap_or_default())?));
            }
            Ok(Value::Text(format!("[{}]", digits.join(","))))
        }
        _ => Ok(Value::Blob(bytes.to_vec())),
    }
}

fn encode_native(native: NativeType, bytes: &[u8]) -> Option<Value> {
    Some(match native {
        NativeType::Ascii | NativeType::Text => {
            Value::Text(std::str::from_utf8(bytes).ok()?.to_owned())
        }
        NativeType::Tinyint
        | NativeType::Smallint
        | NativeType::Int
        | NativeType::Bigint
        | NativeType::Counter
        | NativeType::Timestamp
        | NativeType::Time
        | NativeType::Varint => Value::Integer(read_signed(bytes)?),
        NativeType::Boolean => Value::Integer(i64::from(*bytes.first()? != 0)),
        NativeType::Date => Value::Integer(u32::from_be_bytes(bytes.try_into().ok()?).into()),
        NativeType::Decimal => {
            let decimal = Decimal::from_bytes(bytes)?;
            to_millionths(&decimal)
                .map(Value::Integer)
                .or_else(|| large_millionths(&decimal).map(Value::Real))?
        }
        NativeType::Float => Value::Real(f32::from_be_bytes(bytes.try_into().ok()?).into()),
        NativeType::Double => Value::Real(f64::from_be_bytes(bytes.try_into().ok()?)),
        NativeType::Timeuuid => Value::Blob(reorder_timeuuid(bytes)?),
        NativeType::Uuid | NativeType::Blob | NativeType::Inet | NativeType::Duration => {
            Value::Blob(bytes.to_vec())
        }
    })
}

/// The stored form of an array element.
pub(super) fn encode_element(ty: &Type, bytes: &[u8]) -> Result<String, String> {
    if let Type::Native(NativeType::Decimal) = ty {
        let plain = decode(ty, encode(ty, bytes)?)?;
        return Ok(value::bytes_to_hex(&plain.unwrap_or_default()));
    }
    Ok(value::bytes_to_hex(bytes))
}

/// A stored value in the bytes of its type.
pub(super) fn decode(ty: &Type, stored: Value) -> Result<Datum, String> {
    let wrong = |stored: &Value| format!("{stored:?} is not a stored value of {ty}");
    let bytes = match (ty, stored) {
        (_, Value::Null) => return Ok(None),
        (Type::Native(native), stored) => {
            decode_native(*native, &stored).ok_or_else(|| wrong(&stored))?
        }
        (Type::List(element, _), Value::Text(text)) => {
            return decode_array(ty, element, &text, false);
        }
        (Type::Set(element, _), Value::Text(text)) => {
            return decode_array(ty, element, &text, true);
        }
        (_, Value::Blob(bytes)) => bytes,
        (_, other) => return Err(wrong(&other)),
    };
    Ok(Some(bytes))
}

fn decode_native(native: NativeType, stored: &Value) -> Option<Vec<u8>> {
    Some(match (native, stored) {
        (NativeType::Ascii | NativeType::Text, Value::Text(text)) => text.clone().into_bytes(),
        (NativeType::Double, Value::Real(number)) => number.to_be_bytes().to_vec(),
        (NativeType::Double, Value::Integer(number)) => (*number as f64).to_be_bytes().to_vec(),
        (NativeType::Float, Value::Real(number)) => to_single(*number).to_be_bytes().to_vec(),
        (NativeType::Timeuuid, Value::Blob(bytes)) => restore_timeuuid(bytes)?,
        (
            NativeType::Uuid | NativeType::Blob | NativeType::Inet | NativeType::Duration,
            Value::Blob(bytes),
        ) => bytes.clone(),
        (native, Value::Integer(number)) => decode_integer(native, *number)?,
        _ => return None,
    })
}

fn decode_integer(native: NativeType, number: i64) -> Option<Vec<u8>> {
    Some(match native {
        NativeType::Tinyint => i8::try_from(number).ok()?.to_be_bytes().to_vec(),
        NativeType::Smallint => i16::try_from(number).ok()?.to_be_bytes().to_vec(),
        NativeType::Int => i32::try_from(number).ok()?.to_be_bytes().to_vec(),
        NativeType::Bigint | NativeType::Counter | NativeType::Timestamp | NativeType::Time => {
            number.to_be_bytes().to_vec()
        }
        NativeType::Varint => BigInt::from(number).to_signed_bytes_be(),
        NativeType::Boolean => vec![u8::from(number != 0)],
        NativeType::Date => u32::try_from(number).ok()?.to_be_bytes().to_vec(),
        NativeType::Decimal => from_millionths(number),
        _ => return None,
    })
}

/// An array; an empty one is null, as in CQL, and a set is sorted without duplicates.
fn decode_array(ty: &Type, element: &Type, text: &str, is_set: bool) -> Result<Datum, String> {
    let wrong = || format!("{text} is not a stored array");
    let inside = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    let inside = inside.ok_or_else(wrong)?;
    let mut parts = Vec::new();
    for digits in inside.split(',').map(|digits| digits.trim_matches('"')) {
        if !inside.is_empty() {
            parts.push(value::hex_to_bytes(digits).ok_or_else(wrong)?);
        }
    }
    if is_set {
        parts.sort_by(|one, other| value::compare(element, one, other));
        parts.dedup();
    }
    if parts.is_empty() {
        return Ok(None);
    }
    let parts: Vec<Datum> = parts.into_iter().map(Some).collect();
    value::join(ty, &parts).map(Some).map_err(|_| wrong())
}

/// A whole number of up to eight bytes.
fn read_signed(bytes: &[u8]) -> Option<i64> {
    let first = *bytes.first()?;
    if bytes.len() > 8 {
        return None;
    }
    let start = if first & 0x80 == 0 { 0 } else { -1 };
    Some(bytes.iter().fold(start, |number, byte| number << 8 | i64::from(*byte)))
}

#[expect(clippy::cast_possible_truncation, reason = "the number was stored from a single one")]
fn to_single(number: f64) -> f32 {
    number as f32
}

/// A decimal in millionths; `None` where it has more digits.
fn to_millionths(decimal: &Decimal) -> Option<i64> {
    let unscaled = i64::try_from(&decimal.unscaled).ok()?;
    let shift = i32::try_from(DIGITS).ok()?.checked_sub(decimal.scale)?;
    let power = 10_i64.checked_pow(shift.unsigned_abs())?;
    if shift >= 0 {
        unscaled.checked_mul(power)
    } else {
        (unscaled % power == 0).then_some(unscaled / power)
    }
}

/// The millionths of a decimal that has too many for a whole number, approximately: enough for a
/// check that excludes it. No such decimal is generated to be stored.
fn large_millionths(decimal: &Decimal) -> Option<f64> {
    let unscaled: f64 = decimal.unscaled.to_string().parse().ok()?;
    let shift = i32::try_from(DIGITS).ok()?.checked_sub(decimal.scale)?;
    let millionths = unscaled * 10_f64.powi(shift);
    (millionths.abs() >= i64::MAX as f64).then_some(millionths)
}

/// Millionths as a decimal without trailing zeros.
fn from_millionths(millionths: i64) -> Vec<u8> {
    let (mut unscaled, mut scale) = (millionths, DIGITS.cast_signed());
    while scale > 0 && unscaled % 10 == 0 {
        unscaled /= 10;
        scale -= 1;
    }
    Decimal { unscaled: BigInt::from(unscaled), scale }.to_bytes()
}

/// A time-ordered id with its time first, the rest so that its bytes are in CQL's order.
fn reorder_timeuuid(bytes: &[u8]) -> Option<Vec<u8>> {
    let bytes: &[u8; 16] = bytes.try_into().ok()?;
    let order = [6, 7, 4, 5, 0, 1, 2, 3];
    let high = order.into_iter().map(|at| bytes[at]);
    Some(high.chain(bytes[8..].iter().map(|byte| byte ^ 0x80)).collect())
}

/// The id of [`reorder_timeuuid`].
fn restore_timeuuid(stored: &[u8]) -> Option<Vec<u8>> {
    let stored: &[u8; 16] = stored.try_into().ok()?;
    let order = [4, 5, 6, 7, 2, 3, 0, 1];
    let high = order.into_iter().map(|at| stored[at]);
    Some(high.chain(stored[8..].iter().map(|byte| byte ^ 0x80)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_come_back_as_they_were_stored() {
        let native: [(NativeType, &str); 14] = [
            (NativeType::Text, "it's ñ"),
            (NativeType::Int, "-7"),
            (NativeType::Smallint, "300"),
            (NativeType::Bigint, "-9000000000"),
            (NativeType::Boolean, "true"),
            (NativeType::Timestamp, "2024-02-29T12:00:00.123+0000"),
            (NativeType::Date, "1969-12-31"),
            (NativeType::Time, "12:30:00.000000001"),
            (NativeType::Decimal, "-12.34"),
            (NativeType::Double, "0.1"),
            (NativeType::Float, "0.1"),
            (NativeType::Uuid, "123e4567-e89b-42d3-a456-426614174000"),
            (NativeType::Timeuuid, "123e4567-e89b-12d3-a456-426614174000"),
            (NativeType::Inet, "10.0.0.1"),
        ];
        for (native, text) in native {
            let ty = Type::from(native);
            let bytes = value::from_text(&ty, text, 0).unwrap();
            assert_eq!(decode(&ty, encode(&ty, &bytes).unwrap()).unwrap(), Some(bytes), "{text}");
        }
    }

    #[test]
    fn decimals_beyond_whole_numbers_of_millionths_are_compared_nevertheless() {
        let ty = Type::from(NativeType::Decimal);
        let stored = |text: &str| {
            let bytes = value::from_text(&ty, text, 0).unwrap();
            encode(&ty, &bytes)
        };
        assert_eq!(stored("9000000000000"), Ok(Value::Integer(9_000_000_000_000_000_000)));
        assert_eq!(stored("10000000000000000"), Ok(Value::Real(1e22)));
        assert_eq!(stored("-10000000000000000"), Ok(Value::Real(-1e22)));
        assert!(stored("0.0000001").is_err());
    }

    #[test]
    fn time_ordered_ids_are_stored_in_their_order() {
        let ty = Type::from(NativeType::Timeuuid);
        let mut texts: Vec<Vec<u8>> = [
            "00000000-0000-1001-8000-000000000000",
            "ffffffff-0000-1000-8000-000000000000",
            "00000000-0001-1000-8000-00000000007f",
            "00000000-0001-1000-8000-000000000080",
            "00000000-0001-1000-7f00-000000000000",
        ]
        .iter()
        .map(|text| value::from_text(&ty, text, 0).unwrap())
        .collect();
        let mut stored: Vec<Vec<u8>> =
            texts.iter().map(|id| reorder_timeuuid(id).unwrap()).collect();
        texts.sort_by(|one, other| value::compare(&ty, one, other));
        stored.sort();
        let back: Vec<_> = stored.iter().map(|id| restore_timeuuid(id).unwrap()).collect();
        assert_eq!(back, texts);
    }

    #[test]
    fn arrays_without_elements_are_null_and_sets_are_in_order() {
        let element = Type::from(NativeType::Text);
        let set = Type::Set(std::sync::Arc::new(element), cql::types::Frozenness::No);
        let array = Value::Text("[\"62\",\"61\",\"62\"]".to_owned());
        let restored = decode(&set, array).unwrap().unwrap();
        assert_eq!(value::literal(&set, Some(&restored)).unwrap(), "{'a', 'b'}");
        assert_eq!(decode(&set, Value::Text("[]".to_owned())).unwrap(), None);
    }
}
