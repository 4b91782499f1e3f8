//! Errors of types: user types, and where a type is allowed.

super::family! {
    /// The errors of a type.
    TypeReason {
        Exists { name: String } = "SV027", Invalid, "A user type with name '{name}' already exists";
        DuplicateField { field: String, name: String }
            = "SV002", Invalid, "Duplicate field name '{field}' in type '{name}'";
        UnknownAltered { keyspace: String, name: String }
            = "SV028", Invalid, "Type {keyspace}.{name} doesn't exist";
        AlterFieldType = "SV030", Invalid, "Altering field types is no longer supported";
        UnknownDropped { keyspace: String, name: String }
            = "SV028", Invalid, "Type '{keyspace}.{name}' doesn't exist";
        InUse { keyspace: String, name: String, what: String, users: String }
            = "SV026", Invalid,
            "Cannot drop user type '{keyspace}.{name}' as it is still used by {what} {users}";
        TooManyParts { name: String, max: usize }
            = "SV009", Invalid,
            "Type {name} is too large: with those of its user types it has more than {max} components";
        CounterField = "SV010", Invalid, "A user type cannot contain counters";
        NonFrozenField = "SV009", Invalid, "A user type cannot contain non-frozen UDTs";
        FieldExists { field: String, owner: String }
            = "SV027", Invalid,
            "Cannot add field {field} to type {owner}: a field with name {field} already exists";
        CircularField { field: String, ty: String, owner: String }
            = "SV034", Invalid,
            "Cannot add new field {field} of type {ty} to user type {owner} as it would create a circular \
            reference";
        FieldOfKey { field: String, ty: String, owner: String, tables: String }
            = "SV034", Invalid,
            "Cannot add new field {field} of type {ty} to user type {owner} as the type is being used in \
            partition key by the following tables: {tables}";
        InInitialState { ty: String, aggregates: String }
            = "SV026", Invalid,
            "Cannot alter user type {ty} as it is still used in INITCOND by aggregates {aggregates}";
        UnknownRenamed { field: String, ty: String }
            = "SV002", Invalid, "Unkown field {field} in user type {ty}";
        DuplicateRenamed { field: String, keyspace: String }
            = "SV002", Invalid, "Duplicate field name {field} in type {keyspace}";
        DurationsInSet { ty: String }
            = "SV011", Invalid, "Durations are not allowed inside sets: {ty}";
        DurationKeys { ty: String }
            = "SV011", Invalid, "Durations are not allowed as map keys: {ty}";
        FrozenPlain { ty: String }
            = "SV012", Syntax,
            "frozen<> is only allowed on collections, tuples, and user-defined types (got {ty})";
        CounterInTuple = "SV010", Invalid, "Counters are not allowed inside tuples";
        VectorDimension { given: String }
            = "SV009", Invalid, "vectors may only have positive dimensions; given {given}";
        CounterInCollection { ty: String }
            = "SV010", Invalid, "Counters are not allowed inside collections: {ty}";
        NonFrozenInside { what: String, ty: String }
            = "SV009", Invalid, "Non-frozen {what} are not allowed inside collections: {ty}";
        OtherKeyspace { keyspace: String, own: String }
            = "SV013", Invalid,
            "Statement on keyspace {keyspace} cannot refer to a user type in keyspace {own}; user types can \
            only be used in the keyspace they are defined in";
        Unknown { keyspace: String, name: String }
            = "SV013", Invalid, "Unknown type {keyspace}.{name}";
        ClassSyntax { class: String, failure: String }
            = "SV013", Syntax, "Cannot parse type {class}: {failure}";
        ClassConfiguration { class: String, failure: String }
            = "SV013", Syntax, "Error setting type {class}: {failure}";
    }
}
