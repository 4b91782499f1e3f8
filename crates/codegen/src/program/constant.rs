//! Constant values, as languages write them.

use cql::types::Type;
use cql::value::{self, Value};
use serde::{Deserialize, Serialize};

/// A constant.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ConstantValue {
    /// Null.
    Null,
    /// `boolean`
    Boolean(bool),
    /// A whole number of any type but `varint`.
    Integer(i64),
    /// `varint`, in digits.
    Varint(String),
    /// `decimal`, in digits, perhaps with a point or an exponent.
    Decimal(String),
    /// `float` or `double`
    Double(f64),
    /// `text` or `ascii`
    Text(String),
    /// `uuid` or `timeuuid`, in its usual form.
    Uuid(String),
    /// `timestamp`: milliseconds since 1970, UTC.
    Timestamp(i64),
    /// `date`: days since 1970.
    Date(i64),
    /// `time`: nanoseconds since midnight.
    Time(i64),
    /// `inet`, as text.
    Inet(String),
    /// `duration`: months, days and nanoseconds.
    Duration(i32, i32, i64),
    /// `blob`
    Blob(Vec<u8>),
    /// The elements of a list or set.
    Elements(Vec<Self>),
}

impl ConstantValue {
    /// The value of bytes of a type; `None` for a type without constants in statements.
    pub(crate) fn from_bytes(ty: &Type, bytes: Option<&[u8]>) -> Option<Self> {
        let Some(bytes) = bytes else { return Some(Self::Null) };
        Self::from_value(&value::decode(ty, bytes).ok()?)
    }

    fn from_value(value: &Value) -> Option<Self> {
        Some(match value {
            Value::Null | Value::Empty => Self::Null,
            Value::Ascii(text) | Value::Text(text) => Self::Text(text.clone()),
            Value::Bigint(number) | Value::Counter(number) => Self::Integer(*number),
            Value::Int(number) => Self::Integer((*number).into()),
            Value::Smallint(number) => Self::Integer((*number).into()),
            Value::Tinyint(number) => Self::Integer((*number).into()),
            Value::Varint(number) => Self::Varint(number.to_string()),
            Value::Blob(bytes) => Self::Blob(bytes.clone()),
            Value::Boolean(truth) => Self::Boolean(*truth),
            Value::Date(day) => Self::Date(i64::from(*day) - (1 << 31)),
            Value::Decimal(number) => {
                Self::Decimal(format!("{}e{}", number.unscaled, -i64::from(number.scale)))
            }
            Value::Double(number) => Self::Double(*number),
            Value::Float(number) => Self::Double((*number).into()),
            Value::Duration(duration) => {
                Self::Duration(duration.months, duration.days, duration.nanos)
            }
            Value::Inet(address) => Self::Inet(address.to_string()),
            Value::Time(nanoseconds) => Self::Time(*nanoseconds),
            Value::Timestamp(millis) => Self::Timestamp(*millis),
            Value::Timeuuid(id) | Value::Uuid(id) => Self::Uuid(id.to_string()),
            Value::List(elements) | Value::Set(elements) => {
                Self::Elements(elements.iter().map(Self::from_value).collect::<Option<_>>()?)
            }
            _ => return None,
        })
    }
}
