//! Errors of table and keyspace options: names, values, ranges.

super::family! {
    /// The errors of an option.
    OptionReason {
        BloomFilter { least: String, got: String }
            = "SV017", Config,
            "bloom_filter_fp_chance must be larger than {least} and less than or equal to 1.0 (got {got})";
        CrcCheck { got: String }
            = "SV017", Config,
            "crc_check_chance must be larger than or equal to 0 and smaller than or equal to 1.0 (got {got})";
        AtLeast { name: &'static str, least: i32, got: i32 }
            = "SV017", Config, "{name} must be greater than or equal to {least} (got {got})";
        TtlTooLarge { most: i32, got: i32 }
            = "SV017", Config,
            "default_time_to_live must be less than or equal to {most} (got {got})";
        IndexIntervals { least: i32, most: i32 }
            = "SV017", Config,
            "max_index_interval must be greater than or equal to min_index_interval ({least}) (got {most})";
        CachingNames { names: String }
            = "SV017", Config,
            "Invalid caching sub-options {names}: only 'keys' and 'rows_per_partition' are allowed";
        CachingKeys { keys: String }
            = "SV017", Config,
            "Invalid value '{keys}' for caching sub-option 'keys': only 'ALL' and 'NONE' are allowed";
        CachingRows { rows: String }
            = "SV017", Config,
            "Invalid value '{rows}' for caching sub-option 'rows_per_partition': only 'ALL', 'NONE', and \
            integer values are allowed";
        CachingNumber { exception: super::NumberFormatException }
            = "SV017", Server, "java.lang.NumberFormatException: {exception}";
        AlteredId = "SV016", Config, "Cannot alter table id.";
        WrongId = "SV016", Config, "Invalid table id";
        UnknownMemtable { name: String }
            = "SV017", Config, "Memtable configuration \"{name}\" not found.";
        UnknownReadRepair { name: String }
            = "SV017", Server, "java.lang.IllegalArgumentException: No enum constant \
            org.apache.cassandra.service.reads.repair.ReadRepairStrategy.{name}";
        UnknownAutoRepair { name: String } = "SV016", Config, "Unknown property '{name}'";
        AutoRepairDisabled
            = "SV017", Config,
            "auto_repair option is not supported unless auto-repair is enabled with \
            -Dcassandra.autorepair.enable=true";
        SamePolicies { text: String, kind: String }
            = "SV017", Config,
            "Invalid value {text} for option 'speculative_retry': MIN()/MAX() arguments should be of \
            different types, but both are of type {kind}";
        Percentile { text: String }
            = "SV017", Config,
            "Invalid value {text} for PERCENTILE option 'speculative_retry': must be between (0.0 and 100.0)";
        RetryPolicy { text: String }
            = "SV017", Config, "Invalid value {text} for option 'speculative_retry'";
        Unknown { name: String } = "SV016", Syntax, "Unknown property '{name}'";
        NoText { name: String }
            = "SV017", Syntax, "Invalid value for property '{name}'. It should be a string";
        NoMap { name: String }
            = "SV017", Syntax, "Invalid value for property '{name}'. It should be a map.";
        NoBoolean { text: String, name: String }
            = "SV017", Syntax,
            "Invalid boolean value {text} for '{name}'. Positive values can be '1', 'true' or 'yes'. \
            Negative values can be '0', 'false' or 'no'.";
        NoInteger { text: String, name: String }
            = "SV017", Syntax, "Invalid integer value {text} for '{name}'";
        NoDouble { text: String, name: String }
            = "SV017", Syntax, "Invalid double value {text} for '{name}'";
        TtlOfCounters
            = "SV008", Invalid, "Cannot set default_time_to_live on a table with counters";
        GraceOfBaseTable
            = "SV017", Invalid,
            "Cannot alter gc_grace_seconds of the base table of a materialized view to 0, since this value \
            is used to TTL undelivered updates. Setting gc_grace_seconds too low might cause undelivered \
            updates to expire before being replayed.";
    }
}
