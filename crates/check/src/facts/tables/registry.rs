//! Which tables are small and stay so, and which are the server's own.

use cql::types::NativeType;
use schema::catalog::Table;

use crate::vocabulary::table_names::is_registry_name;
use crate::vocabulary::times::is_time;
use crate::vocabulary::types::native_type;
use crate::{Project, TableFacts};

/// Whether a table is a small one that every system has (settings, versions, lists of names), or is declared to have less than
/// 10,000 rows.
pub(crate) fn is_registry(facts: &TableFacts) -> bool {
    let volume = &facts.volume;
    if let Some(rows) = volume.rows {
        return rows < 10_000.0 && volume.grows.is_none();
    }
    // A history has a time among its keys, whatever its name.
    let has_history = facts.table.clustering().iter().any(is_time);
    let has_figures = volume.each.is_some() || volume.grows.is_some();
    // What somebody makes by the uuid is no list of names.
    let is_made = || {
        facts.table.partition_key().iter().any(|key| {
            matches!(native_type(&key.ty), Some(NativeType::Uuid | NativeType::Timeuuid))
        }) && !facts.table.clustering().is_empty()
    };
    let is_named = || is_registry_name(&facts.table.name) && !is_made();
    !has_history && !has_figures && *facts.cached.has_small_name.get_or_init(is_named)
}

/// Whether a table is one of the server's own.
pub(crate) fn is_system_table(project: &Project<'_>, table: &Table) -> bool {
    table.is_virtual || project.catalog.keyspace(&table.keyspace).is_some_and(|known| known.system)
}
