//! Errors of calls of functions and operators.

super::family! {
    /// The errors of a call.
    FunctionReason {
        UnknownCalled { function: String } = "QV033", Invalid, "Unknown function {function} called";
        AggregateInWhere
            = "QV027", Invalid, "Aggregation function are not supported in the where clause";
        ResultType { what: String, returns: String, receiver: String, ty: String }
            = "QV027", Invalid,
            "Type error: cannot assign result of {what} (type {returns}) to {receiver} (type {ty})";
        ArgumentCount { function: String }
            = "QV027", Invalid, "Invalid number of arguments for function {function}";
        UninferredArgument { argument: String, function: String }
            = "QV027", Invalid,
            "Cannot infer type of argument {argument} in call to function {function}: use type casts to \
            disambiguate";
        NotSelectable { function: String }
            = "QV027", Invalid,
            "{function}() cannot be used in the selection clause of a SELECT statement";
        NoReceiverKeyspace { function: String }
            = "QV007", Invalid,
            "No receiver keyspace has been specified for function system.{function}";
        UnknownReceiverTable { keyspace: String, table: String, function: String }
            = "QV007", Invalid,
            "The receiver table {keyspace}.{table} specified by call to function system.{function} hasn't \
            been found";
        VectorDimensions = "QV027", Invalid, "All arguments must have the same vector dimensions";
        WrongArgument { function: String, wanted: String, argument: String, ty: String }
            = "QV027", Invalid,
            "Function {function} requires {wanted}, but found argument {argument} of type {ty}";
        ArgumentsRequired { function: String, required: usize, provided: usize }
            = "QV027", Invalid,
            "Invalid number of arguments in call to function {function}: {required} required but {provided} \
            provided";
        ArgumentType { argument: String, position: String, function: String, ty: String }
            = "QV027", Invalid,
            "Type error: {argument} cannot be passed as argument {position} of function {function} of type \
            {ty}";
        Operands { sign: char, left: String, right: String }
            = "QV027", Invalid,
            "the '{sign}' operation is not supported between {left} and {right}";
        NoSignature { function: String, signatures: String }
            = "QV027", Invalid,
            "Invalid call to function {function}, none of its type signatures match (known type signatures: \
            {signatures})";
        AmbiguousOperation { sign: char, left: String, right: String }
            = "QV027", Invalid,
            "Ambiguous '{sign}' operation with args {left} and {right}: use type hint to disambiguate, \
            example '(int) ?'";
        Unknown { function: String } = "QV033", Invalid, "Unknown function '{function}'";
        AmbiguousNegation = "QV027", Invalid, "Ambiguous negation: use type casts to disambiguate";
        Ambiguous { function: String, signatures: String }
            = "QV027", Invalid,
            "Ambiguous call to function {function} (can be matched by following signatures: {signatures}): \
            use type casts to disambiguate";
    }
}
