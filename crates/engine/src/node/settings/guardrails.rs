//! [`Guardrails`]: the limits for clients other than superusers.

/// A limit with a lower one for warnings; zero and below mean none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Threshold {
    /// Above this a warning is raised.
    pub warn: i64,
    /// Above this the statement is refused.
    pub fail: i64,
}

impl Threshold {
    /// No limit.
    pub const NONE: Self = Self { warn: -1, fail: -1 };
}

/// Values that raise a warning, are ignored, or are refused.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ValueGuardrail {
    /// Accepted with a warning.
    pub warned: Vec<String>,
    /// Ignored with a warning.
    pub ignored: Vec<String>,
    /// Refused.
    pub disallowed: Vec<String>,
}

/// The guardrails, by their names in Cassandra.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are those of the settings")]
#[expect(clippy::struct_excessive_bools, reason = "they are the server's, any of which may be set")]
pub struct Guardrails {
    pub keyspaces: Threshold,
    pub tables: Threshold,
    pub columns_per_table: Threshold,
    pub secondary_indexes_per_table: Threshold,
    pub materialized_views_per_table: Threshold,
    pub page_size: Threshold,
    pub partition_keys_in_select: Threshold,
    pub in_select_cartesian_product: Threshold,
    pub items_per_collection: Threshold,
    pub fields_per_udt: Threshold,
    pub vector_dimensions: Threshold,
    pub minimum_replication_factor: Threshold,
    pub maximum_replication_factor: Threshold,
    /// In bytes.
    pub collection_size: Threshold,
    /// In bytes.
    pub column_value_size: Threshold,
    /// In bytes.
    pub partition_size: Threshold,
    pub secondary_indexes_enabled: bool,
    pub user_timestamps_enabled: bool,
    pub group_by_enabled: bool,
    pub alter_table_enabled: bool,
    pub drop_truncate_table_enabled: bool,
    pub drop_keyspace_enabled: bool,
    pub uncompressed_tables_enabled: bool,
    pub compact_tables_enabled: bool,
    pub zero_ttl_on_twcs_enabled: bool,
    pub zero_ttl_on_twcs_warned: bool,
    pub read_before_write_list_operations_enabled: bool,
    pub allow_filtering_enabled: bool,
    pub simplestrategy_enabled: bool,
    pub vector_type_enabled: bool,
    pub non_partition_restricted_index_query_enabled: bool,
    pub table_properties: ValueGuardrail,
    pub read_consistency_levels: ValueGuardrail,
    pub write_consistency_levels: ValueGuardrail,
}

impl Default for Guardrails {
    fn default() -> Self {
        Self {
            keyspaces: Threshold::NONE,
            tables: Threshold::NONE,
            columns_per_table: Threshold::NONE,
            secondary_indexes_per_table: Threshold::NONE,
            materialized_views_per_table: Threshold::NONE,
            page_size: Threshold::NONE,
            partition_keys_in_select: Threshold::NONE,
            in_select_cartesian_product: Threshold::NONE,
            items_per_collection: Threshold::NONE,
            fields_per_udt: Threshold::NONE,
            vector_dimensions: Threshold::NONE,
            minimum_replication_factor: Threshold::NONE,
            maximum_replication_factor: Threshold::NONE,
            collection_size: Threshold::NONE,
            column_value_size: Threshold::NONE,
            partition_size: Threshold::NONE,
            secondary_indexes_enabled: true,
            user_timestamps_enabled: true,
            group_by_enabled: true,
            alter_table_enabled: true,
            drop_truncate_table_enabled: true,
            drop_keyspace_enabled: true,
            uncompressed_tables_enabled: true,
            compact_tables_enabled: true,
            zero_ttl_on_twcs_enabled: true,
            zero_ttl_on_twcs_warned: true,
            read_before_write_list_operations_enabled: true,
            allow_filtering_enabled: true,
            simplestrategy_enabled: true,
            vector_type_enabled: true,
            non_partition_restricted_index_query_enabled: true,
            table_properties: ValueGuardrail::default(),
            read_consistency_levels: ValueGuardrail::default(),
            write_consistency_levels: ValueGuardrail::default(),
        }
    }
}
