//! The ways in which computing fails.

use cql::Span;
use schema::Refusal;
use schema::bind::function::Function;
use schema::refusal::ComputationReason;

fn refusal(reason: ComputationReason) -> Refusal {
    Refusal::new(reason, Span::default())
}

/// The server refuses.
pub(super) fn invalid(failure: String) -> Refusal {
    refusal(ComputationReason::Invalid { failure })
}

/// The server fails: Java's exception and its text.
pub(super) fn server(failure: impl Into<String>) -> Refusal {
    refusal(ComputationReason::Server { failure: failure.into() })
}

/// A failure of Java's arithmetic.
pub(super) fn arithmetic(reason: &str) -> Refusal {
    server(format!("java.lang.ArithmeticException: {reason}"))
}

/// `the operation 'int / int' failed: ...`
pub(super) fn operation(function: &Function, sign: char, reason: &str) -> Refusal {
    let types: Vec<String> = function.arguments.iter().map(ToString::to_string).collect();
    let operation = types.join(&format!(" {sign} "));
    refusal(ComputationReason::Operation { operation, failure: reason.to_owned() })
}

/// The bodies of user functions are Java.
pub(super) fn user_function(function: &Function) -> Refusal {
    let types: Vec<String> = function.arguments.iter().map(ToString::to_string).collect();
    let (function, arguments) = (function.name.to_string(), types.join(", "));
    refusal(ComputationReason::Function { function, arguments })
}
