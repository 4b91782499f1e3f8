//! Errors of functions at execution.

use std::fmt;

use cql::printer::identifier;
use cql::term::ArithmeticOperator;
use cql::value::ValueError;

use super::{ArithmeticFailure, JsonFault};

/// A function with the types of its arguments: `ks.f[int, text]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallSignature {
    /// The keyspace of the function.
    pub keyspace: String,
    /// The name of the function.
    pub name: String,
    /// The types of its arguments.
    pub arguments: Vec<String>,
}

impl fmt::Display for CallSignature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (keyspace, name) = (identifier(&self.keyspace), identifier(&self.name));
        write!(f, "{keyspace}.{name}[{}]", self.arguments.join(", "))
    }
}

/// An operator with the types of its operands: `int / int`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OperationSignature {
    /// The operator.
    pub operator: ArithmeticOperator,
    /// The types of its operands.
    pub operands: [String; 2],
}

impl OperationSignature {
    /// The server's name of the function.
    pub const fn function_name(&self) -> &'static str {
        match self.operator {
            ArithmeticOperator::Add => "_add",
            ArithmeticOperator::Subtract => "_subtract",
            ArithmeticOperator::Multiply => "_multiply",
            ArithmeticOperator::Divide => "_divide",
            ArithmeticOperator::Modulo => "_modulo",
        }
    }
}

impl fmt::Display for OperationSignature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [left, right] = &self.operands;
        write!(f, "{left} {} {right}", self.operator.sign())
    }
}

super::family! {
    /// The errors of a function at execution.
    ComputationReason {
        Operation { operation: OperationSignature, failure: ArithmeticFailure }
            = "QV028", FunctionFailure, "the operation '{operation}' failed: {failure}";
        Arithmetic { failure: ArithmeticFailure }
            = "QV028", Server, "java.lang.ArithmeticException: {failure}";
        JsonText { function: CallSignature, text: String, fault: Box<JsonFault> }
            = "QV028", FunctionFailure,
            "execution of '{function}' failed: Could not decode JSON string '{text}': {fault}";
        ZeroVector { function: String }
            = "QV028", Invalid, "Function {function} doesn't support all-zero vectors.";
        Interrupted = "QV028", Server, "The request was cancelled";
        UnsetTerm = "QV028", Invalid, "Invalid unset value";
        FloorOfDate { duration: String }
            = "QV028", Invalid,
            "The floor on date values cannot be computed for the {duration} duration as precision is below 1 \
            day";
        FloorPrecision { duration: String }
            = "QV028", Invalid,
            "The floor cannot be computed for the {duration} duration as precision is below 1 millisecond";
        FloorStart
            = "QV028", Invalid,
            "The floor function starting time is greater than the provided time";
        NegativeFloor
            = "QV028", Invalid, "Negative durations are not supported by the floor function";
        FloorOfTime
            = "QV028", Invalid,
            "For time values, the floor can only be computed for durations smaller that a day";
        Bytes { error: ValueError } = "QV028", Server, "{error}";
        NullInVector { position: usize, ty: String, elements: String }
            = "QV028", Server,
            "org.apache.cassandra.serializers.MarshalException: Element at index {position} is null \
            (expected type {ty}); given [{elements}]";
        NoDecimal { first: char }
            = "QV028", Server,
            "java.lang.NumberFormatException: Character {first} is neither a decimal digit number, decimal \
            point, nor \"e\" notation exponential mark.";
        NoFunctionOfRow { function: String }
            = "QV028", Server, "{function} is no function of a row";
        JavaMask { keyspace: String, function: String }
            = "QV028", Server, "The mask {keyspace}.{function} is written in Java";
        JavaException { function: CallSignature, exception: String }
            = "QV028", FunctionFailure, "{exception}";
        JavaTimeout { function: CallSignature }
            = "QV028", FunctionFailure, "User defined function {function} ran longer than 1500ms";
        Function { function: CallSignature }
            = "QV028", FunctionFailure,
            "execution of '{function}' failed: functions written in Java are not executed by \
            this server";
    }
}
