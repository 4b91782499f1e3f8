//! What names, types, statements and volumes tell: classes of columns, cardinality, growth, sizes, life times.

mod audience;
mod batch;
mod calls;
mod cardinality;
mod clustering_order;
mod collections;
mod column_comments;
mod copies;
mod growth;
mod index_mismatch;
mod index_use;
mod key;
mod key_lists;
mod lifetime;
mod load;
mod migration;
mod mutation_size;
mod options;
mod purpose;
mod query_table;
mod relocation;
mod replicas;
mod server_settings;
mod statement_values;
mod table_families;
mod test_schema;
mod use_case;
mod views;

pub use crate::column_class::*;
pub use crate::project::query_shape::{QueryShape, TableQuery, query_shape};
pub(crate) use audience::is_hand_entered;
pub use batch::{BatchWork, batch_work, column_value};
pub use calls::{expressions, function_calls};
pub use cardinality::{Cardinality, column_cardinality, partition_key_cardinality};
pub use clustering_order::{ClusteringNeed, best_order, can_serve, clustering_needs, order_weight};
pub use collections::{
    ColumnOperation, ColumnWrite, child_table, column_writes, element_predicate, elements_severity,
    has_column_write, is_element_filter, is_write_to, table_column_writes,
};
pub use column_comments::column_comments;
pub use copies::{EntityTables, copies, entity_name};
pub use growth::{
    UnboundedGrowth, is_append_only, is_registry, is_system_table, is_time_series, unbounded_growth,
};
pub use index_mismatch::{IndexMismatch, index_mismatches};
pub use index_use::{IndexReads, index_reads, large_partition_evidence};
pub use key::{
    ConstantPartition, KeyUpdate, column_names, constant_partition, is_constant_name,
    is_inlined_by_programs, key_updates, statement_title,
};
pub use key_lists::{KeyLists, count_combinations, key_lists, partition_count};
pub use lifetime::{compaction_class, has_ttl, has_ttl_everywhere, window_for_ttl, window_seconds};
pub use load::{hottest_share, read_rate, write_rate};
pub use migration::{
    FEW_ROWS, TableUsage, can_hold_data, column_rename, is_column_used, is_runtime_statement,
    key_renames, table_alteration, table_rows,
};
pub use model::figures;
pub use options::{REMOVED_BEFORE_4, REMOVED_IN_4, option_vendor};
pub(crate) use options::{is_accepted_by_target, is_vendor_syntax};
pub use purpose::*;
pub use query_table::{lookup_table, query_table};
pub use relocation::{next_version_name, relocation_steps};
pub use replicas::replica_count;
pub use server_settings::{server_bytes, server_list, server_seconds};
pub use statement_values::{
    StatementValues, StatementVerb, is_parameter, literal_text, statement_values,
};
pub use table_families::table_families;
pub use test_schema::{is_migration_program, is_test_schema};
pub use use_case::is_same_use_case;
pub use views::{base_table, extra_key_column, view_table};

use crate::TableFacts;
use crate::project::PartitionSize;

/// Rows and bytes of the partitions of a table, with the arithmetic and how sure it is; `None` where no volume is known.
pub fn partition_size(facts: &TableFacts) -> Option<&PartitionSize> {
    facts.volume.partition.as_ref()
}
