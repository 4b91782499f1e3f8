//! INSERT, UPDATE, DELETE and BATCH.
//!
//! A statement finds its partitions (`target`), turns its operations into cells of rows (`operation`, `draft`), and what
//! all statements of a batch do is gathered by partition (`changes`) and written as one record. Where the stored rows
//! decide (lists by index, counters, conditions), the partitions are locked from the reading to the writing.

mod batch;
mod changes;
mod condition;
mod conditional;
mod counter;
mod current;
mod draft;
mod list;
mod not_applied;
mod operation;
pub(crate) mod put;
mod retime;
mod size;
mod statement;
mod stored;
mod target;
#[cfg(test)]
mod tests;
mod times;

use cql::TableId;
use schema::access::{BatchPlan, WritePlan};
use schema::bind::write::{BoundBatch, BoundWrite};
use storage::PartitionKey;

use crate::answer::Outcome;
use crate::error::Result;
use crate::execute::Execution;
use changes::Changes;
use statement::Statement;
use times::Times;

/// A write without markers, whose values have been checked, and its plan.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PlannedWrite<'w> {
    pub(crate) write: &'w BoundWrite,
    pub(crate) plan: &'w WritePlan,
}

/// Carries out a write.
pub(crate) fn write(execution: &Execution<'_>, planned: PlannedWrite<'_>) -> Result<Outcome> {
    let PlannedWrite { write, plan } = planned;
    if plan.conditional {
        return conditional::carry_out(execution, &[planned], false);
    }
    let statement = Statement::new(execution, planned)?;
    let timestamp = times::given_timestamp(&write.using).unwrap_or_else(|| execution.timestamp());
    let times = Times::new(execution, write, timestamp);
    let statements = [(statement, times)];
    carry_out(execution, &statements, |_| Ok(()))?;
    Ok(Outcome::Void)
}

/// Carries out a batch.
pub(crate) fn batch(
    execution: &Execution<'_>,
    batch: &BoundBatch,
    plan: &BatchPlan,
) -> Result<Outcome> {
    let planned = batch.statements.iter().zip(&plan.statements);
    let planned: Vec<_> = planned.map(|(write, plan)| PlannedWrite { write, plan }).collect();
    if plan.conditional {
        return conditional::carry_out(execution, &planned, true);
    }
    batch::carry_out(execution, batch, &planned)?;
    Ok(Outcome::Void)
}

/// Carries out statements without conditions, unless a look at what they do forbids it.
fn carry_out(
    execution: &Execution<'_>,
    statements: &[(Statement<'_>, Times)],
    check: impl FnOnce(&Changes) -> Result<()>,
) -> Result<()> {
    let reads = statements.iter().any(|(statement, _)| statement.reads());
    let locked = if reads { partitions(statements) } else { Vec::new() };
    let _guards = execution.node.locks.lock(locked.iter().map(|(table, key)| (table, key)));
    let mut changes = Changes::default();
    for (statement, times) in statements {
        statement.add_to(execution, *times, None, &mut changes)?;
    }
    changes.join_rows();
    check(&changes)?;
    for change in changes.iter_mut().filter(|change| change.handle.definition.is_counter()) {
        execution.record_read_before_write();
        counter::remember(change, execution.now_seconds());
        counter::resolve(execution.node, change, execution.now_seconds());
    }
    let mutations = changes.into_mutations();
    if mutations.is_empty() { Ok(()) } else { execution.apply(mutations, &locked) }
}

/// All partitions of statements: they are locked together or not at all.
fn partitions(statements: &[(Statement<'_>, Times)]) -> Vec<(TableId, PartitionKey)> {
    let of = |(statement, _): &(Statement<'_>, Times)| {
        let id = statement.handle.id;
        statement.keys.iter().map(|key| (id, key.clone())).collect::<Vec<_>>()
    };
    statements.iter().flat_map(of).collect()
}
