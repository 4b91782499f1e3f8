//! Errors of the WHERE clause.

super::family! {
    /// The errors of a WHERE clause.
    RestrictionReason {
        IndexAndIn
            = "QV022", Invalid,
            "Select on indexed columns and with IN clause for the PRIMARY KEY are not supported";
        Operator { statement: String, operator: String }
            = "QV020", Invalid, "Cannot use {statement} with {operator}";
        Unsupported { relation: String } = "QV018", Invalid, "Unsupported restriction: {relation}";
        LikeWithoutIndex { relation: String }
            = "QV021", Invalid,
            "LIKE restriction is only supported on properly indexed columns. {relation} is not valid.";
        TokenInWrite { statement: String }
            = "QV007", Invalid,
            "The token function cannot be used in WHERE clauses for {statement} statements";
        MissingPartitionKey { columns: String }
            = "QV002", Invalid, "Some partition key parts are missing: {columns}";
        PartitionKeyRelation { statement: String }
            = "QV006", Invalid,
            "Only EQ and IN relation are supported on the partition key (unless you use the token() \
            function) for {statement} statements";
        SliceInWrite { statement: String }
            = "QV003", Invalid,
            "Slice restrictions are not supported on the clustering columns in {statement} statements";
        ContainsOnClustering
            = "QV020", Invalid,
            "Clustering columns can only be restricted with CONTAINS with a secondary index or filtering";
        MissingClustering { columns: String }
            = "QV003", Invalid, "Some clustering keys are missing: {columns}";
        Gap { column: String, preceding: String }
            = "QV004", Invalid,
            "PRIMARY KEY column \"{column}\" cannot be restricted as preceding column \"{preceding}\" is not \
            restricted";
        OtherColumns { columns: String }
            = "QV008", Invalid, "Non PRIMARY KEY columns found in where clause: {columns} ";
        AfterRange { column: String, preceding: String }
            = "QV005", Invalid,
            "Clustering column \"{column}\" cannot be restricted (preceding column \"{preceding}\" is \
            restricted by a non-EQ relation)";
        KeyAfterRange { column: String, preceding: String }
            = "QV005", Invalid,
            "PRIMARY KEY column \"{column}\" cannot be restricted (preceding column \"{preceding}\" is \
            restricted by a non-EQ relation)";
        ManyExpressions
            = "IX010", Invalid,
            "Multiple custom index expressions in a single query are not supported";
        ExpressionInWrite
            = "IX010", Invalid,
            "Custom index expressions cannot be used in WHERE clauses for UPDATE or DELETE statements";
        UnknownOperator { operator: String }
            = "QV020", Server, "java.lang.IllegalArgumentException: unknown operator: {operator}";
        CollectionRelation { columns: String }
            = "QV020", Invalid,
            "Collection column {columns} can only be restricted by CONTAINS, CONTAINS KEY, or map-entry \
            equality";
        TwoBounds { end: String, columns: String }
            = "QV019", Invalid,
            "More than one restriction was found for the {end} bound on {columns}";
        TwoRelations { columns: String, what: String }
            = "QV019", Invalid,
            "{columns} cannot be restricted by more than one relation if it includes {what}";
        EqualityAndInequality { noun: String, columns: String }
            = "QV019", Invalid,
            "{noun} \"{columns}\" cannot be restricted by both an equality and an inequality relation";
        TwoInequalities { column: String }
            = "QV019", Invalid,
            "Column \"{column}\" cannot be restricted by two inequalities not starting with the same column";
        MultiColumnOperator { operator: String }
            = "QV018", Invalid, "{operator} cannot be used for multi-column relations";
        MultiColumnOthers { column: String }
            = "QV005", Invalid,
            "Multi-column relations can only be applied to clustering columns but was applied to: {column}";
        MultiColumnTwice { column: String, relation: String }
            = "QV005", Invalid, "Column \"{column}\" appeared twice in a relation: {relation}";
        MultiColumnOrder { relation: String }
            = "QV005", Invalid,
            "Clustering columns must appear in the PRIMARY KEY order in multi-column relations: {relation}";
        NotEqual { relation: String } = "QV018", Invalid, "Unsupported \"!=\" relation: {relation}";
        ListEntries { column: String }
            = "QV020", Invalid,
            "Indexes on list entries ({column}[index] = value) are not currently supported.";
        NoMap { column: String } = "QV020", Invalid, "Column {column} cannot be used as a map";
        FrozenMapEntry { column: String }
            = "QV020", Invalid,
            "Map-entry equality predicates on frozen map column {column} are not supported";
        EntryOperator = "QV020", Invalid, "Only EQ relations are supported on map entries";
        ContainsKeyOnOthers { column: String }
            = "QV020", Invalid, "Cannot use CONTAINS KEY on non-map column {column}";
        ContainsOnOthers { column: String }
            = "QV020", Invalid, "Cannot use CONTAINS on non-collection column {column}";
        NonFrozenType { column: String, ty: String }
            = "QV020", Invalid,
            "Non-frozen UDT column '{column}' ({ty}) cannot be restricted by any relation";
        CollectionOperator { column: String, ty: String, operator: String }
            = "QV020", Invalid,
            "Collection column '{column}' ({ty}) cannot be restricted by a '{operator}' relation";
        TokenOperator { operator: String }
            = "QV007", Invalid, "{operator} cannot be used with the token function";
        FilterTupleIn = "QV028", Invalid, "Multicolumn IN filters are not supported";
        FilterTupleSlice
            = "QV028", Invalid, "Multi-column slice restrictions cannot be used for filtering.";
        EmptyLike = "QV021", Invalid, "LIKE value can't be empty.";
        LikeForm { column: String, before: String, after: String, term: String }
            = "QV021", Invalid,
            "{column} LIKE '{before}<term>{after}' {term} is only supported on properly indexed columns";
        LikeNull
            = "QV021", Server,
            "java.lang.NullPointerException: Cannot invoke \"java.nio.ByteBuffer.position()\" because \
            \"value\" is null";
        NeedsFiltering
            = "QV001", Invalid,
            "Cannot execute this query as it might involve data filtering and thus may have unpredictable \
            performance. If you want to execute this query despite the performance unpredictability, use \
            ALLOW FILTERING";
        ListNeedsFiltering
            = "QV034", Invalid,
            "Cannot execute this query as it might involve data filtering and thus may have unpredictable \
            performance. If you want to execute this query despite the performance unpredictability, use \
            ALLOW FILTERING";
        ClusteringOfStatics
            = "QV023", Invalid,
            "Cannot restrict clustering columns when selecting only static columns";
        ClusteringInStaticWrite { statement: String }
            = "QV023", Invalid,
            "Invalid restrictions on clustering columns since the {statement} statement modifies only static \
            columns";
        OtherTableIndex { index: String, table: String }
            = "IX010", Invalid, "Target index {index} cannot be used to query {table}";
        UnknownIndex { index: String, table: String }
            = "IX010", Invalid, "Invalid index expression, index {index} not found for {table}";
        NoCustomIndex { index: String }
            = "IX010", Invalid,
            "Only CUSTOM indexes may be used in custom index expressions, {index} is not valid";
        NoExpressions { index: String }
            = "IX010", Invalid, "Index {index} does not support custom expressions";
        TokenOfPart
            = "QV007", Invalid,
            "The token() function must be applied to all partition key components or none of them";
        TokenTwice
            = "QV007", Invalid, "The token() function contains duplicate partition key components";
        TokenOfOthers
            = "QV007", Invalid, "The token() function must contains only partition key components";
        TokenOrder { columns: String }
            = "QV007", Invalid,
            "The token function arguments must be in the partition key order: {columns}";
        DurationSlice { what: &'static str }
            = "QV020", Invalid, "Slice restrictions are not supported on {what}";
        IsNotNull { relation: String } = "QV018", Invalid, "Unsupported restriction: {relation}";
    }
}
