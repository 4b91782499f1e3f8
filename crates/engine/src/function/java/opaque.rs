//! The methods of dates, durations, times, addresses and blobs.

use cql::types::NativeType;
use cql::value::{self, CalendarDate, Value};

use super::JavaFault;
use super::interpreter::Evaluation;
use super::value::JavaValue;

/// Calls a method without arguments.
pub(super) fn call(native: NativeType, bytes: &[u8], method: &str) -> Evaluation {
    let decoded = value::decode(&native.into(), bytes).map_err(|_| JavaFault::Unsupported)?;
    let narrow = |number: i64| i32::try_from(number).map_err(|_| JavaFault::Unsupported);
    Ok(match (decoded, method) {
        (Value::Timestamp(millis), "getTime") => JavaValue::Long(millis),
        (Value::Date(days), "getDaysSinceEpoch") => JavaValue::Int(narrow(since_epoch(days))?),
        (Value::Date(days), "getYear" | "getMonth" | "getDay") => {
            let date = CalendarDate::from_epoch_days(since_epoch(days));
            JavaValue::Int(narrow(match method {
                "getYear" => date.year,
                "getMonth" => date.month,
                _ => date.day,
            })?)
        }
        (Value::Duration(duration), "getMonths") => JavaValue::Int(duration.months),
        (Value::Duration(duration), "getDays") => JavaValue::Int(duration.days),
        (Value::Duration(duration), "getNanoseconds") => JavaValue::Long(duration.nanos),
        (Value::Inet(address), "getHostAddress") if address.is_ipv4() => {
            JavaValue::Text(address.to_string().into())
        }
        (Value::Blob(bytes), "remaining") => {
            JavaValue::Int(i32::try_from(bytes.len()).map_err(|_| JavaFault::Unsupported)?)
        }
        _ => return Err(JavaFault::Unsupported),
    })
}

/// Days since 1970, from the encoding of a date.
fn since_epoch(days: u32) -> i64 {
    i64::from(days) - (1 << 31)
}
