//! Errors of functions at execution.

use cql::value::ValueError;

use super::{ArithmeticFailure, JsonFault};

super::family! {
    /// The errors of a function at execution.
    ComputationReason {
        Operation { operation: String, failure: ArithmeticFailure }
            = "QV028", FunctionFailure, "the operation '{operation}' failed: {failure}";
        Arithmetic { failure: ArithmeticFailure }
            = "QV028", Server, "java.lang.ArithmeticException: {failure}";
        JsonText { function: String, text: String, fault: Box<JsonFault> }
            = "QV028", FunctionFailure,
            "execution of '{function}[text]' failed: Could not decode JSON string '{text}': {fault}";
        ZeroVector { function: String }
            = "QV028", Invalid, "Function {function} doesn't support all-zero vectors.";
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
        Function { function: String, arguments: String }
            = "QV028", FunctionFailure,
            "execution of '{function}[{arguments}]' failed: functions written in Java are not executed by \
            this server";
    }
}
