//! A table for a read, by the mapping rules.

use model::plan::{Note, PlannedTable};
use model::workload::Read;

use crate::Context;

/// The table that the mapping rules give a read, without buckets, shards, options and name; or why there is none.
///
/// `position` is the read's in the workload, `None` for a read that a write needs.
pub(crate) fn table_for(
    _context: Context<'_>,
    _read: &Read,
    _position: Option<usize>,
) -> Result<PlannedTable, Box<Note>> {
    Ok(PlannedTable::default())
}
