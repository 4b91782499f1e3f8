//! Errors of CREATE, ALTER and DROP TABLE.

super::family! {
    /// The errors of a table definition.
    TableReason {
        NonFrozenTypeKeyColumn { keyspace: String, ty: String, column: String }
            = "SV003", Invalid,
            "Invalid non-frozen user-defined type \"{keyspace}.{ty}\" for PRIMARY KEY column '{column}'";
        NonFrozenKeyColumn { ty: String, column: String }
            = "SV003", Invalid,
            "Invalid non-frozen collection type {ty} for PRIMARY KEY column '{column}'";
        AlterView
            = "SV026", Invalid,
            "Cannot use ALTER TABLE on a materialized view; use ALTER MATERIALIZED VIEW instead";
        CompactMultiCell
            = "SV014", Invalid,
            "Non-frozen collections and UDTs are not supported with COMPACT STORAGE";
        CompactStatic
            = "SV014", Invalid, "Static columns are not supported in COMPACT STORAGE tables";
        CompactWithoutColumns
            = "SV014", Invalid, "No definition found that is not part of the PRIMARY KEY";
        CompactManyColumns { columns: String }
            = "SV014", Invalid,
            "COMPACT STORAGE with composite PRIMARY KEY allows no more than one column not part of the \
            PRIMARY KEY (got: {columns})";
        NotCompact
            = "SV014", Invalid, "Cannot DROP COMPACT STORAGE on table without COMPACT STORAGE";
        Exists { table: String, keyspace: String }
            = "SV027", AlreadyExists,
            "Cannot add already existing table \"{table}\" to keyspace \"{keyspace}\"";
        ExistsAsView { keyspace: String, table: String }
            = "SV027", Server,
            "java.lang.RuntimeException: javax.management.InstanceAlreadyExistsException: \
            org.apache.cassandra.db:type=Tables,keyspace={keyspace},table={table}";
        SameId { id: String, new: String, old: String }
            = "SV027", Server,
            "java.lang.IllegalArgumentException: Multiple entries with same key: {id}={new} and {id}={old}";
        DuplicateColumn { column: String, table: String }
            = "SV002", Invalid, "Duplicate column '{column}' declaration for table '{table}'";
        ManyPrimaryKeys { table: String }
            = "SV001", Invalid,
            "Multiple PRIMARY KEY specified for table '{table}' (exactly one required)";
        NoPrimaryKey { table: String }
            = "SV001", Invalid,
            "No PRIMARY KEY specifed for table '{table}' (exactly one required)";
        UnknownKeyColumn { column: String, table: String }
            = "SV002", Invalid,
            "Unknown column '{column}' referenced in PRIMARY KEY for table '{table}'";
        DuplicateKeyColumn { column: String, table: String }
            = "SV002", Invalid,
            "Duplicate column '{column}' in PRIMARY KEY clause for table '{table}'";
        StaticKeyColumn { column: String }
            = "SV005", Invalid, "Static column '{column}' cannot be part of the PRIMARY KEY";
        CounterKeyColumn { column: String }
            = "SV004", Invalid, "counter type is not supported for PRIMARY KEY column '{column}'";
        DurationKeyColumn { column: String }
            = "SV004", Invalid, "duration type is not supported for PRIMARY KEY column '{column}'";
        MixedCounters
            = "SV007", Invalid, "Cannot mix counter and non counter columns in the same table";
        DropView
            = "SV026", Invalid,
            "Cannot use DROP TABLE on a materialized view. Please use DROP MATERIALIZED VIEW instead.";
        DropBaseTable { keyspace: String }
            = "SV026", Invalid,
            "Cannot drop a table when materialized views still depend on it ({keyspace})";
        DuplicateOrder { column: String, owner: String }
            = "SV006", Invalid,
            "Duplicate column '{column}' in CLUSTERING ORDER BY clause for {owner}";
        OrderOfOthers { columns: String }
            = "SV006", Invalid,
            "Only clustering key columns can be defined in CLUSTERING ORDER directive: [{columns}] are not \
            clustering columns";
        OrderOfColumns { expected: String, found: String }
            = "SV006", Invalid,
            "The order of columns in the CLUSTERING ORDER directive must match that of the clustering \
            columns ({expected} must appear before {found})";
        MissingOrder { column: String }
            = "SV006", Invalid, "Missing CLUSTERING ORDER for column {column}";
        Name { keyspace: String, table: String }
            = "SV015", Config,
            "{keyspace}.{table}: Table name must not be empty or not contain non-alphanumeric-underscore \
            characters (got \"{table}\")";
        NameLength { keyspace: String, table: String, limit: usize, length: usize }
            = "SV015", Config,
            "{keyspace}.{table}: Table name must not be more than {limit} characters long (got {length} \
            characters for \"{table}\")";
        OtherInCounters { table: String, column: String }
            = "SV007", Config,
            "{table}: Cannot have a non counter column (\"{column}\") in a counter table";
        CounterInOthers { table: String, column: String }
            = "SV007", Config,
            "{table}: Cannot have a counter column (\"{column}\") in a non counter table";
    }
}
