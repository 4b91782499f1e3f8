//! Names that cannot be resolved: keyspaces, tables and columns that do not exist.

super::family! {
    /// A name that cannot be resolved.
    NameReason {
        UnknownKeyspace { keyspace: String }
            = "SV028", Invalid, "Keyspace '{keyspace}' doesn't exist";
        UnknownPlainTable { table: String } = "SV028", Invalid, "Table '{table}' doesn't exist";
        UnknownTable { keyspace: String, table: String }
            = "SV028", Invalid, "Table '{keyspace}.{table}' doesn't exist";
        UndefinedRenamed { column: String, table: String }
            = "SV002", Invalid, "Undefined column name {column} in table {table}";
        NoSuchKeyspace { keyspace: String }
            = "SV028", Invalid, "Keyspace '{keyspace}' does not exist";
        NoKeyspace
            = "QV027", Invalid,
            "No keyspace has been specified. USE a keyspace, or explicitly specify keyspace.tablename";
        MissingKeyspace { keyspace: String }
            = "SV028", Invalid, "keyspace {keyspace} does not exist";
        MissingTable { table: String } = "SV028", Invalid, "table {table} does not exist";
        UndefinedColumn { column: String, table: String }
            = "QV027", Invalid, "Undefined column name {column} in table {table}";
        UnknownField { field: String, ty: String }
            = "QV027", Invalid, "Unknown field '{field}' in value of user defined type {ty}";
        AbsentKeyspace { keyspace: String } = "SV028", Config, "Keyspace {keyspace} doesn't exist";
    }
}
