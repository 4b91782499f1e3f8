//! Errors of keyspaces: names, replication, system keyspaces.

super::family! {
    /// The errors of a keyspace or its replication.
    KeyspaceReason {
        TransientReplication = "SV025", Config, "Transient replication is not enabled on this node";
        FactorFormat
            = "SV024", Config, "Replication factor format is <replicas> or <replicas>/<transient>";
        NegativeFactor { factor: i32 }
            = "SV024", Config, "Replication factor must be non-negative, found {factor}";
        FactorNumber { exception: super::NumberFormatException } = "SV024", Config, "{exception}";
        NoReplication = "SV024", Invalid, "Missing mandatory option 'replication'";
        Exists { keyspace: String }
            = "SV027", AlreadyExists, "Cannot add existing keyspace \"{keyspace}\"";
        NoStrategyClass = "SV024", Config, "Missing replication strategy class";
        NullStrategyClass
            = "SV024", Server,
            "java.lang.NullPointerException: Cannot invoke \"String.contains(java.lang.CharSequence)\" \
            because \"cls\" is null";
        LocalStrategy
            = "SV024", Invalid,
            "Unable to use given strategy class: LocalStrategy is reserved for internal use.";
        AbstractStrategy = "SV024", Config, "Error constructing replication strategy class";
        RemovedStrategy
            = "SV024", Config,
            "The support for the OldNetworkTopologyStrategy has been removed in C* version 4.0. The keyspace \
            strategy should be switch to NetworkTopologyStrategy";
        NoStrategy { class: String }
            = "SV024", Config,
            "Specified replication strategy class ({class}) is not derived from AbstractReplicationStrategy";
        UnknownStrategy { class: String }
            = "SV024", Config, "Unable to find replication strategy class '{class}'";
        FactorForDatacenters
            = "SV024", Config,
            "replication_factor should not appear as an option at construction time for \
            NetworkTopologyStrategy";
        NoDatacenter = "SV024", Config, "Configuration for at least one datacenter must be present";
        UnknownStrategyOption { option: String, strategy: String, keyspace: String }
            = "SV024", Config,
            "Unrecognized strategy option {{{option}}} passed to {strategy} for keyspace {keyspace}";
        Local { keyspace: String }
            = "SV029", Unauthorized, "{keyspace} keyspace is not user-modifiable.";
        Replicated { permission: String, resource: String }
            = "SV029", Unauthorized, "Cannot {permission} {resource}";
        System { name: String }
            = "SV029", Invalid, "System keyspace '{name}' is not user-modifiable";
        Name { name: String }
            = "SV015", Invalid,
            "Keyspace name must not be empty and must contain alphanumeric or underscore characters only \
            (got \"{name}\")";
        NameLength { limit: usize, length: usize, name: String }
            = "SV015", Invalid,
            "Keyspace name must not be more than {limit} characters long (got {length} characters for \
            \"{name}\")";
    }
}
