//! BATCH without conditions: several statements that are committed as one, and the checks of its
//! size.

use std::collections::HashSet;

use cql::BatchKind;
use schema::bind::write::BoundBatch;
use schema::java_set_text;

use super::PlannedWrite;
use super::size;
use super::statement::ModificationStatement;
use super::times::{self, WriteTimes};
use super::update_collector::UpdateCollector;
use crate::error::{Error, Result};
use crate::execute::Execution;

/// Executes a batch without conditions.
pub(super) fn execute(
    execution: &Execution<'_>,
    batch: &BoundBatch,
    planned: &[PlannedWrite<'_>],
) -> Result<()> {
    let batch_timestamp =
        times::explicit_timestamp(&batch.using).unwrap_or_else(|| execution.timestamp());
    let mut statements = Vec::with_capacity(planned.len());
    for planned in planned {
        let timestamp = times::explicit_timestamp(&planned.write.using).unwrap_or(batch_timestamp);
        let times = WriteTimes::new(execution, planned.write, timestamp);
        statements.push((ModificationStatement::new(execution, *planned)?, times));
    }
    if batch.kind == BatchKind::Logged {
        warn_of_zero_gc_grace(execution, batch);
    }
    let has_batch_log =
        batch.kind == BatchKind::Logged && super::has_several_partitions(&statements);
    super::execute_without_condition(execution, &statements, has_batch_log, |changes| {
        check_size(execution, batch.kind, changes)
    })?;
    if has_batch_log {
        super::trace_batch_log(execution);
    }
    Ok(())
}

/// Warns of tables with `gc_grace_seconds` 0, which is also the TTL of the server's batch log.
fn warn_of_zero_gc_grace(execution: &Execution<'_>, batch: &BoundBatch) {
    let writes = batch.statements.iter();
    let names: HashSet<String> = writes
        .filter(|write| write.table.params.gc_grace_seconds == 0)
        .map(|write| write.table.qualified_name())
        .collect();
    if !names.is_empty() {
        execution.warn(format!(
            "Executing a LOGGED BATCH on table{} {}, configured with a gc_grace_seconds of 0. The gc_grace_seconds is used \
             to TTL batchlog entries, so setting gc_grace_seconds too low on tables involved in an atomic batch might \
             cause batchlog entries to expire before being replayed.",
            plural(&names),
            java_set_text(names.iter().map(|name| &**name))
        ));
    }
}

/// Warns of batches that are large, or unlogged over several partitions; refuses very large ones.
/// Like the server, it checks only batches of more than one mutation.
fn check_size(execution: &Execution<'_>, kind: BatchKind, changes: &UpdateCollector) -> Result<()> {
    let mutations: HashSet<_> = changes
        .iter()
        .map(|change| (&*change.handle.definition.keyspace, &change.update.key))
        .collect();
    let metrics = &execution.node.metrics;
    let histogram = match kind {
        BatchKind::Logged => &metrics.logged_batches,
        BatchKind::Unlogged => &metrics.unlogged_batches,
        BatchKind::Counter => &metrics.counter_batches,
    };
    histogram.add(mutations.len() as u64);
    if mutations.len() <= 1 {
        return Ok(());
    }
    let names: HashSet<String> =
        changes.iter().map(|change| change.handle.definition.qualified_name()).collect();
    let listed = || java_set_text(names.iter().map(|name| &**name));
    let settings = &execution.node.settings;
    let size: usize = changes.iter().map(size::measure_change).sum();
    let (size, limit) = (size as u64, settings.batch_size_warn_threshold);
    if size > limit {
        if size > settings.batch_size_fail_threshold {
            return Err(Error::invalid("Batch too large"));
        }
        let over = size - limit;
        execution.warn(format!(
            "Batch for {} is of size {size}, exceeding specified threshold of {limit} by {over}.",
            listed()
        ));
    }
    let keys: HashSet<_> = changes.iter().map(|change| &change.update.key).collect();
    let partitions = keys.len() as u64;
    if kind != BatchKind::Logged
        && partitions > settings.unlogged_batch_across_partitions_warn_threshold
    {
        execution.warn(format!(
            "Unlogged batch covering {partitions} partitions detected against table{} {}. You should use a logged batch for \
             atomicity, or asynchronous writes for performance.",
            plural(&names),
            listed()
        ));
    }
    Ok(())
}

fn plural(names: &HashSet<String>) -> &'static str {
    if names.len() == 1 { "" } else { "s" }
}
