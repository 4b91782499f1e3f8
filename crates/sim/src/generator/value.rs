//! Values of a type: derived from numbers, neighbours of a value, extremes.

use cql::types::{NativeType, Type};
use cql::value::{self, Decimal, Duration};
use num_bigint::BigInt;

use super::calendar::DAY;
use super::random::Random;

/// The syllables of words: few, so that words share prefixes.
const SYLLABLES: [&str; 8] = ["ka", "lo", "mi", "ne", "Ru", "sö", "t'", "za"];

/// 1582-10-15 before 1970, in the ticks of time-ordered ids: 100 ns.
const TICKS_TO_1970: i64 = 0x01b2_1dd2_1381_4000;

/// The n-th value of a type, in ascending order for small numbers; times are days before `now`.
pub(super) fn nth_value(ty: &Type, number: u64, now: i64) -> Vec<u8> {
    let small = i64::try_from(number % 1_000_000_000).unwrap_or(0);
    match ty {
        Type::Native(native) => nth_native_value(*native, number, small, now),
        Type::List(element, _) | Type::Set(element, _) => {
            join_parts(ty, &[Some(nth_value(element, number, now))])
        }
        Type::Map(entry, _) => join_parts(
            ty,
            &[Some(nth_value(&entry.0, number, now)), Some(nth_value(&entry.1, number / 3, now))],
        ),
        Type::Tuple(_) | Type::User(..) => {
            let part = |(at, part): (u64, &Type)| {
                let missing = number % 11 == at;
                (!missing).then(|| nth_value(part, number.wrapping_add(at), now))
            };
            let parts: Vec<_> = (1..).zip(ty.parts()).map(part).collect();
            join_parts(ty, &parts)
        }
        Type::Vector(element, dimension) => {
            let parts =
                (0..u64::from(*dimension)).map(|at| Some(nth_value(element, number + at, now)));
            join_parts(ty, &parts.collect::<Vec<_>>())
        }
        Type::Custom(_) => number.to_be_bytes().to_vec(),
    }
}

/// A collection or composite value from its parts.
pub(super) fn join_parts(ty: &Type, parts: &[Option<Vec<u8>>]) -> Vec<u8> {
    value::join(ty, parts).unwrap_or_default()
}

fn nth_native_value(native: NativeType, number: u64, small: i64, now: i64) -> Vec<u8> {
    match native {
        NativeType::Ascii => nth_word(number).replace('ö', "oe").into_bytes(),
        NativeType::Text => nth_word(number).into_bytes(),
        NativeType::Tinyint => low_bytes::<1>(small % 128),
        NativeType::Smallint => low_bytes::<2>(small % 32_768),
        NativeType::Int => low_bytes::<4>(small),
        NativeType::Bigint | NativeType::Counter => small.to_be_bytes().to_vec(),
        NativeType::Varint => BigInt::from(small).to_signed_bytes_be(),
        NativeType::Decimal => decimal_value(small),
        NativeType::Double => (small as f64 * 0.25).to_be_bytes().to_vec(),
        NativeType::Float => ((small % 65_536) as f32 * 0.25).to_be_bytes().to_vec(),
        NativeType::Boolean => vec![u8::from(number % 2 == 1)],
        NativeType::Timestamp | NativeType::Date | NativeType::Timeuuid => {
            time_value(native, now - small % 3_650 * DAY, number)
        }
        NativeType::Time => (small % 86_400 * 1_000_000_000).to_be_bytes().to_vec(),
        NativeType::Uuid => nth_uuid(number),
        NativeType::Blob => scramble(number).to_be_bytes().to_vec(),
        NativeType::Inet => [&[10], &number.to_be_bytes()[5..]].concat(),
        NativeType::Duration => {
            let nanos = small * 1_000_000_000;
            Duration { months: 0, days: 0, nanos }.to_bytes()
        }
    }
}

/// The value of a type of times at this millisecond; the number distinguishes ids of the same time.
pub(super) fn time_value(native: NativeType, millis: i64, number: u64) -> Vec<u8> {
    match native {
        NativeType::Date => {
            let day = millis.div_euclid(DAY) + (1 << 31);
            u32::try_from(day).unwrap_or(0).to_be_bytes().to_vec()
        }
        NativeType::Timeuuid => {
            let ticks = (millis.saturating_mul(10_000)).saturating_add(TICKS_TO_1970);
            let ticks = ticks.max(0).cast_unsigned();
            let (low, middle, high) = (ticks & 0xffff_ffff, ticks >> 32 & 0xffff, ticks >> 48);
            let first = low << 32 | middle << 16 | 0x1000 | high & 0x0fff;
            let second = scramble(number) & 0x3fff_ffff_ffff_ffff | 0x8000_0000_0000_0000;
            [first.to_be_bytes(), second.to_be_bytes()].concat()
        }
        _ => millis.to_be_bytes().to_vec(),
    }
}

/// The millisecond of a value of a type of times.
pub(super) fn to_millis(native: NativeType, bytes: &[u8]) -> Option<i64> {
    match native {
        NativeType::Timestamp => Some(i64::from_be_bytes(bytes.try_into().ok()?)),
        NativeType::Date => {
            let day = i64::from(u32::from_be_bytes(bytes.try_into().ok()?)) - (1 << 31);
            Some(day * DAY)
        }
        NativeType::Timeuuid => {
            let first = u64::from_be_bytes(bytes.get(..8)?.try_into().ok()?);
            let ticks = (first & 0x0fff) << 48 | (first >> 16 & 0xffff) << 32 | first >> 32;
            Some((ticks.cast_signed() - TICKS_TO_1970).div_euclid(10_000))
        }
        _ => None,
    }
}

/// A decimal from hundredths, without trailing zeros.
fn decimal_value(hundredths: i64) -> Vec<u8> {
    let (mut unscaled, mut scale) = (hundredths, 2);
    while scale > 0 && unscaled % 10 == 0 {
        unscaled /= 10;
        scale -= 1;
    }
    Decimal { unscaled: BigInt::from(unscaled), scale }.to_bytes()
}

/// A word of syllables: close numbers share a prefix.
fn nth_word(number: u64) -> String {
    let mut digits = Vec::new();
    let mut rest = number;
    loop {
        digits.push(SYLLABLES[usize::try_from(rest % 8).unwrap_or(0)]);
        rest /= 8;
        if rest == 0 {
            break;
        }
    }
    digits.iter().rev().copied().collect()
}

/// A random-looking id of version 4.
fn nth_uuid(number: u64) -> Vec<u8> {
    let first = scramble(number) & 0xffff_ffff_ffff_0fff | 0x4000;
    let second = scramble(!number) & 0x3fff_ffff_ffff_ffff | 0x8000_0000_0000_0000;
    [first.to_be_bytes(), second.to_be_bytes()].concat()
}

/// A bijective mixing of numbers.
fn scramble(number: u64) -> u64 {
    Random::new(number).next()
}

/// The last bytes of a number.
fn low_bytes<const N: usize>(number: i64) -> Vec<u8> {
    number.to_be_bytes()[8 - N..].to_vec()
}

/// The next larger or smaller value in the order of the type; the value itself where there is none.
pub(super) fn neighbour(ty: &Type, bytes: &[u8], above: bool) -> Vec<u8> {
    let Type::Native(native) = ty else { return bytes.to_vec() };
    let step: i64 = if above { 1 } else { -1 };
    match native {
        NativeType::Ascii | NativeType::Text => neighbour_text(bytes, above),
        NativeType::Double => {
            map_fixed(bytes, |it| (f64::from_be_bytes(it) + step as f64 * 0.25).to_be_bytes())
        }
        NativeType::Float => {
            map_fixed(bytes, |it| (f32::from_be_bytes(it) + step as f32 * 0.25).to_be_bytes())
        }
        NativeType::Decimal => Decimal::from_bytes(bytes).map_or_else(
            || bytes.to_vec(),
            |it| Decimal { unscaled: it.unscaled + step, scale: it.scale }.to_bytes(),
        ),
        NativeType::Varint => (BigInt::from_signed_bytes_be(bytes) + step).to_signed_bytes_be(),
        NativeType::Boolean => vec![u8::from(above)],
        NativeType::Timeuuid => {
            let millis = to_millis(*native, bytes).unwrap_or(0);
            time_value(*native, millis + step, 0)
        }
        NativeType::Tinyint => map_fixed(bytes, |it| {
            i8::from_be_bytes(it).saturating_add(if above { 1 } else { -1 }).to_be_bytes()
        }),
        NativeType::Smallint => map_fixed(bytes, |it| {
            i16::from_be_bytes(it).saturating_add(if above { 1 } else { -1 }).to_be_bytes()
        }),
        NativeType::Int => map_fixed(bytes, |it| {
            i32::from_be_bytes(it).saturating_add(if above { 1 } else { -1 }).to_be_bytes()
        }),
        NativeType::Date => map_fixed(bytes, |it| {
            u32::from_be_bytes(it).saturating_add_signed(if above { 1 } else { -1 }).to_be_bytes()
        }),
        NativeType::Time => map_fixed(bytes, |it| {
            (i64::from_be_bytes(it) + step).clamp(0, 86_399_999_999_999).to_be_bytes()
        }),
        NativeType::Bigint | NativeType::Counter | NativeType::Timestamp => {
            map_fixed(bytes, |it| i64::from_be_bytes(it).saturating_add(step).to_be_bytes())
        }
        NativeType::Uuid => map_fixed(bytes, |it| {
            u128::from_be_bytes(it).wrapping_add_signed(i128::from(step)).to_be_bytes()
        }),
        NativeType::Blob | NativeType::Inet | NativeType::Duration => bytes.to_vec(),
    }
}

/// A value above or below all generated ones; `None` for types without one.
pub(super) fn extreme(ty: &Type, above: bool) -> Option<Vec<u8>> {
    let Type::Native(native) = ty else { return None };
    // Before the year 1 and after the year 10,000: beyond all boundary values.
    let millennium = 365_250 * DAY;
    match native {
        NativeType::Ascii | NativeType::Text => {
            Some(if above { b"~~".to_vec() } else { b" ".to_vec() })
        }
        NativeType::Timestamp | NativeType::Date | NativeType::Timeuuid => {
            Some(time_value(*native, if above { 9 * millennium } else { -2 * millennium }, 0))
        }
        NativeType::Tinyint => Some(if above { vec![0x7f] } else { vec![0x80] }),
        NativeType::Smallint => Some(if above { vec![0x7f, 0xff] } else { vec![0x80, 0] }),
        NativeType::Int => Some(if above { i32::MAX } else { i32::MIN }.to_be_bytes().to_vec()),
        NativeType::Bigint => Some(if above { i64::MAX } else { i64::MIN }.to_be_bytes().to_vec()),
        NativeType::Decimal | NativeType::Varint | NativeType::Double | NativeType::Float => {
            let far = if above { "2000000000" } else { "-2000000000" };
            value::from_text(ty, far, 0).ok()
        }
        _ => None,
    }
}

/// Applies a change to a value of `N` bytes; others are returned as they are.
fn map_fixed<const N: usize>(bytes: &[u8], change: impl FnOnce([u8; N]) -> [u8; N]) -> Vec<u8> {
    bytes.try_into().map_or_else(|_| bytes.to_vec(), |it| change(it).to_vec())
}

/// The shortest text after a text, or one shortly before it.
fn neighbour_text(bytes: &[u8], above: bool) -> Vec<u8> {
    let mut text = String::from_utf8_lossy(bytes).into_owned();
    if above {
        text.push('!');
    } else if text.chars().count() > 1 {
        text.pop();
    }
    text.into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_type_has_values_and_those_beside_them() {
        let types = NativeType::ALL.into_iter().filter(|native| *native != NativeType::Counter);
        for native in types {
            let ty = Type::from(native);
            for number in [0, 1, 7, 1_000, u64::MAX] {
                let bytes = nth_value(&ty, number, 1_767_225_600_000);
                assert_eq!(value::validate(&ty, &bytes), Ok(()), "{native:?} {number}");
                for above in [true, false] {
                    let beside = neighbour(&ty, &bytes, above);
                    assert_eq!(value::validate(&ty, &beside), Ok(()), "{native:?} {number}");
                    let order = value::compare(&ty, &beside, &bytes);
                    assert!(
                        if above { order.is_ge() } else { order.is_le() },
                        "{native:?} {number}"
                    );
                }
            }
        }
    }

    #[test]
    fn times_of_ids_are_theirs() {
        for native in [NativeType::Timestamp, NativeType::Timeuuid] {
            let bytes = time_value(native, 1_709_164_800_123, 9);
            assert_eq!(to_millis(native, &bytes), Some(1_709_164_800_123));
        }
        // What Python's uuid module makes of this id.
        let text = "1b4e28ba-2fa1-11d2-883f-0016d3cca427";
        let id = value::from_text(&NativeType::Timeuuid.into(), text, 0).unwrap();
        assert_eq!(to_millis(NativeType::Timeuuid, &id), Some(902_678_014_151));
    }
}
