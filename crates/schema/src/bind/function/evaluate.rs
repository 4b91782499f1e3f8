//! The results of native functions as far as they are known without rows: above all, whether a call
//! fails.

use cql::Span;
use cql::term::ArithmeticOperator;
use cql::types::{NativeType, Type};
use cql::value::{self, bytes_to_hex};

use super::{Function, FunctionKind, SYSTEM};
use crate::bind::json::{self, DecodeError, Json};
use crate::bind::term::{BoundTerm, pack_collection};
use crate::refusal::{
    ArithmeticFailure, ComputationReason, FormatReason, OperationSignature, ValueReason, refuse,
};
use crate::{Refusal, Result};

/// The milliseconds between the start of the Gregorian calendar, from which time-based UUIDs count,
/// and 1970.
const GREGORIAN_MS: i64 = 12_219_292_800_000;
/// The clock sequence and node of the smallest and the greatest UUID of a time.
const LEAST_NODE: [u8; 8] = [0x80; 8];
const GREATEST_NODE: [u8; 8] = [0x7f; 8];

/// The value of a term.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ComputedValue {
    /// Known bytes, or null.
    Known(Option<Box<[u8]>>),
    /// A value that no other term has: `now()`, `uuid()`.
    Unique,
    /// An unknown value.
    Unknown,
}

/// Evaluates a term, or returns the error of the server.
pub(in crate::bind) fn evaluate(term: &BoundTerm, span: Span) -> Result<ComputedValue> {
    match term {
        BoundTerm::Value(value) => return Ok(ComputedValue::Known(value.clone())),
        BoundTerm::Marker(_) | BoundTerm::Unset => {}
        BoundTerm::Call { function, arguments } => return call(function, arguments, span),
        BoundTerm::Collection { ty, elements } => {
            elements.iter().try_for_each(|element| evaluate(element, span).map(drop))?;
            pack_collection(ty, elements.clone(), span)?;
        }
        BoundTerm::Map { entries, .. } => {
            for (key, value) in entries {
                evaluate(key, span)?;
                evaluate(value, span)?;
            }
        }
    }
    Ok(ComputedValue::Unknown)
}

fn call(function: &Function, arguments: &[BoundTerm], span: Span) -> Result<ComputedValue> {
    let mut values: Vec<Option<Box<[u8]>>> = Vec::with_capacity(arguments.len());
    let mut all_known = true;
    for argument in arguments {
        refuse_unset(function, argument, span)?;
        match evaluate(argument, span)? {
            ComputedValue::Known(value) => values.push(value),
            ComputedValue::Unique | ComputedValue::Unknown => all_known = false,
        }
    }
    if !all_known {
        return Ok(ComputedValue::Unknown);
    }
    let values: Vec<Option<&[u8]>> = values.iter().map(Option::as_deref).collect();
    compute(function, &values, 0, span)
}

/// The result of a call as far as it is computed here: most results are not, but all failures of
/// conversions and divisions are. `now_ms` is the time in milliseconds since 1970.
pub fn compute(
    function: &Function,
    arguments: &[Option<&[u8]>],
    now_ms: i64,
    span: Span,
) -> Result<ComputedValue> {
    if &*function.name.keyspace != SYSTEM {
        return Ok(ComputedValue::Unknown);
    }
    match (&*function.name.name, &function.kind, arguments) {
        ("now" | "uuid" | "current_timeuuid" | "currenttimeuuid", ..) => Ok(ComputedValue::Unique),
        (_, FunctionKind::Operator(operator), [Some(left), Some(right)]) => {
            divide(function, *operator, (left, right), span)
        }
        ("min_timeuuid" | "mintimeuuid", _, [Some(time)]) => Ok(time_id(time, LEAST_NODE)),
        ("max_timeuuid" | "maxtimeuuid", _, [Some(time)]) => Ok(time_id(time, GREATEST_NODE)),
        ("from_json" | "fromjson", _, [Some(text)]) => from_json(function, text, now_ms, span),
        (name, FunctionKind::Scalar, [value])
            if name.starts_with("blob_as_") || name.starts_with("blobas") =>
        {
            from_blob(function, *value, span)
        }
        _ => Ok(ComputedValue::Unknown),
    }
}

/// Refuses unset arguments.
pub(in crate::bind) fn refuse_unset(
    function: &Function,
    argument: &BoundTerm,
    span: Span,
) -> Result<()> {
    if *argument != BoundTerm::Unset {
        return Ok(());
    }
    refuse(ValueReason::UnsetArgument { function: function.name.name.to_string() }, span)
}

fn from_blob(function: &Function, bytes: Option<&[u8]>, span: Span) -> Result<ComputedValue> {
    if let Some(bytes) = bytes
        && value::validate(&function.returns, bytes).is_err()
    {
        return refuse(
            ValueReason::NotBinary {
                function: function.name.to_string(),
                bytes: bytes_to_hex(bytes),
                ty: return_type_name(function),
            },
            span,
        );
    }
    Ok(ComputedValue::Known(bytes.map(Into::into)))
}

/// The name of a return type; `varchar` is printed as such here.
fn return_type_name(function: &Function) -> String {
    if function.name.name.ends_with("varchar") {
        return "varchar".to_owned();
    }
    function.returns.to_string()
}

/// The first or the last UUID of a millisecond.
fn time_id(time: &[u8], node: [u8; 8]) -> ComputedValue {
    let Ok(time) = <[u8; 8]>::try_from(time).map(i64::from_be_bytes) else {
        return ComputedValue::Unknown;
    };
    // The greatest UUID is one of the last tick of its millisecond.
    let last = if node == GREATEST_NODE { 9_999 } else { 0 };
    let ticks = time.wrapping_add(GREGORIAN_MS).wrapping_mul(10_000).wrapping_add(last);
    let bytes = ticks.to_be_bytes();
    let mut id = [0; 16];
    id[..4].copy_from_slice(&bytes[4..]);
    id[4..6].copy_from_slice(&bytes[2..4]);
    id[6..8].copy_from_slice(&bytes[..2]);
    // A time beyond the range of UUIDs overwrites the version, as in the server.
    id[6] |= 0x10;
    id[8..].copy_from_slice(&node);
    ComputedValue::Known(Some(id.into()))
}

/// Division: integers cannot be divided by zero.
fn divide(
    function: &Function,
    operator: ArithmeticOperator,
    (left, right): (&[u8], &[u8]),
    span: Span,
) -> Result<ComputedValue> {
    let is_division = matches!(operator, ArithmeticOperator::Divide | ArithmeticOperator::Modulo);
    let ([from, by], Type::Native(ty)) = (&function.arguments[..], &function.returns) else {
        return Ok(ComputedValue::Unknown);
    };
    let failure = match ty {
        _ if !is_zero(by, right) => return Ok(ComputedValue::Unknown),
        // The alignment of scales comes before the division.
        NativeType::Decimal
            if operator == ArithmeticOperator::Divide
                && (has_great_scale(by, right) || has_great_scale(from, left)) =>
        {
            return Ok(ComputedValue::Unknown);
        }
        NativeType::Decimal if operator == ArithmeticOperator::Modulo && is_zero(from, left) => {
            ArithmeticFailure::ZeroByZero
        }
        NativeType::Decimal if operator == ArithmeticOperator::Modulo => {
            ArithmeticFailure::DecimalByZero
        }
        NativeType::Decimal | NativeType::Varint => ArithmeticFailure::BigIntegerByZero,
        NativeType::Tinyint | NativeType::Smallint | NativeType::Int | NativeType::Bigint => {
            ArithmeticFailure::IntegerByZero
        }
        _ => return Ok(ComputedValue::Unknown),
    };
    if !is_division || left.is_empty() {
        return Ok(ComputedValue::Unknown);
    }
    refuse(
        ComputationReason::Operation {
            operation: OperationSignature {
                operator,
                operands: [from.to_string(), by.to_string()],
            },
            failure,
        },
        span,
    )
}

/// Whether bytes are a decimal with more digits after or before the point than usual.
fn has_great_scale(ty: &Type, bytes: &[u8]) -> bool {
    let scale = bytes.first_chunk::<4>().map(|scale| i32::from_be_bytes(*scale));
    *ty == Type::Native(NativeType::Decimal)
        && scale.is_some_and(|scale| scale.unsigned_abs() > 100_000)
}

/// Whether bytes are the number zero.
fn is_zero(ty: &Type, bytes: &[u8]) -> bool {
    let digits = match (ty, bytes) {
        (Type::Native(NativeType::Decimal), _) => bytes.get(4..).unwrap_or_default(),
        // Negative zero.
        (Type::Native(NativeType::Float | NativeType::Double), [0x80, rest @ ..]) => rest,
        _ => bytes,
    };
    !digits.is_empty() && digits.iter().all(|byte| *byte == 0)
}

fn from_json(function: &Function, text: &[u8], now_ms: i64, span: Span) -> Result<ComputedValue> {
    let text = String::from_utf8_lossy(text);
    let json = json::read(&text).map_err(|fault| {
        let (function, text) = (function.signature(), text.to_string());
        Refusal::new(ComputationReason::JsonText { function, text, fault: Box::new(fault) }, span)
    })?;
    if json == Json::Null {
        return Ok(ComputedValue::Known(None));
    }
    match json::decode(&function.returns, &json, now_ms) {
        Ok(term) => evaluate(&term, span),
        Err(DecodeError::Marshal(error)) => refuse(FormatReason::JsonArgument(error), span),
        Err(DecodeError::Other(code, message)) => {
            refuse(FormatReason::JsonArgumentFailure(code, message), span)
        }
    }
}
