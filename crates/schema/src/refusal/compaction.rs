//! Errors of the option `compaction`.

super::family! {
    /// The errors of a compaction map.
    CompactionReason {
        NoStrategy { class: String }
            = "SV018", Config,
            "Compaction strategy class {class} is not derived from AbstractReplicationStrategy";
        UnknownClass { class: String }
            = "SV018", Config, "Unable to find compaction strategy class '{class}'";
        NoClass = "SV018", Config, "Missing sub-option 'class' for the 'compaction' option";
        OverlappingTombstones { tombstones: String }
            = "SV018", Config,
            "Invalid value {tombstones} for 'provide_overlapping_tombstones' compaction sub-option - must be \
            one of the following [NONE, ROW, CELL].";
        UnknownOptions { names: String, class: String }
            = "SV018", Config, "Properties specified {names} are not understood by {class}";
        NoInt { text: String, name: String }
            = "SV018", Config, "{text} is not a parsable int (base10) for {name}";
        TombstoneThreshold { threshold: String }
            = "SV018", Config, "tombstone_threshold must be greater than 0, but was {threshold}";
        TombstoneInterval { interval: i64 }
            = "SV018", Config,
            "tombstone_compaction_interval must be greater than 0, but was {interval}";
        UncheckedTombstones { text: String }
            = "SV018", Config,
            "'unchecked_tombstone_compaction' should be either 'true' or 'false', not '{text}'";
        LogAll { text: String }
            = "SV018", Config, "'log_all' should either be 'true' or 'false', not {text}";
        Enabled { text: String }
            = "SV018", Config, "enabled should either be 'true' or 'false', not {text}";
        ThresholdNumber { exception: super::NumberFormatException }
            = "SV018", Server, "java.lang.NumberFormatException: {exception}";
        DisabledByThreshold
            = "SV018", Config,
            "Disabling compaction by setting compaction thresholds to 0 has been removed, set the compaction \
            option 'enabled' to false instead.";
        MinThreshold { least: i32 }
            = "SV018", Config, "Min compaction threshold cannot be less than 2 (got {least})";
        ThresholdOrder { least: i32, most: i32 }
            = "SV018", Config,
            "Min compaction threshold (got {least}) cannot be greater than max compaction threshold (got \
            {most})";
        ThresholdText { text: String, name: String }
            = "SV018", Config,
            "Invalid value {text} for '{name}' compaction sub-option - must be an integer";
        NotPositive { name: String, value: i32 }
            = "SV018", Config, "{name} must be larger than 0, but was {value}";
        NegativeMinSize { size: i64 }
            = "SV018", Config, "min_sstable_size must be non negative: {size}";
        BucketOrder { high: String, low: String }
            = "SV018", Config,
            "bucket_high value ({high}) is less than or equal to the bucket_low value ({low})";
        NoFloat { text: String, name: String }
            = "SV018", Config, "{text} is not a parsable float for {name}";
        WindowSize { size: i32 }
            = "SV018", Config, "{size} must be greater than 1 for compaction_window_size";
        NegativeFrequency { frequency: i64 }
            = "SV018", Config,
            "expired_sstable_check_frequency_seconds must not be negative, but was {frequency}";
        WindowUnit { unit: String, name: String }
            = "SV018", Config, "{unit} is not valid for {name}";
        AggressiveExpirationOff
            = "SV018", Config,
            "unsafe_aggressive_sstable_expiration is requested but not allowed, restart cassandra with \
            -Dcassandra.allow_unsafe_aggressive_sstable_expiration=true to allow it";
        AggressiveExpirationFlag { text: String }
            = "SV018", Config,
            "unsafe_aggressive_sstable_expiration is not 'true' or 'false' ({text})";
        ShardCount { shards: i32 }
            = "SV018", Config,
            "Invalid configuration, base_shard_count should be positive: {shards}";
        UnifiedExpirationFlag { text: String }
            = "SV018", Config,
            "unsafe_aggressive_sstable_expiration should either be 'true' or 'false', not {text}";
        OverlapInclusion { text: String }
            = "SV018", Config,
            "Invalid overlap inclusion method {text}. The valid options are [NONE, SINGLE, TRANSITIVE].";
        ScalingParameter { part: String }
            = "SV018", Config, "Scaling parameter {part} must match N|L[0-9]+|T[0-9]+|[+-]?[0-9]+";
        ScalingNumber { exception: super::NumberFormatException }
            = "SV018", Config,
            "org.apache.cassandra.db.compaction.UnifiedCompactionStrategy.validateOptions() threw an error: \
            java.lang.NumberFormatException {exception}";
        FanFactor { part: String } = "SV018", Config, "Fan factor cannot be lower than 2 in {part}";
        SmallSize { name: String, text: String, least: String }
            = "SV018", Config, "{name} {text} is not acceptable, size must be at least {least}";
        WrongSize { name: String, text: String, fault: SizeFault }
            = "SV018", Config, "{name} {text} is not a valid size in bytes: {}", fault.describe(text);
        NoLong { text: String, name: String }
            = "SV018", Config, "{text} is not a parsable long (base10) for {name}";
        Frequency { name: String, seconds: i64 }
            = "SV018", Config, "Invalid configuration, {name} should be positive: {seconds}";
        WrongMinSize { text: String, name: String }
            = "SV018", Config, "{text} is not a valid size in bytes for {name}";
        NegativeUnifiedMinSize { name: String }
            = "SV018", Config,
            "Invalid configuration, {name} should be greater than or equal to 0 (zero)";
        LargeMinSize { name: String, size: String, target: String }
            = "SV018", Config,
            "Invalid configuration, {name} ({size}) should be less than 70% of the targetSSTableSize \
            ({target})";
        GrowthNumber { exception: super::NumberFormatException }
            = "SV018", Config, "sstable_growth is not a valid number between 0 and 1: {exception}";
        Growth { text: String } = "SV018", Config, "sstable_growth {text} must be between 0 and 1";
    }
}

/// Why a text is not a size in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SizeFault {
    /// The unit is missing.
    Unit,
    /// The number is missing.
    Number,
    /// There are characters between the number and the unit.
    Characters {
        /// Their start.
        start: usize,
        /// Their end.
        end: usize,
    },
}

impl SizeFault {
    /// The server's text.
    fn describe(self, text: &str) -> String {
        match self {
            Self::Unit => format!("{text} does not end in unit B"),
            Self::Number => "null".to_owned(),
            Self::Characters { start, end } => {
                format!("Unexpected characters between pos {start} and {end} in {text}")
            }
        }
    }
}
