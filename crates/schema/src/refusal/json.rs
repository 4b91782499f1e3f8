//! Errors of JSON in INSERT JSON and `from_json`.

super::family! {
    /// The errors of JSON.
    JsonReason {
        Null = "QV027", Invalid, "Got null for INSERT JSON values";
        NotAMap { fault: Box<super::JsonFault>, text: String }
            = "QV027", Invalid,
            "Could not decode JSON string as a map: {fault}. (String was: {text})";
        UnknownColumn { column: String }
            = "QV027", Invalid, "JSON values map contains unrecognized column: {column}";
    }
}
