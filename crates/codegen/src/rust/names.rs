//! Words that generated names must not be.

/// Keywords, and the names that generated functions use for themselves.
pub(super) const VALUE_WORDS: &[&str] = &[
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "crate",
    "do", "dyn", "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl",
    "in", "let", "loop", "macro", "match", "mod", "move", "mut", "override", "priv", "pub", "ref",
    "return", "self", "static", "struct", "super", "trait", "true", "try", "type", "typeof",
    "union", "unsafe", "unsized", "use", "virtual", "where", "while", "yield",
    // Of generated functions.
    "bound", "call", "core", "found", "inverse", "limit", "moment", "n", "now", "page",
    "page_size", "position", "returned", "row", "rows", "running", "state", "statement", "streams",
    "support", "turns", "value", "values", "work", "parent0", "parent1", "parent2", "parent3",
    "step0", "step1", "step2", "step3", "step4", "step5", "step6", "step7", "step8", "step9",
    "step10", "step11", "step12", "step13", "step14", "step15", "value1", "value2", "value3",
    "value4", "value5", "value6", "value7", "value8", "value9", "value10", "value11", "value12",
    "value13", "value14", "value15", "value16",
];

/// Names of types that generated code uses.
pub(super) const TYPE_WORDS: &[&str] = &[
    "AccessError", "Arc", "BTreeMap", "BTreeSet", "BatchType", "BigInt", "BoundText", "Box",
    "BucketStart", "Bucketed", "Cell", "Clock", "Clone", "ColumnType", "Computed", "Consistency",
    "Copy", "Core", "Counter", "CqlDate", "CqlDecimal", "CqlDuration", "CqlOrder", "CqlPairs",
    "CqlTime", "CqlTimestamp", "CqlTimeuuid", "CqlVarint", "Debug", "Default", "DerivedCall",
    "DeserializeRow", "DeserializeValue", "Drop", "Elements", "Eq", "Err", "Error", "Fn", "FnMut",
    "FnOnce", "From", "Future", "Groups", "Hash", "Into", "IntoIterator", "IpAddr", "Iterator",
    "Moment", "None", "Number", "Ok", "Option", "Options", "Ord", "Ordering", "OutOfRange",
    "Outcome", "Page", "PagingState", "PartialEq", "PartialOrd", "Result", "Self", "Send",
    "SerializeRow", "SerializeValue", "Session", "Sized", "Some", "StatementText", "String",
    "Sync", "ToOwned", "ToString", "TryFrom", "TryInto", "Uuid", "Vec", "Walk", "Width",
    "WriteState",
];

/// Methods of the structure of functions itself.
pub(super) const METHOD_WORDS: &[&str] = &["new", "with_options", "core", "clone"];
