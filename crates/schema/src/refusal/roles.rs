//! Errors of roles, permissions and identities.

super::family! {
    /// The errors of a statement on roles.
    RoleReason {
        UnqualifiedFunction
            = "RO002", Invalid,
            "In this context function name must be explictly qualified by a keyspace";
        UnknownKeyspace { keyspace: String } = "RO002", Config, "Keyspace {keyspace} doesn't exist";
        NativeFunction
            = "RO002", Invalid, "Altering permissions on builtin functions is not supported";
        NoValuePresent
            = "RO002", Syntax,
            "Failed parsing statement: [...] reason: NoSuchElementException No value present";
        NoPermission { class: String }
            = "RO002", Syntax,
            "Resource type {class} does not support any of the requested permissions";
        Anonymous
            = "RO001", Unauthorized,
            "You have to be logged in and not anonymous to perform this request";
        EmptyKey = "RO002", Invalid, "Key may not be empty";
        DropSuperuser
            = "RO001", Unauthorized, "Only superusers can drop a role with superuser status";
        PropertyTwice { name: &'static str }
            = "RO002", Syntax, "Multiple definition for property '{name}'";
        TwoPasswords
            = "RO002", Syntax, "Options 'password' and 'hashed password' are mutually exclusive";
        CreateSuperuser
            = "RO001", Unauthorized, "Only superusers can create a role with superuser status";
        AlterSuperuser
            = "RO001", Unauthorized, "Only superusers are allowed to alter superuser status";
        AlterDatacenters
            = "RO001", Unauthorized, "Only superusers are allowed to alter access to datacenters.";
        AlterCidrs
            = "RO001", Unauthorized,
            "Only superusers are allowed to alter access from CIDR groups.";
        UnsupportedOption { option: &'static str }
            = "RO002", Invalid,
            "org.apache.cassandra.auth.CassandraRoleManager doesn't support {option}";
        EmptyAlter = "RO002", Invalid, "ALTER [ROLE|USER] can't be empty";
        EmptyName = "RO002", Invalid, "Role name can't be an empty string";
        UnknownDatacenters { names: String }
            = "RO002", Invalid,
            "Invalid value(s) for DATACENTERS '{names}',All values must be valid datacenters";
        UnknownCidrs { names: String }
            = "RO002", Invalid, "Invalid CIDR group(s): {names}. Available CIDR Groups are: []";
        EmptyObjectName = "RO002", Syntax, "Empty JMX object name supplied";
        AllObjects = "RO002", Syntax, "Please use ALL MBEANS instead of wildcard pattern";
        ObjectName { name: String } = "RO002", Syntax, "{name} is not a valid JMX object name";
        PluralObject { name: String }
            = "RO002", Syntax,
            "Plural form used, but non-pattern JMX object name specified ({name})";
    }
}
