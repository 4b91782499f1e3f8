//! The ways in which computing fails.

use cql::{ErrorCode, Span};
use schema::Refusal;
use schema::bind::function::Function;

/// The rule of values that are refused when a statement runs.
const RULE: &str = "QV028";

fn refusal(code: ErrorCode, message: String) -> Refusal {
    Refusal::text(RULE, code, message, Span::default())
}

/// The server refuses.
pub(super) fn invalid(message: String) -> Refusal {
    refusal(ErrorCode::Invalid, message)
}

/// The server fails: Java's exception and its text.
pub(super) fn server(message: impl Into<String>) -> Refusal {
    refusal(ErrorCode::Server, message.into())
}

/// A failure of Java's arithmetic.
pub(super) fn arithmetic(reason: &str) -> Refusal {
    server(format!("java.lang.ArithmeticException: {reason}"))
}

/// `the operation 'int / int' failed: ...`
pub(super) fn operation(function: &Function, sign: char, reason: &str) -> Refusal {
    let types: Vec<String> = function.arguments.iter().map(ToString::to_string).collect();
    let types = types.join(&format!(" {sign} "));
    refusal(ErrorCode::FunctionFailure, format!("the operation '{types}' failed: {reason}"))
}

/// The bodies of user functions are Java.
pub(super) fn user_function(function: &Function) -> Refusal {
    let types: Vec<String> = function.arguments.iter().map(ToString::to_string).collect();
    let message = format!(
        "execution of '{}[{}]' failed: functions written in Java are not executed by this server",
        function.name,
        types.join(", ")
    );
    refusal(ErrorCode::FunctionFailure, message)
}
