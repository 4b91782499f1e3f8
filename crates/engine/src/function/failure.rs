//! The errors of functions.

use cql::Span;
use cql::value::ValueError;
use schema::bind::function::Function;
use schema::refusal::{ArithmeticFailure, ComputationReason};
use schema::{Reason, Refusal};

/// An error without a position in the text.
pub(super) fn refusal(reason: impl Into<Reason>) -> Box<Refusal> {
    Box::new(Refusal::new(reason, Span::default()))
}

/// An error of Java's arithmetic.
pub(super) fn arithmetic(failure: ArithmeticFailure) -> Box<Refusal> {
    refusal(ComputationReason::Arithmetic { failure })
}

/// Bytes that are not a valid value of their type.
pub(super) fn invalid_bytes(error: ValueError) -> Box<Refusal> {
    refusal(ComputationReason::Bytes { error })
}

/// `the operation 'int / int' failed: ...`
pub(super) fn operation(
    function: &Function,
    sign: char,
    failure: ArithmeticFailure,
) -> Box<Refusal> {
    let types: Vec<String> = function.arguments.iter().map(ToString::to_string).collect();
    let operation = types.join(&format!(" {sign} "));
    refusal(ComputationReason::Operation { operation, failure })
}

/// User functions cannot be executed: their bodies are Java.
pub(super) fn user_function(function: &Function) -> Box<Refusal> {
    let types: Vec<String> = function.arguments.iter().map(ToString::to_string).collect();
    let (function, arguments) = (function.name.to_string(), types.join(", "));
    refusal(ComputationReason::Function { function, arguments })
}
