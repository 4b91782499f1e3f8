//! User functions in Java: an interpreter of the part of the language that function bodies use.
//!
//! A body has statements and expressions over primitives, strings, collections, tuples and user
//! types (`lexer`, `parser`, `syntax`). They are evaluated (`interpreter`) with the methods of
//! these classes (`methods`, `records`, `classes`), within bounds (`budget`). A body that uses
//! anything else is not executed.

mod budget;
mod classes;
mod interpreter;
mod lexer;
mod methods;
mod opaque;
mod parser;
mod records;
mod syntax;
#[cfg(test)]
mod tests;
mod value;

use schema::bind::function::Function;
use schema::catalog::UserFunction;
use schema::refusal::ComputationReason;

use super::{Computation, failure};
use interpreter::Interpreter;
use value::JavaValue;

/// The maximum length of a body; that of Java is about the same.
const MAX_BODY_BYTES: usize = 64 << 10;

/// Why a body has no result.
#[derive(Clone, Debug)]
pub(super) enum JavaFault {
    /// It uses something that is not interpreted.
    Unsupported,
    /// It threw an exception, with the text of the exception.
    Exception(String),
    /// It took too many steps, or too much memory.
    Exhausted,
}

impl JavaFault {
    fn new(class: &str, message: &str) -> Self {
        Self::Exception(format!("{class}: {message}"))
    }
}

/// Calls a user function.
pub(super) fn call(
    function: &Function,
    user: &UserFunction,
    arguments: &[Option<&[u8]>],
) -> Computation {
    if !user.called_on_null_input && arguments.iter().any(Option::is_none) {
        return Ok(None);
    }
    run(user, arguments).map_err(|fault| match fault {
        JavaFault::Unsupported => failure::user_function(function),
        JavaFault::Exception(exception) => {
            let function = function.signature();
            failure::refusal(ComputationReason::JavaException { function, exception })
        }
        JavaFault::Exhausted => {
            let function = function.signature();
            failure::refusal(ComputationReason::JavaTimeout { function })
        }
    })
}

fn run(user: &UserFunction, arguments: &[Option<&[u8]>]) -> Result<Option<Vec<u8>>, JavaFault> {
    if !user.language.eq_ignore_ascii_case("java") {
        return Err(JavaFault::Unsupported);
    }
    if user.body.len() > MAX_BODY_BYTES {
        return Err(JavaFault::Unsupported);
    }
    let body = parser::parse(&user.body).ok_or(JavaFault::Unsupported)?;
    let mut interpreter = Interpreter::new(&user.returns);
    for ((name, ty), bytes) in user.arguments.iter().zip(arguments) {
        let value = JavaValue::from_cql(ty, *bytes).ok_or(JavaFault::Unsupported)?;
        interpreter.add_parameter(name, ty, value);
    }
    let result = interpreter.run(&body)?;
    result.to_cql(&user.returns, !user.called_on_null_input)
}
