//! What calls of native functions give when a statement runs, as far as it is known without rows: above all, whether
//! they fail.

use cql::term::ArithmeticOperator;
use cql::types::{NativeType, Type};
use cql::value::{self, bytes_to_hex};
use cql::{Diagnostic, ErrorCode, Span};

use super::{Function, FunctionKind, SYSTEM};
use crate::Result;
use crate::bind::context::invalid;
use crate::bind::json::{self, DecodeError, Json};
use crate::bind::term::{BoundTerm, pack_collection};

/// Milliseconds between the start of the Gregorian calendar, from which time-based ids count, and 1970.
const GREGORIAN_MS: i64 = 12_219_292_800_000;
/// Clock sequence and node of the least and of the greatest id of a moment.
const LEAST_NODE: [u8; 8] = [0x80; 8];
const GREATEST_NODE: [u8; 8] = [0x7f; 8];

/// What a term gives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::bind) enum Computed {
    /// These bytes, or null.
    Known(Option<Box<[u8]>>),
    /// Something that no other term gives: `now()`, `uuid()`.
    Unique,
    /// Nothing is known of it.
    Unknown,
}

/// Computes a term, or says why the server cannot.
pub(in crate::bind) fn evaluate(term: &BoundTerm, span: Span) -> Result<Computed> {
    match term {
        BoundTerm::Value(value) => return Ok(Computed::Known(value.clone())),
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
    Ok(Computed::Unknown)
}

fn call(function: &Function, arguments: &[BoundTerm], span: Span) -> Result<Computed> {
    let mut values: Vec<Option<Box<[u8]>>> = Vec::with_capacity(arguments.len());
    let mut all_known = true;
    for argument in arguments {
        refuse_unset(function, argument, span)?;
        match evaluate(argument, span)? {
            Computed::Known(value) => values.push(value),
            Computed::Unique | Computed::Unknown => all_known = false,
        }
    }
    if &*function.name.keyspace != SYSTEM || !all_known {
        return Ok(Computed::Unknown);
    }
    match (&*function.name.name, &function.kind, &values[..]) {
        ("now" | "uuid" | "current_timeuuid" | "currenttimeuuid", ..) => Ok(Computed::Unique),
        (_, FunctionKind::Operator(operator), [Some(left), Some(right)]) => {
            divide(function, *operator, (left, right), span)
        }
        ("min_timeuuid" | "mintimeuuid", _, [Some(time)]) => Ok(time_id(time, LEAST_NODE)),
        ("max_timeuuid" | "maxtimeuuid", _, [Some(time)]) => Ok(time_id(time, GREATEST_NODE)),
        ("from_json" | "fromjson", _, [Some(text)]) => from_json(function, text, span),
        (name, FunctionKind::Scalar, [value])
            if name.starts_with("blob_as_") || name.starts_with("blobas") =>
        {
            from_blob(function, value.as_deref(), span)
        }
        _ => Ok(Computed::Unknown),
    }
}

/// Functions take nothing that a client left unset.
pub(in crate::bind) fn refuse_unset(
    function: &Function,
    argument: &BoundTerm,
    span: Span,
) -> Result<()> {
    if *argument != BoundTerm::Unset {
        return Ok(());
    }
    let message =
        format!("Invalid unset value for argument in call to function {}", function.name.name);
    Err(invalid("QV028", message, span).into())
}

fn from_blob(function: &Function, bytes: Option<&[u8]>, span: Span) -> Result<Computed> {
    if let Some(bytes) = bytes
        && value::validate(&function.returns, bytes).is_err()
    {
        let message = format!(
            "In call to function {}, value 0x{} is not a valid binary representation for type {}",
            function.name,
            bytes_to_hex(bytes),
            function.returns
        );
        return Err(invalid("QV028", message, span).into());
    }
    Ok(Computed::Known(bytes.map(Into::into)))
}

/// The first or the last id of a millisecond.
fn time_id(time: &[u8], node: [u8; 8]) -> Computed {
    let Ok(time) = <[u8; 8]>::try_from(time).map(i64::from_be_bytes) else {
        return Computed::Unknown;
    };
    // The greatest id is one of the last tick of its millisecond.
    let last = if node == GREATEST_NODE { 9_999 } else { 0 };
    let ticks = time.checked_add(GREGORIAN_MS).and_then(|ms| ms.checked_mul(10_000));
    let Some(ticks) = ticks.and_then(|ticks| u64::try_from(ticks + last).ok()) else {
        return Computed::Unknown;
    };
    let bytes = ticks.to_be_bytes();
    let mut id = [0; 16];
    id[..4].copy_from_slice(&bytes[4..]);
    id[4..6].copy_from_slice(&bytes[2..4]);
    id[6..8].copy_from_slice(&bytes[..2]);
    id[6] = 0x10 | (id[6] & 0x0f);
    id[8..].copy_from_slice(&node);
    Computed::Known(Some(id.into()))
}

/// Whole numbers cannot be divided by nought.
fn divide(
    function: &Function,
    operator: ArithmeticOperator,
    (left, right): (&[u8], &[u8]),
    span: Span,
) -> Result<Computed> {
    let is_division = matches!(operator, ArithmeticOperator::Divide | ArithmeticOperator::Modulo);
    let ([from, by], Type::Native(ty)) = (&function.arguments[..], &function.returns) else {
        return Ok(Computed::Unknown);
    };
    let is_nought = |bytes: &[u8]| !bytes.is_empty() && bytes.iter().all(|byte| *byte == 0);
    let digits = |bytes: &'_ [u8]| bytes.get(4..).is_some_and(is_nought);
    let reason = match ty {
        NativeType::Decimal if !digits(right) || digits(left) => return Ok(Computed::Unknown),
        NativeType::Decimal if operator == ArithmeticOperator::Modulo => "Division by zero",
        NativeType::Decimal => "BigInteger divide by zero",
        _ if !is_nought(right) => return Ok(Computed::Unknown),
        NativeType::Varint => "BigInteger divide by zero",
        NativeType::Tinyint | NativeType::Smallint | NativeType::Int | NativeType::Bigint => {
            "/ by zero"
        }
        _ => return Ok(Computed::Unknown),
    };
    if !is_division || left.is_empty() {
        return Ok(Computed::Unknown);
    }
    let message = format!("the operation '{from} {} {by}' failed: {reason}", operator.sign());
    Err(failure(message, span).into())
}

fn from_json(function: &Function, text: &[u8], span: Span) -> Result<Computed> {
    let text = String::from_utf8_lossy(text);
    let json = json::read(&text).map_err(|fault| {
        let reason = format!("Could not decode JSON string '{text}': {fault}");
        failure(format!("execution of '{}[text]' failed: {reason}", function.name), span)
    })?;
    if json == Json::Null {
        return Ok(Computed::Known(None));
    }
    match json::decode(&function.returns, &json, 0) {
        Ok(term) => evaluate(&term, span),
        Err(DecodeError::Marshal(reason)) => {
            let message = format!("org.apache.cassandra.serializers.MarshalException: {reason}");
            Err(failure(message, span).into())
        }
        Err(DecodeError::Other(code, message)) => {
            Err(Diagnostic::refusal("QV028", code, message, span).into())
        }
    }
}

fn failure(message: String, span: Span) -> Diagnostic {
    Diagnostic::refusal("QV028", ErrorCode::FunctionFailure, message, span)
}
