//! Errors of the clauses of a SELECT other than WHERE: selection, GROUP BY, ORDER BY, LIMIT,
//! DISTINCT.

super::family! {
    /// The errors of the clauses of a SELECT other than WHERE.
    SelectionReason {
        DistinctRestriction
            = "QV017", Invalid,
            "SELECT DISTINCT with WHERE clause only supports restriction by partition key and/or static \
            columns.";
        DistinctColumn { column: String }
            = "QV017", Invalid,
            "SELECT DISTINCT queries must only request partition key columns and/or static columns (not \
            {column})";
        DistinctMissing { column: String }
            = "QV017", Invalid,
            "SELECT DISTINCT queries must request all the partition key columns (missing {column})";
        PagedOrder
            = "QV015", Invalid,
            "Cannot page queries with both ORDER BY and a IN restriction on the partition key; you must \
            either remove the ORDER BY or the IN and sort client side, or disable paging for this query";
        NullLimit = "QV029", Invalid, "Invalid null value of limit";
        EmptyLimit
            = "QV029", Server,
            "java.lang.NullPointerException: Cannot invoke \"java.lang.Integer.intValue()\" because the \
            return value of \"org.apache.cassandra.db.marshal.Int32Type.compose(java.nio.ByteBuffer)\" is \
            null";
        NonPositiveLimit = "QV029", Invalid, "LIMIT must be strictly positive";
        GroupPartOfKey
            = "QV016", Invalid, "Group by is not supported on only a part of the partition key";
        GroupDistinct
            = "QV016", Invalid,
            "Grouping on clustering columns is not allowed for SELECT DISTINCT queries";
        GroupColumn { column: String }
            = "QV016", Invalid,
            "Group by is currently only supported on the columns of the PRIMARY KEY, got {column}";
        GroupFunctionLast
            = "QV016", Invalid,
            "Functions are only supported on the last element of the GROUP BY clause";
        GroupAggregate { function: String }
            = "QV016", Invalid,
            "Aggregate functions are not supported within the GROUP BY clause, got: {function}";
        GroupFunctionColumn
            = "QV016", Invalid,
            "GROUP BY functions must have one clustering column name as parameter";
        GroupFunctionColumns { columns: String }
            = "QV016", Invalid,
            "GROUP BY functions accept only one clustering column as parameter, got: {columns}";
        GroupFunctionOther { column: String }
            = "QV016", Invalid,
            "Group by functions are only supported on clustering columns, got {column}";
        GroupCast { class: String, column: String }
            = "QV016", Server,
            "java.lang.ClassCastException: class {class} cannot be cast to class {column} ({class} and \
            {column} are in unnamed module of loader 'app')";
        GroupMonotonic { function: String }
            = "QV016", Invalid,
            "Only monotonic functions are supported in the GROUP BY clause. Got: {function} ";
        GroupExpression
            = "QV016", Invalid,
            "Only column names and monotonic scalar functions are supported in the GROUP BY clause.";
        PartitionLimitDistinct
            = "QV029", Invalid, "PER PARTITION LIMIT is not allowed with SELECT DISTINCT queries";
        PartitionLimitAggregate
            = "QV029", Invalid, "PER PARTITION LIMIT is not allowed with aggregate queries.";
        OrderWithIndex
            = "QV014", Invalid,
            "ORDER BY with 2ndary indexes is not supported, except for ANN queries.";
        OrderWithoutPartition
            = "QV010", Invalid,
            "ORDER BY is only supported when the partition key is restricted by an EQ or an IN.";
        OrderColumn { column: String }
            = "QV011", Invalid,
            "Order by is currently only supported on the clustered columns of the PRIMARY KEY, got {column}";
        OrderDirection = "QV013", Invalid, "Unsupported order by relation";
        OrderTooLong { columns: String }
            = "QV012", Server,
            "java.lang.ArrayIndexOutOfBoundsException: Index {columns} out of bounds for length {columns}";
        OrderOfColumns
            = "QV012", Invalid,
            "Order by currently only supports the ordering of columns following their declared order in the \
            PRIMARY KEY";
        UninferredTerm { term: String }
            = "QV027", Invalid,
            "Cannot infer type for term {term} in selection clause (try using a cast to force a type)";
        FunctionOfKey { function: String, column: String }
            = "QV027", Invalid,
            "Cannot use selection function {function} on PRIMARY KEY part {column}";
        NestedAggregate
            = "QV027", Invalid,
            "aggregate functions cannot be used as arguments of aggregate functions";
        CastOfNothing
            = "QV027", Server,
            "java.lang.IndexOutOfBoundsException: Index 0 out of bounds for length 0";
        Cast { column: String, target: String }
            = "QV027", Invalid, "{column} cannot be cast to {target}";
        FieldOfOthers { selected: String, ty: String }
            = "QV027", Invalid,
            "Invalid field selection: {selected} of type {ty} is not a user type";
        NoField { selected: String, ty: String, field: String }
            = "QV027", Invalid, "{selected} of type {ty} has no field {field}";
        ElementOfOthers { selected: String, ty: String }
            = "QV027", Invalid,
            "Invalid element selection: {selected} is of type {ty} is not a collection";
        SliceOfOthers { selected: String, ty: String }
            = "QV027", Invalid,
            "Invalid slice selection: {selected} of type {ty} is not a collection";
        ListSelection { what: String, selected: String }
            = "QV027", Invalid,
            "{what} selection is only allowed on sets and maps, but {selected} is a list";
        VectorSelector { ty: String, given: usize }
            = "QV027", Invalid,
            "Unable to create a vector selector of type {ty} from {given} elements";
        NotAField { key: String, ty: String }
            = "QV027", Invalid, "{key} is not a valid field identifier of type {ty} ";
        UnsupportedTarget { ty: String }
            = "QV027", Server, "java.lang.IllegalArgumentException: Unsupported target type: {ty}";
        GroupOrder
            = "QV016", Invalid,
            "Group by currently only support groups of columns following their declared order in the PRIMARY \
            KEY";
        Assign { value: String, ty: String }
            = "QV027", Invalid, "Cannot assign value {value} to {value} of type {ty}";
    }
}
