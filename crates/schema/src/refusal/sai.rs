//! Errors of storage-attached indexes.

super::family! {
    /// The errors of a storage-attached index.
    SaiReason {
        ManyColumns { target: String }
            = "SV023", Invalid,
            "A storage-attached index cannot be created over multiple columns: {target}";
        NoColumn { target: String }
            = "SV023", Invalid, "Failed to retrieve target column for: {target}";
        SecondOnColumn { column: String }
            = "SV022", Invalid,
            "Cannot create more than one storage-attached index on the same column: {column}";
        UnknownOptions { names: String }
            = "SV023", Config,
            "Properties specified {names} are not understood by StorageAttachedIndex";
        AnalysisOfKey { options: String }
            = "SV023", Invalid,
            "Analysis options are not supported on primary key columns, but found {{{options}}}";
        NotAnalyzable { ty: String } = "SV023", Invalid, "CQL type {ty} cannot be analyzed.";
        EmptyFlag { name: String } = "SV023", Invalid, "Empty value for boolean option '{name}'";
        WrongFlag { name: String, value: String }
            = "SV023", Invalid, "Illegal value for boolean option '{name}': {value}";
        NoVector { ty: String } = "SV023", Invalid, "CQL type {ty} cannot have vector options";
        CustomParameter { what: String }
            = "SV023", Invalid,
            "{what} cannot be set without enabling SAI_VECTOR_ALLOW_CUSTOM_PARAMETERS";
        UnknownSimilarity { function: String }
            = "SV023", Invalid,
            "Similarity function {function} was not recognized for index null. Valid values are: EUCLIDEAN, \
            DOT_PRODUCT, COSINE";
        UnknownGoal { goal: String }
            = "SV023", Invalid,
            "optimize_for '{goal}' was not recognized for index null. Valid values are: LATENCY, RECALL";
        UnsupportedType { ty: String } = "SV023", Invalid, "Unsupported type: {ty}";
        NoFloats
            = "SV023", Invalid,
            "SAI ANN indexes are only allowed on vector columns with float elements";
        CosineOfOneDimension
            = "SV023", Invalid, "Cosine similarity is not supported for single-dimension vectors";
    }
}
