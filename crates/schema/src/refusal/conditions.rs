//! Errors of IF conditions.

super::family! {
    /// The errors of a condition.
    ConditionReason {
        Unset = "QV028", Invalid, "Invalid 'unset' value in condition";
        NullList = "QV028", Invalid, "Invalid null list in IN condition";
        CustomTimestamp
            = "LW004", Invalid, "Cannot provide custom timestamp for conditional updates";
        OnCounters = "CN004", Invalid, "Conditions on counters are not supported";
        OnKey { column: String }
            = "LW005", Invalid, "PRIMARY KEY column '{column}' cannot have IF conditions";
        ElementAccess { what: String, column: String }
            = "QV025", Invalid, "Invalid element access syntax for {what} column {column}";
        UnknownField { field: String, column: String }
            = "QV027", Invalid, "Unknown field {field} for column {column}";
        FieldCast { class: String, user: String }
            = "QV025", Server,
            "java.lang.ClassCastException: class {class} cannot be cast to class {user} ({class} and {user} \
            are in unnamed module of loader 'app')";
        NullElement { what: String }
            = "QV028", Invalid, "Invalid null value for {what} element access";
        NegativeIndex { index: String } = "QV028", Invalid, "Invalid negative list index {index}";
        NullComparison { sign: String }
            = "QV028", Invalid, "Invalid comparison with null for operator \"{sign}\"";
        EmptyComparison { kind: String, sign: String }
            = "QV028", Invalid, "Invalid comparison with an empty {kind} for operator \"{sign}\"";
        OutOfBounds = "QV028", Server, "java.lang.IndexOutOfBoundsException";
        PartitionIn { statements: String }
            = "LW004", Invalid,
            "IN on the partition key is not supported with conditional {statements}";
        ClusteringIn { statements: String }
            = "LW004", Invalid,
            "IN on the clustering key columns is not supported with conditional {statements}";
        UpdatesOfCounters
            = "CN004", Invalid, "Conditional updates are not supported on counter tables";
        DurationSlice { what: &'static str }
            = "QV020", Invalid, "Slice conditions are not supported on {what}";
        DurationComparison { operator: &'static str }
            = "QV020", Invalid, "Slice conditions ( {operator} ) are not supported on durations";
        DeleteWithoutKey { purpose: &'static str }
            = "LW005", Invalid,
            "DELETE statements must restrict all PRIMARY KEY columns with equality relations{purpose}";
        ElementOfSet { column: String }
            = "QV025", Invalid, "Invalid element access syntax for set column {column}";
    }
}
