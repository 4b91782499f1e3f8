//! BATCH: several statements, written as one.

use model::bind::write::BoundBatch;

use super::statement::Statement;
use super::times::{self, Times};
use crate::error::Result;
use crate::execution::Execution;

/// Carries out a batch without conditions.
pub(super) fn carry_out(execution: &Execution<'_>, batch: &BoundBatch) -> Result<()> {
    let of_batch = times::given_timestamp(&batch.using).unwrap_or_else(|| execution.timestamp());
    let mut statements = Vec::with_capacity(batch.statements.len());
    for write in &batch.statements {
        let timestamp = times::given_timestamp(&write.using).unwrap_or(of_batch);
        let times = Times::new(execution, write, timestamp);
        statements.push((Statement::new(execution, write)?, times));
    }
    super::carry_out(execution, &statements, |_| Ok(()))
}
