//! Materialized views: what a write to a table does to the views over it.

use storage::Mutation;

use crate::error::Result;
use crate::execution::Execution;

/// What writes do to the views over their tables. The partitions are locked, and nothing is written yet.
pub(crate) fn derive(_execution: &Execution<'_>, _writes: &[Mutation]) -> Result<Vec<Mutation>> {
    Ok(Vec::new())
}

/// Fills a new view from the rows that its table has.
pub(crate) fn build(_execution: &Execution<'_>, _keyspace: &str, _name: &str) -> Result<()> {
    Ok(())
}
