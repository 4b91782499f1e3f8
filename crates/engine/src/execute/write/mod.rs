//! INSERT, UPDATE, DELETE and BATCH.
//!
//! A statement finds its partitions (`target`), turns its operations into cells of rows (`operation`, `draft`), and what
//! all statements of a batch do is gathered by partition (`changes`) and written as one record. Where the stored rows
//! decide (lists by index, counters, conditions), the partitions are locked from the reading to the writing.

mod batch;
mod cas;
mod cas_result;
mod condition;
mod counter;
mod current_partition;
mod draft;
mod list;
mod operation;
mod prefetch;
mod retime;
pub(crate) mod server_row;
mod size;
mod statement;
mod target;
#[cfg(test)]
mod tests;
mod times;
mod update_collector;

use cql::TableId;
use schema::access::{BatchPlan, WritePlan};
use schema::bind::write::{BoundBatch, BoundWrite};
use storage::DecoratedKey;

use crate::error::Result;
use crate::execute::Execution;
use crate::result::ResultMessage;
use statement::ModificationStatement;
use times::WriteTimes;
use update_collector::UpdateCollector;

/// A write without markers, whose values have been checked, and its plan.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PlannedWrite<'w> {
    pub(crate) write: &'w BoundWrite,
    pub(crate) plan: &'w WritePlan,
}

/// Carries out a write.
pub(crate) fn write(execution: &Execution<'_>, planned: PlannedWrite<'_>) -> Result<ResultMessage> {
    let PlannedWrite { write, plan } = planned;
    if plan.conditional {
        return cas::execute(execution, &[planned], false);
    }
    let statement = ModificationStatement::new(execution, planned)?;
    let timestamp =
        times::explicit_timestamp(&write.using).unwrap_or_else(|| execution.timestamp());
    let times = WriteTimes::new(execution, write, timestamp);
    let statements = [(statement, times)];
    execute_without_condition(execution, &statements, |_| Ok(()))?;
    Ok(ResultMessage::Void)
}

/// Carries out a batch.
pub(crate) fn batch(
    execution: &Execution<'_>,
    batch: &BoundBatch,
    plan: &BatchPlan,
) -> Result<ResultMessage> {
    let planned = batch.statements.iter().zip(&plan.statements);
    let planned: Vec<_> = planned.map(|(write, plan)| PlannedWrite { write, plan }).collect();
    if plan.conditional {
        return cas::execute(execution, &planned, true);
    }
    batch::execute(execution, batch, &planned)?;
    Ok(ResultMessage::Void)
}

/// Carries out statements without conditions, unless a look at what they do forbids it.
fn execute_without_condition(
    execution: &Execution<'_>,
    statements: &[(ModificationStatement<'_>, WriteTimes)],
    check: impl FnOnce(&UpdateCollector) -> Result<()>,
) -> Result<()> {
    let reads = statements.iter().any(|(statement, _)| statement.is_read_required());
    let locked = if reads { partitions(statements) } else { Vec::new() };
    let _guards = execution.node.locks.lock(locked.iter().map(|(table, key)| (table, key)));
    let mut changes = UpdateCollector::default();
    for (statement, times) in statements {
        statement.add_updates(execution, *times, None, &mut changes)?;
    }
    changes.merge_rows();
    check(&changes)?;
    for change in changes.iter_mut().filter(|change| change.handle.definition.is_counter()) {
        execution.record_read_before_write();
        counter::preserve_deleted(change, execution.now_seconds());
        counter::resolve(execution.node, change, execution.now_seconds());
    }
    let mutations = changes.into_mutations();
    if mutations.is_empty() { Ok(()) } else { execution.apply(mutations, &locked) }
}

/// All partitions of statements: they are locked together or not at all.
fn partitions(
    statements: &[(ModificationStatement<'_>, WriteTimes)],
) -> Vec<(TableId, DecoratedKey)> {
    let of = |(statement, _): &(ModificationStatement<'_>, WriteTimes)| {
        let id = statement.handle.id;
        statement.keys.iter().map(|key| (id, key.clone())).collect::<Vec<_>>()
    };
    statements.iter().flat_map(of).collect()
}
