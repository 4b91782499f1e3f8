//! CO: rules about collections, tuples and user types.

mod co001_unbounded_collection;
mod co002_collection_element_count;
mod co003_collection_bytes;
mod co004_list_type;
mod co005_list_read_before_write;
mod co006_list_append_retry;
mod co007_collection_overwrite_tombstone;
mod co008_collection_could_be_frozen;
mod co009_contains_without_index;
mod co010_map_as_dynamic_columns;
mod co011_blob_collection;
mod co012_wide_tuple_or_udt;

use schema::catalog::Column;

use crate::facts::tables::is_registry;
use crate::{RuleEntry, TableFacts};

/// The rules of this chapter, by code.
pub(super) const RULES: &[RuleEntry] = &[
    co001_unbounded_collection::RULE,
    co002_collection_element_count::RULE,
    co003_collection_bytes::RULE,
    co004_list_type::RULE,
    co005_list_read_before_write::RULE,
    co006_list_append_retry::RULE,
    co007_collection_overwrite_tombstone::RULE,
    co008_collection_could_be_frozen::RULE,
    co009_contains_without_index::RULE,
    co010_map_as_dynamic_columns::RULE,
    co011_blob_collection::RULE,
    co012_wide_tuple_or_udt::RULE,
];

/// The columns of a table that have a cell for each element; none of a view or a small table.
fn multi_cell_columns(facts: &TableFacts) -> Vec<&Column> {
    let columns = facts.table.columns().iter().filter(|column| column.is_multi_cell());
    columns.filter(|_| facts.view.is_none() && !is_registry(facts)).collect()
}
