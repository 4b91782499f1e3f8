//! Errors of SASI indexes.

super::family! {
    /// The errors of a SASI index.
    SasiReason {
        NoColumn { target: String }
            = "SV023", Config, "failed to retrieve target column for: {target}";
        ComplexColumn = "SV023", Config, "complex columns are not yet supported by SASI";
        PartitionKey = "SV023", Config, "partition key columns are not yet supported by SASI";
        UnknownAnalyzer { class: String }
            = "SV023", Config, "Invalid analyzer class option specified [{class}]";
        AnalyzerType { analyzer: String, ty: String }
            = "SV023", Config, "{analyzer} does not support type {ty}";
        CaseSensitiveAndNormalize
            = "SV023", Config,
            "case_sensitive option cannot be specified together with either normalize_lowercase or \
            normalize_uppercase";
        UnknownMode { mode: String } = "SV023", Config, "Incorrect index mode: {mode}";
        SparseLiteral = "SV023", Config, "SPARSE mode is only supported on non-literal columns.";
        SparseAnalyzed = "SV023", Config, "SPARSE mode doesn't support analyzers.";
        FailedCheck { options: String }
            = "SV023", Config, "Failed to validate custom indexer options: {options}";
    }
}
