//! Errors of triggers.

super::family! {
    /// The errors of a trigger.
    TriggerReason {
        OnView = "SV036", Invalid, "Cannot CREATE TRIGGER for a materialized view";
        Exists { name: String } = "SV027", Invalid, "Trigger '{name}' already exists";
        UnknownClass { class: String }
            = "SV036", Invalid, "Trigger class '{class}' couldn't be loaded";
        Unknown { name: String, keyspace: String, table: String }
            = "SV028", Invalid, "Trigger '{name}' on '{keyspace}.{table}' doesn't exist";
    }
}
