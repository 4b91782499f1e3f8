//! How writes run.

use model::plan::{Note, PlannedTable, WritePlan};
use model::workload::Write;

use crate::Context;

/// The path of a write over all tables that hold what it changes. Where rows must be found and no table can, one is added.
pub(crate) fn plan(
    _context: Context<'_>,
    _tables: &mut Vec<PlannedTable>,
    _write: &Write,
    _position: usize,
    _notes: &mut Vec<Note>,
) -> WritePlan {
    WritePlan::default()
}
