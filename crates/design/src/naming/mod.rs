//! Names of tables.

mod singular;

pub(crate) use singular::singular;

use model::plan::PlannedTable;

use crate::Context;

/// Names the tables that have no name yet; a clash with any other appends the ordering.
pub(crate) fn name(_context: Context<'_>, _tables: &mut [PlannedTable]) {}
