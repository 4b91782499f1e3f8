//! Materialized views: the updates of views that follow from a write to their base table
//! (Cassandra's `ViewUpdateGenerator`).
//!
//! For every row that a write touches, its versions before and after the write (`row_versions`)
//! decide which view row is created, updated or deleted (`change`). View rows carry the timestamps,
//! TTLs and deletions of the base row (`liveness`), so that they merge as the base row does, in
//! whatever order updates arrive. The partitions of the base table are locked from the read of the
//! old version to the commit: two writers that both saw the same old version would leave a stale
//! view row behind.

mod change;
mod liveness;
mod row_versions;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::ops::Bound;
use std::sync::Arc;

use cql::TableId;
use storage::{DecoratedKey, Mutation, PartitionUpdate, RingRange, Slice, SliceFilter};

use crate::error::{Error, Result};
use crate::execute::Execution;
use crate::execute::internal_read::InternalRead;
use crate::function::Env;
use crate::node::commit::CommitObserver;
use crate::node::handle::TableHandle;
use crate::node::schema::Schema;
use crate::node::schema_lock::SchemaGuard;
use crate::node::view_plan::ViewPlan;

use change::RowChange;
use row_versions::BasePartition;

/// The updates of views, by view and partition.
type ViewUpdates = BTreeMap<(TableId, DecoratedKey), PartitionUpdate>;

/// The commit observer that updates views.
pub(crate) struct ViewUpkeep<'a> {
    pub(crate) env: Env<'a>,
    /// The current time for TTLs and deletions, in seconds since 1970.
    pub(crate) now_seconds: i64,
}

impl CommitObserver for ViewUpkeep<'_> {
    fn derive(&self, schema: &SchemaGuard<'_>, writes: &[Mutation]) -> Result<Vec<Mutation>> {
        derive_view_updates(schema, writes, &self.env, self.now_seconds)
    }
}

/// The mutations of views that follow from writes to their base tables.
fn derive_view_updates(
    schema: &Schema,
    writes: &[Mutation],
    env: &Env<'_>,
    now_seconds: i64,
) -> Result<Vec<Mutation>> {
    let mut derived = ViewUpdates::new();
    for write in writes {
        let Some(handle) = schema.table_by_id(&write.table) else { continue };
        if handle.views.is_empty() {
            continue;
        }
        let plans = view_plans(env, schema, handle)?;
        let is_matching = |plan: &&ViewPlan| plan.matches_partition(handle, &write.update.key);
        let plans: Vec<&ViewPlan> = plans.iter().filter(is_matching).collect();
        if !plans.is_empty() {
            derive_partition(handle, &plans, &write.update, now_seconds, &mut derived);
        }
    }
    Ok(into_mutations(derived))
}

fn into_mutations(derived: ViewUpdates) -> Vec<Mutation> {
    derived.into_iter().map(|((table, _), update)| Mutation { table, update }).collect()
}

/// The plans of the views on a table, built on first use.
fn view_plans<'a>(
    env: &Env<'_>,
    schema: &Schema,
    handle: &'a TableHandle,
) -> Result<&'a [ViewPlan]> {
    if let Some(plans) = handle.view_plans.get() {
        return Ok(plans);
    }
    let plan = |name: &str| {
        let view = schema.table(&handle.definition.keyspace, name);
        let view = view.ok_or_else(|| Error::server(format!("the view {name} does not exist")))?;
        ViewPlan::new(env, schema, handle, view)
    };
    let plans: Vec<ViewPlan> = handle.views.iter().map(|name| plan(name)).collect::<Result<_>>()?;
    Ok(handle.view_plans.get_or_init(|| plans))
}

fn derive_partition(
    handle: &TableHandle,
    plans: &[&ViewPlan],
    update: &PartitionUpdate,
    now_seconds: i64,
    derived: &mut ViewUpdates,
) {
    row_versions::each_touched_row(handle, update, |before, after| {
        let change = RowChange { handle, key: &update.key, before, after, now_seconds };
        for plan in plans {
            change.derive(plan, derived);
        }
    });
}

/// Records the read of the rows of a base table that an update touches.
pub(super) fn trace_view_read(
    execution: &Execution<'_>,
    handle: &TableHandle,
    update: &PartitionUpdate,
) {
    let mut slices = row_versions::deletion_slices(update);
    let names_rows = slices.is_empty();
    if names_rows {
        let position = |row| storage::row_position(&handle.layout, row);
        slices.extend(update.rows.iter().map(|row| row_versions::single_row(&position(row))));
    }
    let key = &update.key;
    let read = InternalRead {
        handle,
        key,
        slices: &slices,
        names_rows,
        reads_statics: false,
        is_limited: false,
    };
    read.trace_for_views(execution);
}

/// Builds a new view from the rows of its base table.
pub(crate) fn build(execution: &Execution<'_>, keyspace: &str, name: &str) -> Result<()> {
    const PARTITIONS: usize = 16;
    let schema = execution.node.schema();
    let Some(view) = schema.table(keyspace, name) else { return Ok(()) };
    let base = view.view.as_ref().and_then(|view| schema.table(keyspace, &view.base_table));
    let Some(base) = base else { return Ok(()) };
    let plan = ViewPlan::new(&execution.env(), &schema, base, view)?;
    let all: Arc<[Slice]> = Arc::new([Slice::all()]);
    let mut range = RingRange::ALL;
    loop {
        // The keys only: the rows are read partition by partition.
        let filter = SliceFilter { slices: &all, reversed: false, after: None, max_rows: 0 };
        let partitions = base.rows.scan(&range, filter, PARTITIONS);
        let Some((last, _)) = partitions.last() else { return Ok(()) };
        range.start = Bound::Excluded(last.clone());
        for (key, _) in partitions {
            build_partition(execution, base, &plan, &key)?;
        }
    }
}

/// Copies the rows of one partition to a view, in chunks.
fn build_partition(
    execution: &Execution<'_>,
    base: &Arc<TableHandle>,
    plan: &ViewPlan,
    key: &DecoratedKey,
) -> Result<()> {
    const ROWS: usize = 256;
    if !plan.matches_partition(base, key) {
        return Ok(());
    }
    let now_seconds = execution.now_seconds();
    let store = &execution.node.store;
    let mut derived = ViewUpdates::new();
    let mut outcome = Ok(());
    BasePartition::open(base, key).each_row(|row| {
        let change = RowChange { handle: base, key, before: None, after: row, now_seconds };
        change.derive(plan, &mut derived);
        if derived.len() >= ROWS && outcome.is_ok() {
            outcome = store.apply(&into_mutations(std::mem::take(&mut derived)));
        }
    });
    outcome?;
    if !derived.is_empty() {
        store.apply(&into_mutations(derived))?;
    }
    Ok(())
}
