//! Errors of CREATE and DROP of functions and aggregates.

super::family! {
    /// The errors of a definition of a function or aggregate.
    RoutineReason {
        AggregateName { name: String } = "SV037", Invalid, "Aggregate name '{name}' is invalid";
        FrozenStateType { ty: String }
            = "SV037", Invalid,
            "State type '{ty}' cannot be frozen; remove frozen<> modifier from '{ty}'";
        StateFunctionReturns { signature: String }
            = "SV037", Invalid,
            "State function {signature} return type must be the same as the first argument type - check \
            STYPE, argument and return types";
        NotScalar { role: String, signature: String }
            = "SV037", Invalid, "{role} function {signature} isn't a scalar function";
        UnknownStateFunction { role: String, signature: String }
            = "SV028", Invalid, "{role} function {signature} doesn't exist";
        NoInitialState { aggregate: String, keyspace: String, function: String }
            = "SV037", Invalid,
            "Cannot create aggregate '{aggregate}' without INITCOND because state function \
            {keyspace}.{function} does not accept 'null' arguments";
        EmptyInitialState
            = "SV037", Invalid, "INITCOND must not be empty for all types except TEXT, ASCII, BLOB";
        AggregateReplacesFunction { name: String }
            = "SV027", Invalid, "Aggregate '{name}' cannot replace a function";
        AggregateExists { name: String } = "SV027", Invalid, "Aggregate '{name}' already exists";
        AggregateReturns { name: String, returns: String, existing: String }
            = "SV037", Invalid,
            "Cannot replace aggregate '{name}', the new return type {returns} isn't compatible with the \
            return type {existing} of existing function";
        UnknownRoutine { kind: String, signature: String }
            = "SV028", Invalid, "{kind} '{signature}' doesn't exist";
        ManyOverloads { what: String, name: String }
            = "SV037", Invalid,
            "'DROP {what} {name}' matches multiple function definitions; specify the argument types by \
            issuing a statement like 'DROP {what} {name} (type, type, ...)'. You can use cqlsh 'DESCRIBE \
            {what} {name}' command to find all overloads";
        UsedByAggregates { signature: String, aggregates: String }
            = "SV026", Invalid,
            "Function '{signature}' is still referenced by aggregates {aggregates}";
        UsedByMasks { signature: String, tables: String }
            = "SV026", Invalid,
            "Function '{signature}' is still referenced by column masks in tables {tables}";
        FrozenArgument { ty: String }
            = "SV037", Invalid,
            "Argument '{ty}' cannot be frozen; remove frozen<> modifier from '{ty}'";
        ReplaceIfNotExists
            = "SV037", Invalid, "Cannot use both 'OR REPLACE' and 'IF NOT EXISTS' directives";
        OnlyJava
            = "SV037", Invalid,
            "Currently only Java UDFs are available in Cassandra. For more information - CASSANDRA-18252 and \
            CASSANDRA-17281";
        FunctionName { name: String } = "SV037", Invalid, "Function name '{name}' is invalid";
        DuplicateArguments { name: String, arguments: String }
            = "SV037", Invalid,
            "Duplicate argument names for given function {name} with argument names [{arguments}]";
        FrozenReturnType { ty: String }
            = "SV037", Invalid,
            "Return type '{ty}' cannot be frozen; remove frozen<> modifier from '{ty}'";
        JavaCompilation { line: String, name: String }
            = "SV037", Invalid,
            "Java source compilation failed:\nLine {line}: {name} cannot be resolved to a variable\n";
        FunctionReplacesAggregate { name: String }
            = "SV027", Invalid, "Function '{name}' cannot replace an aggregate";
        FunctionExists { name: String } = "SV027", Invalid, "Function '{name}' already exists";
        NullDirective { name: String, directive: String }
            = "SV037", Invalid, "Function '{name}' must have {directive} directive";
        FunctionReturns { name: String, returns: String, existing: String }
            = "SV037", Invalid,
            "Cannot replace function '{name}', the new return type {returns} is not compatible with the \
            return type {existing} of existing function";
    }
}
