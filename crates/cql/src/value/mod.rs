//! Values: their bytes, their order and their texts, as Cassandra's.
//!
//! ```text
//!   literal  --parse_constant-->  bytes  --decode-->  Value
//!   literal  <-----literal------  bytes  <--encode--  Value
//! ```
//!
//! Bytes are what the native protocol carries and what is stored, and everything that orders or checks values works on
//! them. Nothing here panics on any bytes; recursion goes as deep as the type.

mod collection;
mod compare;
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

/// A value, read.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "most names are those of the types")]
pub enum Value {
    /// A missing component of a tuple, a field of a user type or an element of a list.
    Null,
    /// Zero bytes, where they are a value without meaning: of an `int`, say, never of a `text`.
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
    /// Of a type known by its class only.
    Custom(Vec<u8>),
}
