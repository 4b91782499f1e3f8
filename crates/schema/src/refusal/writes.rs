//! Errors of INSERT, UPDATE and DELETE.

super::family! {
    /// The errors of a write.
    WriteReason {
        NegativeTtl { ttl: String }
            = "TB008", Invalid, "A TTL must be greater or equal to 0, but was {ttl}";
        TtlTooLarge { ttl: String, most: String }
            = "TB008", Invalid, "ttl is too large. requested ({ttl}) maximum ({most})";
        ExpirationOverflow { keyspace: String, table: String, what: String, ttl: String }
            = "TB008", Invalid,
            "Request on table {keyspace}.{table} with {what} of {ttl} seconds exceeds maximum supported \
            expiration date of 2038-01-19T03:14:06+00:00. In order to avoid this use a lower TTL, change \
            the expiration date overflow policy or upgrade to a version where this limitation is fixed. See \
            CASSANDRA-14092 and CASSANDRA-14227 for more details.";
        NullTimestamp
            = "BA009", Server,
            "java.lang.NullPointerException: Cannot invoke \"java.lang.Long.longValue()\" because the return \
            value of \"org.apache.cassandra.db.marshal.LongType.compose(java.nio.ByteBuffer)\" is null";
        DeletesKey { column: String }
            = "QV009", Invalid,
            "Invalid identifier {column} for deletion (should not be a PRIMARY KEY part)";
        ReadOnlyTable { table: String }
            = "QV027", Invalid, "Modification is not supported by table {table}";
        RangeOfColumns = "QV024", Invalid, "Range deletions are not supported for specific columns";
        CompactValueMissing { column: String }
            = "QV027", Invalid, "Column {column} is mandatory for this COMPACT STORAGE table";
        TupleCast { tuple: String, user: String }
            = "QV027", Server,
            "java.lang.ClassCastException: class {tuple} cannot be cast to class {user} ({tuple} and {user} \
            are in unnamed module of loader 'app')";
        ReplicaFailure
            = "QV028", WriteFailure,
            "Operation failed - received 0 responses and 1 failures: UNKNOWN from /127.0.0.1:7000";
        InsertIntoCounters
            = "CN001", Invalid,
            "INSERT statements are not allowed on counter tables, use UPDATE instead";
        NoColumns = "QV027", Invalid, "No columns provided to INSERT";
        UnmatchedValues = "QV027", Invalid, "Unmatched column names/values";
        DuplicateColumns = "QV027", Invalid, "The column names contains duplicates";
        SetCounter { column: String }
            = "CN002", Invalid,
            "Cannot set the value of counter column {column} (counters can only be incremented/decremented, \
            not set)";
        UnknownTypeField { column: String, field: String }
            = "QV027", Invalid, "UDT column {column} does not have a field named {field}";
        Operand { what: String, written: String }
            = "QV027", Invalid, "Value for a {what}, but was: '{written}'";
        DeleteElementOfPlain { column: String }
            = "QV025", Invalid, "Invalid deletion operation for non collection column {column}";
        DeleteElementOfFrozen { column: String }
            = "QV025", Invalid, "Invalid deletion operation for frozen collection column {column}";
        DeleteFieldOfFrozen { column: String }
            = "QV025", Invalid, "Frozen UDT column {column} does not support field deletions";
        DeleteFieldOfPlain { column: String }
            = "QV025", Invalid, "Invalid field deletion operation for non-UDT column {column}";
        SetsKey { column: String }
            = "QV009", Invalid, "PRIMARY KEY part {column} found in SET part";
        SetTwice { column: String }
            = "QV027", Syntax, "Multiple incompatible setting of column {column}";
        NullTimestampValue = "BA009", Invalid, "Invalid null value of timestamp";
        TimestampOutOfBound { least: i64, most: i64 }
            = "BA009", Invalid, "Out of bound timestamp, must be in [{least}, {most}]";
        TimestampOfCounters
            = "CN003", Invalid, "Cannot provide custom timestamp for counter updates";
        TtlOfCounters = "CN003", Invalid, "Cannot provide custom TTL for counter updates";
        IntoView = "QV031", Invalid, "Cannot directly modify a materialized view";
        TimestampOfVirtual
            = "QV027", Invalid, "Custom timestamp is not supported by virtual tables";
        TtlOfVirtual = "QV027", Invalid, "Expiring columns are not supported by virtual tables";
        ConditionsOnVirtual
            = "QV027", Invalid, "Conditional updates are not supported by virtual tables";
        PartOfColumn { operation: String, what: &'static str, column: String }
            = "QV025", Invalid, "Invalid operation ({operation}) for {what} {column}";
        Arithmetic { operation: String, what: &'static str, column: String }
            = "QV026", Invalid, "Invalid operation ({operation}) for {what} {column}";
        ElementOfSet { operation: String, column: String }
            = "QV025", Invalid, "Invalid operation ({operation}) for set column {column}";
        ElementOfPlain { operation: String, column: String }
            = "QV025", Invalid,
            "Invalid operation ({operation}) for non collection column {column}";
        FieldOfPlain { operation: String, column: String }
            = "QV025", Invalid, "Invalid operation ({operation}) for non-UDT column {column}";
    }
}
