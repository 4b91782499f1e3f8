//! How reads run.

use model::plan::{PlannedTable, ReadPlan, Served};
use model::workload::Read;

use crate::Context;

/// The plan of a read on the table at position `table`, which serves it as `served` says.
pub(crate) fn plan(
    _context: Context<'_>,
    _tables: &[PlannedTable],
    _table: usize,
    _read: &Read,
    _served: &Served,
) -> ReadPlan {
    ReadPlan::default()
}
