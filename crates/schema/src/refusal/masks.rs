//! Errors of column masks.

super::family! {
    /// The errors of a mask.
    MaskReason {
        Unknown { column: String, call: String }
            = "SV035", Invalid,
            "Unable to find masking function for {column}, no declared function matches the signature {call}";
        Aggregate { call: String }
            = "SV035", Invalid,
            "Aggregate function {call} cannot be used for masking table columns";
        NotMasking { call: String }
            = "SV035", Invalid,
            "Not-masking function {call} cannot be used for masking table columns";
        OtherKeyspace { call: String, keyspace: String, table: String }
            = "SV035", Invalid,
            "Masking function {call} doesn't belong to the same keyspace as the table {keyspace}.{table}";
        ReturnType { call: String, returns: String, column: String, ty: String }
            = "SV035", Invalid,
            "Masking function {call} return type is {returns}. This is different to the type of the masked \
            column {column} of type {ty}. Masking functions can only be attached to table columns if they \
            return the same data type as the masked column.";
    }
}
