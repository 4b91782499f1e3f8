//! The table of guardrails.

use super::{Guardrail, GuardrailKind, Thresholds};

const MIB: f64 = 1024.0 * 1024.0;
const KIB: f64 = 1024.0;
const OFF: Thresholds = Thresholds::OFF;

/// A guardrail that is not set by default.
const fn open(
    name: &'static str,
    kind: GuardrailKind,
    since: (u8, u8),
    rule: &'static str,
) -> Guardrail {
    Guardrail { name, kind, since, formerly: None, apache: OFF, astra: OFF, hcd: OFF, rule }
}

impl Guardrail {
    const fn with_forks(self, astra: Thresholds, hcd: Thresholds) -> Self {
        Self { astra, hcd, ..self }
    }

    const fn instead_of(self, setting: &'static str, warn: f64) -> Self {
        Self { formerly: Some((setting, warn)), ..self }
    }

    const fn with_apache(self, apache: Thresholds) -> Self {
        Self { apache, ..self }
    }
}

const fn both(warn: f64, fail: f64) -> Thresholds {
    Thresholds { warn, fail }
}

/// All guardrails that a schema, a statement or a volume can run into.
pub(crate) const ALL: &[Guardrail] = &[
    open("keyspaces", GuardrailKind::Most, (4, 1), "KS007")
        .instead_of("keyspace_count_warn_threshold", 40.0),
    open("tables", GuardrailKind::Most, (4, 1), "KS006")
        .instead_of("table_count_warn_threshold", 150.0)
        .with_forks(both(100.0, 200.0), both(100.0, 200.0)),
    open("columns_per_table", GuardrailKind::Most, (4, 1), "TY007")
        .with_forks(Thresholds::fail(75.0), Thresholds::fail(200.0)),
    open("secondary_indexes_per_table", GuardrailKind::Most, (4, 1), "IX008"),
    open("secondary_indexes", GuardrailKind::Switch("secondary_indexes_enabled"), (4, 1), "GR001"),
    open("materialized_views_per_table", GuardrailKind::Most, (4, 1), "MV008")
        .with_forks(Thresholds::fail(2.0), OFF),
    open("table_properties", GuardrailKind::Values, (4, 1), "GR001"),
    open("user_timestamps", GuardrailKind::Switch("user_timestamps_enabled"), (4, 1), "QP017"),
    open("group_by", GuardrailKind::Switch("group_by_enabled"), (4, 1), "QV016"),
    open("alter_table", GuardrailKind::Switch("alter_table_enabled"), (5, 0), "MG006"),
    open(
        "drop_truncate_table_enabled",
        GuardrailKind::Switch("drop_truncate_table_enabled"),
        (4, 1),
        "MG006",
    ),
    open("drop_keyspace_enabled", GuardrailKind::Switch("drop_keyspace_enabled"), (5, 0), "MG006"),
    open(
        "uncompressed_tables_enabled",
        GuardrailKind::Switch("uncompressed_tables_enabled"),
        (4, 1),
        "TO003",
    ),
    open("compact_tables", GuardrailKind::Switch("compact_tables_enabled"), (4, 1), "TO002"),
    open("zero_ttl_on_twcs", GuardrailKind::Switch("zero_ttl_on_twcs_enabled"), (5, 0), "CP001")
        .with_apache(Thresholds::warn(1.0)),
    open(
        "intersect_filtering_query",
        GuardrailKind::Switch("intersect_filtering_query_enabled"),
        (5, 0),
        "QP018",
    )
    .with_apache(Thresholds::warn(1.0)),
    open("partition_keys_in_select", GuardrailKind::Most, (4, 1), "QP006")
        .with_forks(Thresholds::fail(20.0), Thresholds::fail(20.0)),
    open("in_select_cartesian_product", GuardrailKind::Most, (4, 1), "QP007")
        .with_forks(Thresholds::fail(25.0), Thresholds::fail(25.0)),
    open(
        "read_before_write_list_operations",
        GuardrailKind::Switch("read_before_write_list_operations_enabled"),
        (4, 1),
        "CO005",
    )
    .with_forks(Thresholds::fail(1.0), OFF),
    open("allow_filtering", GuardrailKind::Switch("allow_filtering_enabled"), (4, 1), "QP001"),
    open("simplestrategy", GuardrailKind::Switch("simplestrategy_enabled"), (5, 0), "KS001"),
    open("read_consistency_levels", GuardrailKind::Values, (4, 1), "QP020"),
    open("write_consistency_levels", GuardrailKind::Values, (4, 1), "QP020"),
    open("partition_size", GuardrailKind::MostBytes, (5, 0), "PS002")
        .instead_of("compaction_large_partition_warning_threshold", 100.0 * MIB)
        .with_forks(Thresholds::warn(100.0 * MIB), Thresholds::warn(100.0 * MIB)),
    open("column_value_size", GuardrailKind::MostBytes, (5, 0), "PS009")
        .with_forks(Thresholds::fail(5.0 * MIB), OFF),
    open("collection_size", GuardrailKind::MostBytes, (4, 1), "CO003")
        .with_forks(Thresholds::warn(5.0 * MIB), Thresholds::warn(10.0 * MIB)),
    open("items_per_collection", GuardrailKind::Most, (4, 1), "CO002")
        .with_forks(Thresholds::warn(20.0), Thresholds::warn(200.0)),
    open("fields_per_udt", GuardrailKind::Most, (4, 1), "CO012")
        .with_forks(Thresholds::fail(10.0), Thresholds::fail(100.0)),
    open("vector_type_enabled", GuardrailKind::Switch("vector_type_enabled"), (5, 0), "IX021"),
    open("vector_dimensions", GuardrailKind::Most, (5, 0), "IX021")
        .with_forks(Thresholds::fail(8192.0), Thresholds::fail(8192.0)),
    open("minimum_replication_factor", GuardrailKind::Least, (4, 1), "KS002"),
    open("maximum_replication_factor", GuardrailKind::Most, (5, 0), "KS002"),
    open("sai_string_term_size", GuardrailKind::MostBytes, (5, 0), "IX014")
        .with_apache(both(KIB, 8.0 * KIB)),
    open("sai_frozen_term_size", GuardrailKind::MostBytes, (5, 0), "IX014")
        .with_apache(both(KIB, 8.0 * KIB)),
    open("sai_vector_term_size", GuardrailKind::MostBytes, (5, 0), "IX014")
        .with_apache(both(16.0 * KIB, 32.0 * KIB)),
    open(
        "non_partition_restricted_index_query_enabled",
        GuardrailKind::Switch("non_partition_restricted_index_query_enabled"),
        (5, 0),
        "IX004",
    ),
];
