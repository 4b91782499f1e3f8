//! What names, types, statements and volumes tell: classes of columns, cardinality, growth, sizes, life times.

mod batch;
mod calls;
mod cardinality;
mod clones;
mod collections;
mod copies;
mod crowd;
mod fit;
mod growth;
mod index_use;
mod key;
mod life;
mod lists;
mod load;
mod migration;
mod options;
mod purpose;
mod query_table;
mod relocation;
mod remarks;
mod replicas;
mod sent;
mod server;
mod testing;
mod together;
mod unserved;
mod views;
mod written;

pub use crate::column_class::*;
pub use crate::project::query_shape::{QueryShape, TableQuery, query_shape};
pub use batch::{BatchWork, batch_work, written_value};
pub use calls::{calls, expressions};
pub use cardinality::{Cardinality, of_column, of_partition_key};
pub use clones::clones;
pub use collections::{
    Touch, Touched, child_table, elements_severity, filters_elements_only, may_touch,
    sought_elements, touches, touches_of, writes_to,
};
pub use copies::{Entities, copies, stem};
pub(crate) use crowd::is_by_hand;
pub use fit::{Need, best_order, needs, served, serves};
pub use growth::{Growth, grows, is_only_added, is_registry, is_system, is_time_series};
pub use index_use::{IndexReads, index_reads, is_partition_large};
pub use key::{
    Constant, Moved, constant_partition, is_constant_name, is_put_in, moved, names, title,
};
pub use life::{always_expires, compaction_class, expires, fitting_window, window_seconds};
pub use lists::{KeyLists, key_lists, named_partitions, product};
pub use load::{hottest_share, read_rate, write_rate};
pub use migration::{
    FEW_ROWS, Uses, altered, declared_rows, is_sent, may_hold_data, renamed_keys, renamed_value,
    uses_column,
};
pub use model::figures;
pub use options::{REMOVED_BEFORE_4, REMOVED_IN_4, vendor_of_option};
pub(crate) use options::{is_accepted, is_own_syntax};
pub use purpose::*;
pub use query_table::{lookup_table, query_table};
pub use relocation::{next_version, relocation};
pub use remarks::remarks;
pub use replicas::replicas;
pub use server::{server_bytes, server_list, server_seconds};
pub use testing::{is_for_tests, is_migration_program};
pub use together::together;
pub use unserved::{Unserved, unserved};
pub use views::{added_key, as_table, base_of};
pub use written::{Does, Written, is_given, literal, written};

use crate::TableFacts;
use crate::project::PartitionSize;

/// Rows and bytes of the partitions of a table, with the arithmetic and how sure it is; `None` where no volume is known.
pub fn partition_size(facts: &TableFacts) -> Option<&PartitionSize> {
    facts.volume.partition.as_ref()
}
