//! Errors of materialized views.

super::family! {
    /// The errors of a view definition.
    ViewReason {
        BaseIsView { table: String } = "MV005", Invalid, "Base table '{table}' doesn't exist";
        UnknownBase { table: String } = "SV028", Invalid, "Base table '{table}' doesn't exist";
        ExistsAsTable { name: String }
            = "SV027", Invalid,
            "Cannot create materialized view '{name}' - a table with the same name already exists";
        OtherKeyspace
            = "SV038", Invalid,
            "Cannot create a materialized view on a table in a different keyspace";
        Markers
            = "SV038", Invalid,
            "Bind variables are not allowed in CREATE MATERIALIZED VIEW statements";
        OnCounters = "MV005", Invalid, "Materialized views are not supported on counter tables";
        GraceOfBaseTable { view: String, table: String }
            = "MV005", Invalid,
            "Cannot create materialized view '{view}' for base table '{table}' with gc_grace_seconds of 0, \
            since this value is used to TTL undelivered updates. Setting gc_grace_seconds too low might \
            cause undelivered updates to expire before being replayed.";
        Aliases
            = "MV005", Invalid, "Cannot use aliases when defining a materialized view (got \
            org.apache.cassandra.cql3.selection.RawSelector)";
        NotColumns { expression: String }
            = "MV005", Invalid,
            "Can only select columns by name when defining a materialized view (got {expression})";
        UndefinedColumn { column: String, table: String }
            = "SV038", Invalid, "Undefined column name {column} in table {table}";
        StaticColumn { column: String, view: String }
            = "MV005", Invalid,
            "Cannot include static column '{column}' in materialized view '{view}'";
        TimeToLive
            = "MV005", Invalid,
            "Cannot set default_time_to_live for a materialized view. Data in a materialized view always \
            expire at the same time than the corresponding data in the parent table.";
        OrderOfColumns
            = "SV006", Invalid,
            "Clustering key columns must exactly match columns in CLUSTERING ORDER BY directive";
        MissingKeyColumns { view: String, columns: String, table: String }
            = "MV002", Invalid,
            "Cannot create materialized view '{view}' without primary key columns {columns} from base table \
            '{table}'";
        ManyOtherColumns { columns: String }
            = "MV003", Invalid,
            "Cannot include more than one non-primary key column in materialized view primary key (got \
            {columns})";
        UnknownKeyColumn { column: String, view: String }
            = "SV002", Invalid,
            "Unknown column '{column}' referenced in PRIMARY KEY for materialized view '{view}'";
        DuplicateKeyColumn { column: String, view: String }
            = "SV002", Invalid,
            "Duplicate column '{column}' in PRIMARY KEY clause for materialized view '{view}'";
        NonFrozenKeyColumn { what: String, class: String, column: String }
            = "SV003", Invalid,
            "Invalid non-frozen {what} type '{class}' for PRIMARY KEY column '{column}'";
        DurationKeyColumn { column: String }
            = "SV004", Invalid, "duration type is not supported for PRIMARY KEY column '{column}'";
        Unknown { keyspace: String, name: String }
            = "SV028", Invalid, "Materialized view '{keyspace}.{name}' doesn't exist";
        Grace
            = "MV005", Invalid,
            "Cannot alter gc_grace_seconds of a materialized view to 0, since this value is used to TTL \
            undelivered updates. Setting gc_grace_seconds too low might cause undelivered updates to expire \
            before being replayed.";
        AlterTimeToLive
            = "MV005", Invalid,
            "Forbidden default_time_to_live detected for a materialized view. Data in a materialized view \
            always expire at the same time than the corresponding data in the parent table. \
            default_time_to_live must be set to zero, see CASSANDRA-12868 for more information";
        Token = "MV005", Invalid, "Cannot use token relation when defining a materialized view";
        CustomIndex { view: String }
            = "MV005", Invalid,
            "WHERE clause for materialized view '{view}' cannot contain custom index expressions";
        UnrestrictedKey { columns: String }
            = "MV004", Invalid,
            "Primary key columns {columns} must be restricted with 'IS NOT NULL' or otherwise";
        RestrictedOthers { columns: String }
            = "MV004", Invalid,
            "Non-primary key columns can only be restricted with 'IS NOT NULL' (got: {columns} restricted \
            illegally)";
    }
}
