//! Errors of ORDER BY ... ANN OF.

super::family! {
    /// The errors of an ordering by ANN.
    NearestReason {
        TwoRelations { columns: String }
            = "QV030", Invalid,
            "{columns} cannot be restricted by more than one relation in an ANN ordering";
        TwoOrderings = "QV030", Invalid, "Cannot specify more than one ANN ordering";
        OtherOrdering = "QV030", Invalid, "ANN ordering does not support any other ordering";
        Descending = "QV030", Invalid, "Descending ANN ordering is not supported";
        OnlyNearest = "QV030", Invalid, "Vector indexes only support ANN queries";
        NoFloats = "QV030", Invalid, "ANN ordering is only supported on float vector indexes";
        NotIndexed = "QV030", Invalid, "ANN ordering by vector requires the column to be indexed";
        LimitTooLarge { most: String, rows: String }
            = "QV030", Invalid,
            "Use of ANN OF in an ORDER BY clause requires a LIMIT that is not greater than {most}. LIMIT was \
            {rows}";
        Aggregation = "QV030", Invalid, "Top-K queries can not be run with aggregation";
        PartitionLimit = "QV030", Invalid, "Top-K queries do not support per-partition limits";
        NoLimit
            = "QV030", Invalid,
            "Top-K queries must have a limit specified and the limit must be less than the query page size";
        OthersNotIndexed
            = "QV030", Invalid,
            "ANN ordering by vector requires all restricted column(s) to be indexed";
    }
}
