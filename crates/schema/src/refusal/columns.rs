//! Errors of adding, dropping and renaming columns.

super::family! {
    /// The errors of a change of a column.
    ColumnReason {
        Exists { column: String } = "SV027", Invalid, "Column with name '{column}' already exists";
        AddToCompact = "SV014", Invalid, "Cannot add new column to a COMPACT STORAGE table";
        StaticWithoutClustering
            = "SV005", Invalid,
            "Static columns are only useful (and thus allowed) if the table has at least one clustering \
            column";
        NestedNonFrozen { column: String }
            = "SV009", Invalid,
            "Non-frozen UDTs with nested non-frozen collections are not supported for column {column}";
        DroppedType { column: String, ty: String, old: String }
            = "SV031", Invalid,
            "Cannot add a column '{column}' of type {ty}, incompatible with previously dropped column \
            '{column}' of type {old}";
        DroppedKind { column: String, kind: String, old: String }
            = "SV031", Invalid,
            "Cannot re-add previously dropped column '{column}' of kind {kind}, incompatible with previous \
            kind {old}";
        DroppedCounter { column: String }
            = "SV031", Invalid, "Cannot re-add previously dropped counter column {column}";
        AlterType = "SV030", Invalid, "Altering column types is no longer supported";
        Unknown { column: String, table: String }
            = "SV002", Invalid, "Column with name '{column}' doesn't exist on table '{table}'";
        NestedNonFrozenTypes
            = "SV009", Invalid,
            "Non-frozen UDTs with nested non-frozen collections are not supported";
        DropCompact = "SV014", Server, "java.lang.IndexOutOfBoundsException: 0 not in range [0..0)";
        NotFound { column: String, table: String }
            = "SV002", Invalid, "Column {column} was not found in table '{table}'";
        DropKey { column: String } = "SV032", Invalid, "Cannot drop PRIMARY KEY column {column}";
        DropUserType { column: String, ty: String }
            = "SV032", Invalid, "Cannot drop non-frozen column {column} of user type {ty}";
        DropIndexed { column: String, indexes: String }
            = "SV026", Invalid,
            "Cannot drop column {column} because it has dependent secondary indexes ({indexes})";
        DropOfBaseTable { column: String, table: String }
            = "SV026", Invalid,
            "Cannot drop column {column} on base table {table} with materialized views";
        RenameEmpty = "SV033", Server, "java.lang.IllegalArgumentException";
        RenameRegular { column: String }
            = "SV033", Invalid, "Cannot rename non PRIMARY KEY column {column}";
        RenameTaken { old: String, new: String, table: String }
            = "SV033", Invalid,
            "Cannot rename column {old} to {new} in table '{table}'; another column with that name already \
            exists";
        RenameIndexed { column: String, indexes: String }
            = "SV026", Invalid,
            "Can't rename column {column} because it has dependent secondary indexes ({indexes})";
    }
}
