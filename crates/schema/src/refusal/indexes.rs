//! Errors of CREATE and DROP INDEX, for any kind of index.

super::family! {
    /// The errors of an index definition.
    IndexReason {
        NoIndexer { class: String }
            = "SV023", Config,
            "Specified Indexer class ({class}) does not implement the Indexer interface";
        UnknownClass { class: String }
            = "SV023", Config, "Unable to find custom indexer class '{class}'";
        PartOfFrozen { part: &'static str, column: String, quoted: String }
            = "SV020", Invalid,
            "Cannot create {part}() index on frozen column {column}. Frozen collections are immutable and \
            must be fully indexed by using the 'full({quoted})' modifier";
        FullOfOthers = "SV020", Invalid, "full() indexes can only be created on frozen collections";
        PartOfPlain { part: &'static str, column: String }
            = "SV020", Invalid,
            "Cannot create {part}() index on {column}. Non-collection columns only support simple indexes";
        PartOfOthers { part: &'static str, column: String }
            = "SV020", Invalid,
            "Cannot create index on {part} of column {column} with non-map type";
        NonFrozenType { column: String }
            = "SV020", Invalid, "Cannot create index on non-frozen UDT column {column}";
        Name { name: String } = "SV015", Config, "Illegal index name {name}";
        Exists { name: String } = "SV022", Invalid, "Index '{name}' already exists";
        Duplicate { name: String, existing: String }
            = "SV022", Invalid, "Index {name} is a duplicate of existing index {existing}";
        Unknown { keyspace: String, name: String }
            = "SV028", Invalid, "Index '{keyspace}.{name}' doesn't exist'";
        OptionsWithoutCustom = "SV023", Invalid, "Cannot specify options for a non-CUSTOM index";
        ReservedOption { option: String }
            = "SV023", Invalid, "Cannot specify {option} as a CUSTOM option";
        OnCounters = "SV021", Invalid, "Secondary indexes on counter tables aren't supported";
        OnViews = "SV021", Invalid, "Secondary indexes on materialized views aren't supported";
        NoTarget
            = "SV020", Invalid,
            "Only CUSTOM indexes can be created without specifying a target column";
        ManyTargets = "SV020", Invalid, "Only CUSTOM indexes support multiple columns";
        DuplicateTarget { column: String }
            = "SV020", Invalid, "Duplicate column '{column}' in index target list";
        UndefinedTarget { column: String, table: String }
            = "SV020", Invalid, "Undefined column name {column} in table {table}";
        ColumnName { column: String }
            = "SV020", Invalid, "Column '{column}' contains non-alphanumeric-underscore characters";
        ColumnNameLength { column: String, limit: usize }
            = "SV020", Invalid,
            "Column '{column}' is longer than the permissible name length of {limit} characters";
        Durations { what: String }
            = "SV020", Invalid, "Secondary indexes are not supported on {what}";
        OnlyPartitionKey { column: String }
            = "SV020", Invalid,
            "Cannot create secondary index on the only partition key column {column}";
        CompactKey
            = "SV020", Invalid,
            "Secondary indexes are not supported on PRIMARY KEY columns in COMPACT STORAGE tables";
        CompactValue
            = "SV020", Invalid,
            "Secondary indexes are not supported on compact value column of COMPACT STORAGE tables";
    }
}
