//! The plan of a read on one candidate: its effort, and whether it is allowed.

use std::collections::BTreeSet;

use model::id::{IdList, SourceId, TableId};
use model::plan::{ClientStep, Derivation, Loop, PlannedTable, ReadPlan, ReadStep};
use model::workload::{Column, Condition, Read};

use super::fit::SourceMapping;
use super::index_ways::{self, index_on};
use super::{MainCandidate, bounds, synthetic};
use crate::candidate::{CandidateId, CandidateTable};
use crate::{Context, partition_split, read_plan, volume};

/// The plan of a read on a candidate with certain columns.
pub(super) struct MainStepPlan {
    pub(super) main: MainCandidate,
    pub(super) plan: ReadPlan,
    /// It reads more partitions than the limit, or more rows that the client drops.
    pub(super) scan: bool,
    /// It walks over more buckets than are requested at once.
    pub(super) long_walk: bool,
}

/// What a candidate must have for a read.
pub(super) struct CandidateNeeds {
    /// For each source of the read that of the candidate.
    pub(super) sources: SourceMapping,
    /// Columns beside the key.
    pub(super) columns: BTreeSet<Column>,
    /// The one by whose index rows are found.
    pub(super) index: Option<Column>,
}

/// Plans a read on a candidate with these columns; `None` where it cannot run there.
pub(super) fn plan_main_step(
    context: Context<'_>,
    (at, candidate): (CandidateId, &CandidateTable),
    read: &Read,
    CandidateNeeds { sources, columns, index }: CandidateNeeds,
) -> Option<MainStepPlan> {
    if !candidate.can_store(context, &columns) {
        return None;
    }
    let mut filled = candidate.table_with(context, &columns);
    if let Some(index) = index {
        let index = index_on(context, &filled.table, &filled.sources, (index, Vec::new()))?;
        filled.table.indexes.push(index);
    }
    let moved = |source: &Option<SourceId>| {
        if filled.sources.is_empty() {
            *source
        } else {
            filled.sources.member((*source)?).copied().flatten()
        }
    };
    let in_table: SourceMapping = sources.iter().map(moved).collect();
    // A candidate that serves no read was made for a lookup.
    let is_foreign = candidate.table.shards() == 1 || candidate.table.serves.is_empty();
    let is_sharded = filled.table.shards() > 1 && is_foreign;
    if is_sharded
        && filled.table.bucket().is_none()
        && is_first_by_time(read, &filled.table, &in_table)
    {
        return None;
    }
    let memory = filled.memory.zip(partition_split::oldest_bucket_table(context, &filled.table));
    let named =
        |name: &str, table| PlannedTable { name: name.to_owned(), serves: Vec::new(), ..table };
    let mut tables = vec![named("rows", filled.table)];
    let beyond = tables.first().and_then(|table| bounds::limit_violation(context, table));
    tables.extend(memory.map(|(volume, memory)| PlannedTable {
        volume,
        remembers: Some(TableId::new(0)),
        ..named("oldest", memory)
    }));
    let plan = read_plan::plan_on_candidate(context, &tables, read, &in_table);
    if index.is_some()
        && !index_ways::is_suitable(context, tables.first()?, (read, &in_table), plan.rows)
    {
        return None;
    }
    let step = plan.steps.member(plan.main)?;
    // A part of a read has no table that remembers where its walk ends.
    let endless = has_endless_walk(step);
    let is_part = read.sql.is_empty();
    if (endless && (is_part || tables.len() == 1)) || (is_part && has_key_filter(read, &plan)) {
        return None;
    }
    let listed = step.loops.iter().map(|turn| match turn {
        Loop::Values(values) => values.len(),
        _ => 1,
    });
    let beyond = beyond.or_else(|| bounds::list_violation(listed.product()));
    let scan = bounds::is_excessive(context, &plan);
    let long_walk = has_long_walk(&plan);
    let effort = plan.effort;
    let main = MainCandidate { candidate: at, sources, columns, index, effort, violation: beyond };
    Some(MainStepPlan { main, plan, scan, long_walk })
}

/// Whether the main step visits groups of buckets one after the other: its steps then take more
/// round trips than there are.
fn has_long_walk(plan: &ReadPlan) -> bool {
    let main = plan.steps.member(plan.main);
    let mut loops = main.into_iter().flat_map(|step| &step.loops);
    let is_walk = |turn: &Loop| matches!(turn, Loop::Buckets(walk) if walk.stops_at_limit);
    #[expect(clippy::cast_precision_loss, reason = "a plan has few steps")]
    let steps = plan.steps.len() as f64;
    loops.any(is_walk) && plan.effort.rounds > steps
}

/// Whether a read wants the first rows by a time in a table's clustering key. Its own candidates are
/// bucketed by that; one made for something else is split into shards, of which it would query all.
fn is_first_by_time(read: &Read, table: &PlannedTable, sources: &[Option<SourceId>]) -> bool {
    let first = read.order.first().filter(|_| read.limit.is_some());
    first.is_some_and(|order| {
        let source = sources.member(order.column.source).copied().flatten();
        let of = source.map(|source| Derivation::Attribute(Column { source, ..order.column }));
        let mut times = table.clustering().filter(|column| volume::is_time(&column.ty));
        times.any(|column| Some(&column.derivation) == of.as_ref())
    })
}

/// Whether a walk over buckets ends only where a table says so: the candidate was made for reads that
/// give both ends.
fn has_endless_walk(step: &ReadStep) -> bool {
    step.loops.iter().any(|turn| match turn {
        Loop::Buckets(walk) => {
            let is_range = walk.bucket.days().is_none();
            walk.retain.is_none() && (walk.from.is_none() || (is_range && walk.to.is_none()))
        }
        _ => false,
    })
}

/// Whether the client would have to filter by a key that was added to a part of a read: the plan of
/// the whole read has no such condition.
fn has_key_filter(read: &Read, plan: &ReadPlan) -> bool {
    let is_key = |condition: &Condition| synthetic::is_given(read, condition);
    let filtered = |step: &ClientStep| matches!(step, ClientStep::Filter(by) if is_key(by));
    plan.client.iter().any(filtered)
}
