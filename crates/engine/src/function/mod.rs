//! Native functions, operators, casts and aggregates, evaluated on serialised values.
//!
//! [`call`] evaluates one call, [`evaluate`] a term, [`expression::Evaluator`] the selected
//! expressions of a SELECT, [`Accumulator`] an aggregate. The treatment of nulls and empty values
//! and the texts of errors are the server's.

mod aggregate;
mod arithmetic;
mod calendar;
mod cast;
mod collection;
mod decimal;
mod digest;
pub mod expression;
mod failure;
mod java;
mod json;
mod logarithm;
mod mask;
mod math;
mod number;
#[cfg(test)]
mod tests;
mod time;
mod user_aggregate;
mod uuid_source;
mod vector;

use cql::Span;
use cql::types::{NativeType, Type};
use schema::Refusal;
use schema::bind::function::{ComputedValue, Function, FunctionKind, SYSTEM, compute};
use schema::bind::term::{BoundTerm, pack_collection, pack_map};
use schema::partitioner::{Token, partition_key};
use schema::refusal::{ComputationReason, ValueReason};

pub use aggregate::Accumulator;
pub use json::to_json;
pub(crate) use json::{append_json, append_name, check_length, has_missing_components};
pub(crate) use mask::mask_column;
pub(crate) use time::shift as shift_time;
pub use uuid_source::UuidSource;

/// The result of a function: bytes, null, or the server's error.
pub type Computation = Result<Option<Vec<u8>>, Box<Refusal>>;

/// The environment of functions.
#[derive(Clone, Copy, Debug)]
pub struct Env<'a> {
    /// The current time in microseconds since 1970.
    pub now_us: i64,
    /// The source of new UUIDs.
    pub ids: &'a dyn UuidSource,
    /// Knows whether the request must stop.
    pub monitor: Option<&'a dyn CallMonitor>,
}

/// Tells functions of long values whether their request must stop.
pub trait CallMonitor: std::fmt::Debug {
    /// Whether the request must stop.
    fn is_interrupted(&self) -> bool;
}

/// A monitor is asked before a call if its arguments have more bytes than this: arithmetic on such
/// numbers, and printing them, may take milliseconds to seconds.
const LONG_BYTES: usize = 4096;

impl Env<'_> {
    /// Fails if values have many bytes and the request must stop.
    fn check_work(&self, bytes: usize) -> Result<(), Box<Refusal>> {
        match self.monitor {
            Some(monitor) if bytes > LONG_BYTES && monitor.is_interrupted() => {
                Err(failure::refusal(ComputationReason::Interrupted))
            }
            _ => Ok(()),
        }
    }

    fn now_ms(&self) -> i64 {
        self.now_us.div_euclid(1000)
    }
}

/// Evaluates a scalar function; aggregates are not evaluated here.
pub fn call(function: &Function, arguments: &[Option<&[u8]>], env: &Env<'_>) -> Computation {
    match compute(function, arguments, env.now_ms(), Span::default())? {
        ComputedValue::Known(value) => return Ok(value.map(Into::into)),
        ComputedValue::Unique | ComputedValue::Unknown => {}
    }
    env.check_work(arguments.iter().flatten().map(|argument| argument.len()).sum())?;
    match (&function.kind, arguments) {
        (FunctionKind::Operator(operator), [left, right]) => {
            arithmetic::operate(function, *operator, *left, *right)
        }
        (FunctionKind::Negation, [value]) => Ok(arithmetic::negate(function, *value)),
        (FunctionKind::Cast(to), [value]) => cast::cast(function, *to, *value),
        (FunctionKind::Scalar, _) => call_scalar(function, arguments, env),
        (FunctionKind::User(user), _) => java::call(function, user, arguments),
        _ => {
            let function = function.name.to_string();
            Err(failure::refusal(ComputationReason::NoFunctionOfRow { function }))
        }
    }
}

fn call_scalar(function: &Function, arguments: &[Option<&[u8]>], env: &Env<'_>) -> Computation {
    if &*function.name.keyspace != SYSTEM {
        return Err(failure::user_function(function));
    }
    let first = arguments.first().copied().flatten();
    match &*function.name.name {
        "token" => Ok(compute_token(arguments)),
        "to_json" | "tojson" => {
            let ty = function.arguments.first().cloned().unwrap_or(NativeType::Blob.into());
            if has_missing_components(&ty, first) {
                return Err(failure::refusal(ValueReason::OutOfBounds));
            }
            if let Some(bytes) = first {
                check_length(&ty, bytes)?;
            }
            let mut out = String::new();
            let value = first.filter(|bytes| !is_meaningless(&ty, bytes));
            append_json(&ty, value, &mut out, env)?;
            Ok(Some(out.into_bytes()))
        }
        "abs" | "exp" | "log" | "log10" | "round" => math::compute(function, first),
        name if name.starts_with("mask_") => mask::mask(function, arguments),
        name if name.starts_with("similarity_") => vector::similarity(function, arguments),
        name if name.starts_with("map_") || name.starts_with("collection_") => {
            collection::compute(function, first)
        }
        name if name.ends_with("_as_blob") || name.ends_with("asblob") => {
            Ok(first.map(<[u8]>::to_vec))
        }
        _ => time::compute(function, arguments, env),
    }
}

/// Whether bytes are the empty value of a type for which it has no meaning; functions treat it as
/// null.
fn is_meaningless(ty: &Type, bytes: &[u8]) -> bool {
    let has_empty =
        matches!(ty, Type::Native(NativeType::Ascii | NativeType::Blob | NativeType::Text));
    bytes.is_empty() && !has_empty && matches!(ty, Type::Native(_))
}

/// The token of a partition key; null if a component is null.
fn compute_token(arguments: &[Option<&[u8]>]) -> Option<Vec<u8>> {
    let values: Option<Vec<&[u8]>> = arguments.iter().copied().collect();
    let key = partition_key(&values?)?;
    let token = if key.is_empty() { i64::MIN } else { Token::from_key(&key).0 };
    Some(token.to_be_bytes().to_vec())
}

/// Evaluates a term.
pub fn evaluate(term: &BoundTerm, env: &Env<'_>) -> Computation {
    let constant = |term: &BoundTerm| -> Result<BoundTerm, Box<Refusal>> {
        Ok(BoundTerm::Value(evaluate(term, env)?.map(Into::into)))
    };
    let packed = match term {
        BoundTerm::Value(value) => return Ok(value.as_deref().map(<[u8]>::to_vec)),
        BoundTerm::Marker(_) | BoundTerm::Unset => {
            return Err(failure::refusal(ComputationReason::UnsetTerm));
        }
        BoundTerm::Call { function, arguments } => {
            let values = arguments.iter().map(|argument| evaluate(argument, env));
            let values = values.collect::<Result<Vec<_>, _>>()?;
            let values: Vec<Option<&[u8]>> = values.iter().map(Option::as_deref).collect();
            return call(function, &values, env);
        }
        BoundTerm::Collection { ty, elements } => {
            let elements = elements.iter().map(constant).collect::<Result<_, _>>()?;
            pack_collection(ty, elements, Span::default())?
        }
        BoundTerm::Map { ty, entries } => {
            let entries = entries.iter().map(|(k, v)| Ok((constant(k)?, constant(v)?)));
            let entries = entries.collect::<Result<_, Box<Refusal>>>()?;
            pack_map(ty, entries, Span::default())?
        }
    };
    match packed {
        BoundTerm::Value(value) => Ok(value.map(Into::into)),
        _ => Ok(None),
    }
}
