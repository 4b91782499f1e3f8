//! INSERT, UPDATE, DELETE and BATCH.
//!
//! The path of a write:
//!
//! 1. `target` resolves the partitions and rows that a statement names (`statement` holds them);
//! 2. `operation` turns each assignment into cells of a row (`draft`, `list`), with the timestamps
//!    of the statement (`times`);
//! 3. `update_collector` collects the updates of all statements of a batch by partition and merges
//!    rows, so that the batch is one mutation for each partition and one record of the log;
//! 4. `batch` checks its size (`size`); `counter` turns increments into values;
//! 5. `Execution::apply` commits (`node::commit`), with views and indexes.
//!
//! Most writes are blind: they need no lock, since merging is commutative. Where the result depends
//! on stored rows (lists by index or value, counters, conditions), the partitions are locked from
//! the read (`prefetch`, `current_partition`) to the commit. Conditional writes are in `cas`,
//! `condition`, `retime` and `cas_result`; `server_row` builds the rows that the server itself
//! writes.

mod batch;
mod cas;
mod cas_result;
mod condition;
mod counter;
mod current_partition;
mod draft;
mod list;
mod operation;
mod paxos_trace;
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
use storage::{DecoratedKey, Mutation};

use crate::error::Result;
use crate::execute::{Activity, Execution};
use crate::request_governor::TimedOperation;
use crate::result::ResultMessage;
use statement::ModificationStatement;
use times::WriteTimes;
use update_collector::UpdateCollector;

/// A write with values for its markers, which have been validated, and its access plan.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PlannedWrite<'w> {
    pub(crate) write: &'w BoundWrite,
    pub(crate) plan: &'w WritePlan,
}

/// Executes a single write.
pub(crate) fn write(execution: &Execution<'_>, planned: PlannedWrite<'_>) -> Result<ResultMessage> {
    let PlannedWrite { write, plan } = planned;
    execution.start(match plan.conditional {
        true => TimedOperation::ConditionalWrite,
        false if plan.table.is_counter() => TimedOperation::CounterWrite,
        false => TimedOperation::Write,
    });
    if plan.conditional {
        return cas::execute(execution, &[planned], false);
    }
    let statement = ModificationStatement::new(execution, planned)?;
    let timestamp =
        times::explicit_timestamp(&write.using).unwrap_or_else(|| execution.timestamp());
    let times = WriteTimes::new(execution, write, timestamp);
    let statements = [(statement, times)];
    execute_without_condition(execution, &statements, false, |_| Ok(()))?;
    Ok(ResultMessage::Void)
}

/// The changes of a single write without a condition, which are not stored.
pub(crate) fn collect_changes(
    execution: &Execution<'_>,
    planned: PlannedWrite<'_>,
) -> Result<Vec<Mutation>> {
    let statement = ModificationStatement::new(execution, planned)?;
    let times = WriteTimes::new(execution, planned.write, execution.timestamp());
    let mut changes = UpdateCollector::default();
    statement.add_updates(execution, times, None, &mut changes)?;
    Ok(changes.into_mutations())
}

/// Executes a batch.
pub(crate) fn batch(
    execution: &Execution<'_>,
    batch: &BoundBatch,
    plan: &BatchPlan,
) -> Result<ResultMessage> {
    let is_conditional = plan.conditional;
    execution.start(if is_conditional {
        TimedOperation::ConditionalWrite
    } else {
        TimedOperation::Write
    });
    let planned = batch.statements.iter().zip(&plan.statements);
    let planned: Vec<_> = planned.map(|(write, plan)| PlannedWrite { write, plan }).collect();
    if plan.conditional {
        return cas::execute(execution, &planned, true);
    }
    batch::execute(execution, batch, &planned)?;
    Ok(ResultMessage::Void)
}

/// Executes statements without conditions, with an entry of the batch log or without; `check` may
/// refuse the collected updates.
///
/// Nothing is written before all statements have been evaluated: an error in one leaves no trace of
/// the others. If any of them reads, all partitions are locked, as a later statement of the batch
/// may write what an earlier one has read.
fn execute_without_condition(
    execution: &Execution<'_>,
    statements: &[(ModificationStatement<'_>, WriteTimes)],
    has_batch_log: bool,
    check: impl FnOnce(&UpdateCollector) -> Result<()>,
) -> Result<()> {
    let has_reads = statements.iter().any(|(statement, _)| statement.is_read_required());
    let locked = if has_reads { partitions(statements) } else { Vec::new() };
    let _guards = execution.node.locks.lock(locked.iter().map(|(table, key)| (table, key)));
    let mut changes = UpdateCollector::default();
    for (statement, times) in statements {
        statement.add_updates(execution, *times, None, &mut changes)?;
    }
    changes.merge_rows();
    check(&changes)?;
    trace_start(execution, has_batch_log);
    for change in changes.iter_mut().filter(|change| change.handle.definition.is_counter()) {
        execution.record_read_before_write();
        counter::trace_read(execution, change);
        counter::preserve_deleted(change, execution.now_seconds());
        counter::resolve(execution.node, change, execution.now_seconds());
    }
    let mutations = changes.into_mutations();
    if mutations.is_empty() { Ok(()) } else { execution.apply(mutations, &locked) }
}

/// Records the first events of a write, after what it has read.
fn trace_start(execution: &Execution<'_>, has_batch_log: bool) {
    if has_batch_log {
        execution.trace(|| Activity::DetermineBatchReplicas);
        trace_batch_log(execution);
    } else {
        execution.trace(|| Activity::DetermineReplicas);
    }
}

/// Records that an entry of the batch log is written or removed. The record of all mutations in the
/// commit log stands in for it.
fn trace_batch_log(execution: &Execution<'_>) {
    execution.trace(|| Activity::AppendToCommitlog);
    execution.trace(|| Activity::AddToMemtable { table: "batches".to_owned() });
}

/// Whether statements write to several partitions.
fn has_several_partitions(statements: &[(ModificationStatement<'_>, WriteTimes)]) -> bool {
    let mut keys = statements.iter().flat_map(|(statement, _)| &statement.keys);
    let first = keys.next();
    keys.any(|key| Some(key) != first)
}

/// All partitions of the statements, which must be locked at once (see `PartitionLocks`).
fn partitions(
    statements: &[(ModificationStatement<'_>, WriteTimes)],
) -> Vec<(TableId, DecoratedKey)> {
    let keys = |(statement, _): &(ModificationStatement<'_>, WriteTimes)| {
        let id = statement.handle.id;
        statement.keys.iter().map(|key| (id, key.clone())).collect::<Vec<_>>()
    };
    statements.iter().flat_map(keys).collect()
}
