//! Materialized views: what a write to a table does to the views over it.
//!
//! Every row that a write touches is read; the row before and the row after say which entry of a view goes, comes or
//! changes. Entries carry the timestamps, lifetimes and deletions of the row they come from, so that they reconcile as
//! the row does, in whatever order they arrive.

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
use crate::function::Env;
use crate::node::commit::CommitObserver;
use crate::node::handle::TableHandle;
use crate::node::schema::Schema;
use crate::node::schema_lock::SchemaGuard;
use crate::node::view_plan::ViewPlan;

use change::RowChange;
use row_versions::BasePartition;

/// What is to be written to views.
type ViewUpdates = BTreeMap<(TableId, DecoratedKey), PartitionUpdate>;

/// The views over tables, kept up with what is written to these.
pub(crate) struct ViewUpkeep<'a> {
    pub(crate) env: Env<'a>,
    /// What is now for lifetimes and deletions, in seconds since 1970.
    pub(crate) now_seconds: i64,
}

impl CommitObserver for ViewUpkeep<'_> {
    fn derive(&self, schema: &SchemaGuard<'_>, writes: &[Mutation]) -> Result<Vec<Mutation>> {
        derive_view_updates(schema, writes, &self.env, self.now_seconds)
    }
}

/// What writes do to the views over their tables.
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
        let of_key = |plan: &&ViewPlan| plan.matches_partition(handle, &write.update.key);
        let plans: Vec<&ViewPlan> = plans.iter().filter(of_key).collect();
        if !plans.is_empty() {
            derive_partition(handle, &plans, &write.update, now_seconds, &mut derived);
        }
    }
    Ok(into_mutations(derived))
}

fn into_mutations(derived: ViewUpdates) -> Vec<Mutation> {
    derived.into_iter().map(|((table, _), update)| Mutation { table, update }).collect()
}

/// How the views over a table come of its rows.
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
        let view = view.ok_or_else(|| Error::server(format!("the view {name} is gone")))?;
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

/// Fills a new view from the rows that its table has.
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
        let wanted = SliceFilter { slices: &all, reversed: false, after: None, max_rows: 0 };
        let partitions = base.rows.scan(&range, wanted, PARTITIONS);
        let Some((last, _)) = partitions.last() else { return Ok(()) };
        range.start = Bound::Excluded(last.clone());
        for (key, _) in partitions {
            build_partition(execution, base, &plan, &key)?;
        }
    }
}

/// Copies the rows of one partition, a few at a time.
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
