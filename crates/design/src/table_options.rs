//! Options of tables, with their reasons.

use model::plan::PlannedTable;

use crate::Context;

/// Sets the options of every table.
pub(crate) fn set(_context: Context<'_>, _tables: &mut [PlannedTable]) {}
