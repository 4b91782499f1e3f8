//! The errors of functions.

use cql::Span;
use cql::term::ArithmeticOperator;
use cql::value::ValueError;
use schema::bind::function::Function;
use schema::refusal::{ArithmeticFailure, ComputationReason, OperationSignature};
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
    operator: ArithmeticOperator,
    failure: ArithmeticFailure,
) -> Box<Refusal> {
    let operand = |at: usize| function.arguments.get(at).map(ToString::to_string);
    let operands = [0, 1].map(|at| operand(at).unwrap_or_default());
    let operation = OperationSignature { operator, operands };
    refusal(ComputationReason::Operation { operation, failure })
}

/// A user function that cannot be executed: its body is Java that is not interpreted.
pub(super) fn user_function(function: &Function) -> Box<Refusal> {
    refusal(ComputationReason::Function { function: function.signature() })
}
