//! Errors of BATCH.

super::family! {
    /// The errors of a batch.
    BatchReason {
        GlobalTtl = "BA009", Invalid, "Global TTL on the BATCH statement is not supported.";
        ManyTables = "BA008", Invalid, "Batch with conditions cannot span multiple tables";
        PartitionIn
            = "BA008", Server,
            "java.lang.IllegalArgumentException: Batch with conditions cannot span multiple partitions (you \
            cannot use IN on the partition key)";
        ManyPartitions = "BA008", Invalid, "Batch with conditions cannot span multiple partitions";
        TimestampWithConditions
            = "BA009", Invalid, "Cannot provide custom timestamp for conditional BATCH";
        TimestampOfCounterBatch
            = "BA009", Invalid, "Cannot provide custom timestamp for counter BATCH";
        TwoTimestamps
            = "BA009", Invalid, "Timestamp must be set either on BATCH or individual statements";
        TimestampWithCounters
            = "BA009", Invalid, "Cannot provide custom timestamp for a BATCH containing counters";
        PlainInCounterBatch
            = "BA007", Invalid, "Cannot include non-counter statement in a counter batch";
        MixedCounters
            = "BA007", Invalid, "Counter and non-counter mutations cannot exist in the same batch";
        CounterInLogged = "BA007", Invalid, "Cannot include a counter statement in a logged batch";
        VirtualInLogged
            = "BA008", Invalid, "Cannot include a virtual table statement in a logged batch";
        MixedVirtual
            = "BA008", Invalid,
            "Mutations for virtual and regular tables cannot exist in the same batch";
        ConditionsOnVirtual
            = "BA008", Invalid,
            "Conditional BATCH statements cannot include mutations for virtual tables";
        ConditionsAndExists
            = "BA008", Invalid, "Cannot mix IF conditions and IF EXISTS for the same row";
        ConditionsAndNotExists
            = "BA008", Invalid, "Cannot mix IF conditions and IF NOT EXISTS for the same row";
        ExistsAndNotExists
            = "BA008", Invalid,
            "Cannot mix IF EXISTS and IF NOT EXISTS conditions for the same row";
    }
}
