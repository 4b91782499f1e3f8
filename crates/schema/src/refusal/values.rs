//! Errors of values: null, unset, too long.

super::family! {
    /// The errors of a value.
    ValueReason {
        MarkerInDefinition = "QV027", Server, "java.lang.IndexOutOfBoundsException: Index: 0";
        UnreadableTerm { text: String, reason: String }
            = "SY001", Syntax,
            "Failed parsing CQL term: ['{text}'] reason: SyntaxException {reason}";
        UnsetArgument { function: String }
            = "QV028", Invalid, "Invalid unset value for argument in call to function {function}";
        NotBinary { function: String, bytes: String, ty: String }
            = "QV028", Invalid,
            "In call to function {function}, value 0x{bytes} is not a valid binary representation for type \
            {ty}";
        NullToken = "QV028", Invalid, "Invalid null token value";
        UnsupportedNull { column: String }
            = "QV028", Invalid, "Unsupported null value for column {column}";
        UnsupportedNullEntry { part: String, column: String }
            = "QV028", Invalid, "Unsupported null map {part} for column {column}";
        KeyTooLong { size: String, most: String }
            = "QV028", Invalid, "Key length of {size} is longer than maximum of {most}";
        EmptyKey = "QV028", Invalid, "Key may not be empty";
        NullTokenArgument
            = "QV028", Server,
            "java.lang.NullPointerException: Cannot invoke \"java.nio.ByteBuffer.position()\" because \
            \"bytes\" is null";
        NullCondition { column: String }
            = "QV028", Invalid, "Invalid null value in condition for column {column}";
        NullBuffer { method: String, variable: String }
            = "QV028", Server,
            "java.lang.NullPointerException: Cannot invoke \"java.nio.ByteBuffer.{method}()\" because \
            \"{variable}\" is null";
        NullSelection { what: String, name: String }
            = "QV028", Invalid, "Invalid null value for {what} selection on {name}";
        UnsetTupleField { position: String }
            = "QV028", Invalid, "Invalid unset value for tuple field number {position}";
        UnsetColumn { how: String, columns: String }
            = "QV028", Invalid, "{how} unset value for column {columns}";
        UnsetTuple { columns: String }
            = "QV028", Invalid, "Invalid unset value for tuple ({columns})";
        UnsetIn { columns: String } = "QV028", Invalid, "Invalid unset value for in({columns})";
        UnsetInColumn { columns: String }
            = "QV028", Invalid, "Invalid unset value for column {columns}";
        NullIn = "QV028", Invalid, "Invalid null value for IN restriction";
        NullColumn { columns: String }
            = "QV028", Invalid, "Invalid null value for column {columns}";
        UnsetPart { what: String, columns: String }
            = "QV028", Invalid, "Unsupported unset {what} for column {columns}";
        UnsetElement { name: String }
            = "QV028", Invalid, "Invalid unset value for element selection on {name}";
        NullIncrement = "QV028", Invalid, "Invalid null value for counter increment/decrement";
        NullInVector = "QV028", Invalid, "null is not supported inside vectors";
        NullInCollection = "QV028", Invalid, "null is not supported inside collections";
        EmptyClustering { column: String }
            = "QV028", Invalid, "Invalid empty or null value for column {column}";
        ComponentTooLong { length: usize }
            = "QV028", Server,
            "java.lang.IllegalArgumentException: Length {length} > max length 65535";
        IndexExpression
            = "QV028", Invalid, "Index expression values may not be larger than 64K";
        IndexedTooLong {
            size: String,
            index: String,
            table: String,
            column: String,
            most: String,
        }
            = "IX014", Invalid,
            "Cannot index value of size {size} for index {index} on {table}({column}) (maximum allowed \
            size={most})";
        UnsetListIndex = "QV028", Invalid, "Invalid unset value for list index";
        UnsetMapKey = "QV028", Invalid, "Invalid unset map key";
        NullCounterIncrement = "QV028", Invalid, "Invalid null value for counter increment";
        UnsetTypeField { field: String, ty: String }
            = "QV028", Invalid, "Invalid unset value for field '{field}' of user defined type {ty}";
        Unreadable { failure: cql::value::ValueError }
            = "QV028", Server, "org.apache.cassandra.serializers.MarshalException: {failure}";
        NullSliceTuple
            = "QV028", Server, "java.lang.NullPointerException: Cannot invoke \
            \"org.apache.cassandra.cql3.Term$Terminal.get(org.apache.cassandra.transport.ProtocolVersion)\" \
            because \"terminal\" is null";
        NullTuple
            = "QV028", Server, "java.lang.NullPointerException: Cannot invoke \
            \"org.apache.cassandra.cql3.Tuples$Value.getElements()\" because \"t\" is null";
        NullTupleInList
            = "QV028", Server,
            "java.lang.NullPointerException: Cannot invoke \"java.nio.ByteBuffer.duplicate()\" because \
            \"bytes\" is null";
        OutOfBounds = "QV028", Server, "java.lang.IndexOutOfBoundsException";
        NullListElement
            = "QV028", Server,
            "java.lang.NullPointerException: Cannot invoke \"java.nio.ByteBuffer.remaining()\" because \
            \"value\" is null";
        UnsetCollection { kind: &'static str }
            = "QV028", Server,
            "java.lang.ClassCastException: class org.apache.cassandra.cql3.Constants$Value cannot be cast to \
            class org.apache.cassandra.cql3.{kind}$Value (org.apache.cassandra.cql3.Constants$Value and \
            org.apache.cassandra.cql3.{kind}$Value are in unnamed module of loader 'app')";
        NullConditions { columns: String }
            = "QV028", Invalid, "Invalid null value in condition for columns: [{columns}]";
        UnsetKey { column: String } = "QV028", Invalid, "Invalid unset value for column {column}";
        NullListIndex = "QV028", Invalid, "Invalid null value for list index";
        NullSetElement = "QV028", Invalid, "Invalid null set element";
        NullMapKey = "QV028", Invalid, "Invalid null map key";
        NegationOverflow { value: i64 }
            = "QV028", Invalid,
            "The negation of {value} overflows supported counter precision (signed 8 bytes integer)";
        MaskPadding { function: String, text: String, count: usize }
            = "QV028", Invalid,
            "The padding argument for function {function} should be single-character, but '{text}' has \
            {count} characters.";
        MaskDigest { name: String } = "QV028", Invalid, "Hash algorithm not found: {name}";
    }
}
