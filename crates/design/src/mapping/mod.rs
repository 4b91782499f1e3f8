//! Tables for a read, by the mapping rules.

use model::plan::{Note, PlannedTable};
use model::workload::Read;

use crate::Context;

/// The tables that the mapping rules give a read, without buckets, shards, options and names; or why there are none.
///
/// The first one has the rows ([`model::plan::Part::Rows`]); more follow only for counter attributes and for arrays too large
/// for a collection. `position` is the read's in the workload, `None` for a read that a write needs.
pub(crate) fn tables_for(
    _context: Context<'_>,
    _read: &Read,
    _position: Option<usize>,
    _notes: &mut Vec<Note>,
) -> Result<Vec<PlannedTable>, Box<Note>> {
    Ok(Vec::new())
}
