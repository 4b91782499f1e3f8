//! The functions on times: now, conversions, floors, and the addition of durations.

use cql::types::{NativeType, Type};
use cql::value::Duration;
use schema::Refusal;
use schema::bind::function::Function;
use schema::refusal::{ArithmeticFailure, ComputationReason};

use super::calendar::{CalendarDate, DAY_MS, add_months};
use super::{Computation, Env, failure, is_meaningless};

/// The milliseconds between the start of the Gregorian calendar, from which time-based UUIDs count,
/// and 1970.
const GREGORIAN_MS: i64 = 12_219_292_800_000;
/// The encoding of 1970-01-01 as a date.
const DATE_OFFSET: i64 = 1 << 31;
const NANOS_PER_MS: i64 = 1_000_000;

/// Computes the function by its name; another name gives null.
pub(super) fn compute(
    function: &Function,
    arguments: &[Option<&[u8]>],
    env: &Env<'_>,
) -> Computation {
    let now_ms = env.now_ms();
    Ok(match (&*function.name.name, &function.arguments[..], arguments) {
        ("uuid", ..) => Some(env.ids.uuid().to_vec()),
        ("now" | "current_timeuuid" | "currenttimeuuid", ..) => Some(env.ids.time_uuid().to_vec()),
        ("current_timestamp" | "currenttimestamp", ..) => Some(now_ms.to_be_bytes().to_vec()),
        ("current_date" | "currentdate", ..) => Some(encode_date(now_ms)),
        ("current_time" | "currenttime", ..) => {
            let nanos = env.now_us.rem_euclid(DAY_MS * 1000) * 1000;
            Some(nanos.to_be_bytes().to_vec())
        }
        ("floor", types, values) => return floor(types, values),
        (_, [from], [Some(value)]) => match &function.returns {
            Type::Native(to) => convert(from, *to, value),
            _ => None,
        },
        _ => None,
    })
}

/// Converts a time to another type; `None` for an empty value.
pub(super) fn convert(from: &Type, to: NativeType, bytes: &[u8]) -> Option<Vec<u8>> {
    let millis = to_millis(from, bytes)?;
    Some(match to {
        NativeType::Date => encode_date(millis),
        _ => millis.to_be_bytes().to_vec(),
    })
}

/// Milliseconds since 1970.
fn to_millis(ty: &Type, bytes: &[u8]) -> Option<i64> {
    if is_meaningless(ty, bytes) {
        return None;
    }
    match ty {
        Type::Native(NativeType::Date) => {
            let day = u32::from_be_bytes(bytes.try_into().ok()?);
            Some((i64::from(day) - DATE_OFFSET) * DAY_MS)
        }
        Type::Native(NativeType::Timeuuid) => {
            let id = <[u8; 16]>::try_from(bytes).ok()?;
            let high = u64::from_be_bytes(id.first_chunk().copied()?);
            let ticks = (high >> 32) | ((high & 0xffff_0000) << 16) | ((high & 0x0fff) << 48);
            Some(ticks.cast_signed() / 10_000 - GREGORIAN_MS)
        }
        _ => Some(i64::from_be_bytes(bytes.try_into().ok()?)),
    }
}

/// The date of a time. The last day before 1970 becomes 1970-01-01, as Java's division rounds
/// towards zero.
fn encode_date(millis: i64) -> Vec<u8> {
    let day = millis.div_euclid(1000) / (DAY_MS / 1000) + DATE_OFFSET;
    let day = u32::try_from(day & i64::from(u32::MAX)).unwrap_or(0);
    day.to_be_bytes().to_vec()
}

/// Adds a duration to a timestamp or date, or subtracts it.
pub(crate) fn shift(
    ty: NativeType,
    moment: &[u8],
    duration: &[u8],
    is_minus: bool,
) -> Result<Vec<u8>, ArithmeticFailure> {
    let duration = Duration::from_bytes(duration).map_err(ArithmeticFailure::Duration)?;
    let (precise, unit) = match ty {
        NativeType::Date => (duration.nanos == 0, "day"),
        _ => (duration.nanos % NANOS_PER_MS == 0, "millisecond"),
    };
    if !precise {
        let duration = duration.to_string();
        return Err(ArithmeticFailure::DurationPrecision { unit, duration });
    }
    let sign = if is_minus { -1 } else { 1 };
    let months = i64::from(duration.months) * sign;
    let days = i64::from(duration.days) * sign;
    let millis_added = duration.nanos.wrapping_mul(sign) / NANOS_PER_MS;
    let start = to_millis(&ty.into(), moment).unwrap_or(0);
    let end = if months == 0 {
        start.wrapping_add(days.wrapping_mul(DAY_MS)).wrapping_add(millis_added)
    } else {
        // Java's calendar adds milliseconds as a 32-bit number.
        #[expect(clippy::cast_possible_truncation, reason = "as Java narrows")]
        let millis_added = i64::from(millis_added as i32);
        add_months(start, months).wrapping_add(days.wrapping_mul(DAY_MS)).wrapping_add(millis_added)
    };
    Ok(if ty == NativeType::Date { encode_date(end) } else { end.to_be_bytes().to_vec() })
}

/// The start of the period that contains a time.
fn floor(types: &[Type], values: &[Option<&[u8]>]) -> Computation {
    let values: Option<Vec<&[u8]>> = values.iter().copied().collect();
    let Some(values) = values else { return Ok(None) };
    let (Some(ty), [moment, duration, start @ ..]) = (types.first(), &values[..]) else {
        return Ok(None);
    };
    let Ok(duration) = Duration::from_bytes(duration) else { return Ok(None) };
    let Some(time) = to_millis(ty, moment) else { return Ok(None) };
    if *ty == Type::Native(NativeType::Time) {
        return floor_time(time, duration).map(|floor| Some(floor.to_be_bytes().to_vec()));
    }
    let start = match (start.first(), types.get(2)) {
        (Some(start), Some(ty)) => match to_millis(ty, start) {
            Some(start) => start,
            None => return Ok(None),
        },
        _ => 0,
    };
    let is_date = *ty == Type::Native(NativeType::Date);
    if is_date && duration.nanos != 0 {
        let duration = duration.to_string();
        return Err(failure::refusal(ComputationReason::FloorOfDate { duration }));
    }
    if duration.nanos % NANOS_PER_MS != 0 {
        let duration = duration.to_string();
        return Err(failure::refusal(ComputationReason::FloorPrecision { duration }));
    }
    let floor = floor_millis(time, duration, start)?;
    Ok(Some(if is_date { encode_date(floor) } else { floor.to_be_bytes().to_vec() }))
}

fn floor_millis(time: i64, duration: Duration, start: i64) -> Result<i64, Box<Refusal>> {
    if start > time {
        return Err(failure::refusal(ComputationReason::FloorStart));
    }
    if duration.is_negative() {
        return Err(failure::refusal(ComputationReason::NegativeFloor));
    }
    let length =
        i64::from(duration.days).wrapping_mul(DAY_MS).wrapping_add(duration.nanos / NANOS_PER_MS);
    if duration.months == 0 {
        let passed = time.wrapping_sub(start);
        return Ok(if length == 0 { time } else { time.wrapping_sub(passed.wrapping_rem(length)) });
    }
    let months_of = |millis: i64| {
        let date = CalendarDate::from_day(millis.div_euclid(DAY_MS));
        // Java counts the years before 1 from there as well.
        let year = if date.year < 1 { 1 - date.year } else { date.year };
        year * 12 + date.month
    };
    let months = i64::from(duration.months);
    let mut count = (months_of(time) - months_of(start)) / months;
    let mut moment = add_months(start, count * months);
    if length == 0 {
        return Ok(moment);
    }
    let mut floor = moment.wrapping_add(count.wrapping_mul(length));
    while floor > time {
        count -= 1;
        moment = add_months(moment, -months);
        floor = moment.wrapping_add(count.wrapping_mul(length));
    }
    Ok(floor.max(start))
}

fn floor_time(nanos: i64, duration: Duration) -> Result<i64, Box<Refusal>> {
    const DAY_NANOS: i64 = DAY_MS * NANOS_PER_MS;
    if duration.is_negative() {
        return Err(failure::refusal(ComputationReason::NegativeFloor));
    }
    if duration.months != 0 || duration.days != 0 || duration.nanos > DAY_NANOS {
        return Err(failure::refusal(ComputationReason::FloorOfTime));
    }
    let length = duration.nanos;
    Ok(if length == 0 { nanos } else { nanos - nanos % length })
}
