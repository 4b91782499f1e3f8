//! Values: their serialisation, order and texts, as in Cassandra.
//!
//! ```text
//!   literal  --parse_constant-->  bytes  --decode-->  Value
//!   literal  <-----literal------  bytes  <--encode--  Value
//! ```
//!
//! Bytes are the form of the native protocol and of storage; validation and comparison work on
//! them. No input panics; recursion is as deep as the type.

mod collection;
mod compare;
mod composite;
mod composition;
mod constant;
mod decimal;
mod decode;
mod decomposition;
mod duration;
mod encode;
mod error;
mod float;
mod float_digits;
mod inet;
mod integer;
mod literal;
mod temporal;
mod text;
mod tuple;
mod uuid;
mod validate;
mod vector;
mod vint;

use std::net::IpAddr;

use num_bigint::BigInt;

pub use crate::hex::{bytes_to_hex, hex_to_bytes};
pub use compare::{compare, compare_reversed};
pub use composition::join;
pub use constant::{
    ConstantKind, from_text, parse_constant, preferred_type, test_constant_assignment,
};
pub use decimal::Decimal;
pub use decode::decode;
pub use decomposition::split;
pub use duration::Duration;
pub use encode::encode;
pub use error::{TextForm, TruncatedPart, ValueError};
pub use literal::literal;
pub use temporal::CalendarDate;
pub use uuid::Uuid;
pub use validate::validate;

/// A decoded value.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "most names are those of the types")]
pub enum Value {
    /// A missing component of a tuple, field of a user type or element of a list.
    Null,
    /// An empty value that has no meaning: that of an `int`, for example, but not of a `text`.
    Empty,
    Ascii(String),
    Bigint(i64),
    Blob(Vec<u8>),
    Boolean(bool),
    Counter(i64),
    /// Days; 1970-01-01 is 2^31.
    Date(u32),
    Decimal(Decimal),
    Double(f64),
    Duration(Duration),
    Float(f32),
    Inet(IpAddr),
    Int(i32),
    Smallint(i16),
    Text(String),
    /// Nanoseconds since midnight.
    Time(i64),
    /// Milliseconds since 1970.
    Timestamp(i64),
    Timeuuid(Uuid),
    Tinyint(i8),
    Uuid(Uuid),
    Varint(BigInt),
    List(Vec<Value>),
    Set(Vec<Value>),
    Map(Vec<(Value, Value)>),
    /// The components; the last ones may be missing.
    Tuple(Vec<Value>),
    /// The fields; the last ones may be missing.
    User(Vec<Value>),
    Vector(Vec<Value>),
    /// A value of a custom type.
    Custom(Vec<u8>),
}
