//! The effort of a plan: statements, partitions, rows, bytes, tombstones, sorts.
//!
//! Everything follows from the plan itself: its statements (`shape`), how often they are repeated
//! (`repetitions`), and what the client does with the rows (`client`). `statement_estimate`
//! estimates how many rows a statement finds in its table.

mod client;
mod repetitions;
mod shape;
mod statement_estimate;
#[cfg(test)]
mod tests;

use model::id::{IdList, StepId};
use model::plan::{Effort, Loop, PlannedTable, ReadPlan, ReadStep};
use model::workload::Read;

use crate::{Context, cost};
use client::ClientWork;
use repetitions::{Repetitions, TurnRows};
use shape::StatementShape;
use statement_estimate::{StatedRows, StatementEstimate};

/// The bytes that a slice in reversed order reads, by those of its rows: of tables that are otherwise
/// equal, the one in the order of the query is chosen.
const REVERSED_BYTES: f64 = 1.1;

/// The effort of a step in each run of its plan.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct StepEffort {
    /// The effort.
    pub(crate) effort: Effort,
    /// Partitions that it reads at most; infinite where nothing bounds them.
    pub(crate) partitions_at_most: f64,
    /// Buckets that each of its walks visits; 1 without.
    buckets: f64,
    /// Buckets that a walk requests at once.
    ahead: u16,
    /// How often it reads a value of the table's key, counting all its shards as one.
    uses: f64,
}

/// Sets the effort of a plan.
pub(super) fn set_effort(
    context: Context<'_>,
    tables: &[PlannedTable],
    read: &Read,
    plan: &mut ReadPlan,
) {
    let client = ClientWork::new(context, read, plan);
    let priced = price_steps(context, tables, (read, plan), &client);
    let main = priced.get(plan.main.index()).copied().unwrap_or_default();
    let oldest = oldest_step(plan);
    let mut effort = client.sort_effort(main.effort.rows);
    let mut at_most = 0.0;
    for (at, step) in plan.steps.ids().zip(&priced) {
        at_most += step.partitions_at_most;
        // The oldest bucket is read only if the first one did not suffice.
        if oldest != Some(at) || main.buckets > 1.0 {
            effort += step.effort;
        }
    }
    set_ahead(plan, main.ahead);
    plan.partitions = effort.partitions;
    plan.partitions_at_most = at_most;
    plan.rows = main.effort.rows.max(1.0);
    plan.effort = effort;
}

/// How often each step of a plan requests something each time the plan runs.
pub(crate) fn count_requests(
    context: Context<'_>,
    tables: &[PlannedTable],
    read: &Read,
    plan: &ReadPlan,
) -> Vec<f64> {
    let client = ClientWork::new(context, read, plan);
    let priced = price_steps(context, tables, (read, plan), &client);
    let is_enough = priced.get(plan.main.index()).is_none_or(|main| main.buckets <= 1.0);
    let oldest = oldest_step(plan).filter(|_| is_enough);
    let counted = plan.steps.ids().zip(&priced);
    counted.map(|(at, step)| if oldest == Some(at) { 0.0 } else { step.effort.requests }).collect()
}

/// The effort of each step of a plan.
fn price_steps(
    context: Context<'_>,
    tables: &[PlannedTable],
    (read, plan): (&Read, &ReadPlan),
    client: &ClientWork,
) -> Vec<StepEffort> {
    let mut priced: Vec<StepEffort> = Vec::with_capacity(plan.steps.len());
    for (at, step) in plan.steps.enumerate_ids() {
        let rows = |of: StepId| {
            let rows = priced.get(of.index()).map_or(0.0, |before| before.effort.rows);
            if of == plan.main { client.rows_before_step(rows, at) } else { rows }
        };
        let (enough, returned) = if at == plan.main {
            (client.enough, read.stated.returns.filter(|_| read.limit.is_none()))
        } else {
            (None, None)
        };
        let returned = returned.map(|rows| rows.mean);
        let mut step_priced = step_effort(context, tables, step, &rows, (enough, returned));
        if let Some(table) = tables.member(step.table) {
            let uses = step_priced.uses;
            step_priced.effort.hot = cost::hot_reads(context, table, read.rate.value, uses);
        }
        priced.push(step_priced);
    }
    priced
}

/// How many times the bytes of its rows a statement reads: backwards, blocks are read that the rows
/// begin in.
const fn read_back(shape: &StatementShape) -> f64 {
    if shape.reversed { REVERSED_BYTES } else { 1.0 }
}

/// Lets the walk of the main step request as many buckets at once as it usually needs.
fn set_ahead(plan: &mut ReadPlan, ahead: u16) {
    let main = plan.main;
    for turn in plan.steps.get_mut(main.index()).into_iter().flat_map(|step| &mut step.loops) {
        if let Loop::Buckets(walk) = turn
            && walk.stops_at_limit
        {
            walk.ahead = ahead.max(1);
        }
    }
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a small number")]
fn to_count(number: f64) -> u16 {
    number.clamp(1.0, f64::from(u16::MAX)) as u16
}

/// Rows that a plan returns, of those that its main step reads.
pub(crate) fn rows_returned(context: Context<'_>, read: &Read, plan: &ReadPlan) -> f64 {
    let client = ClientWork::new(context, read, plan);
    client.rows_before_step(plan.rows, plan.steps.next_id())
}

/// The effort of a step. `rows` are those that an earlier step returned; reading stops at `enough`
/// rows, and it is stated that so many are `returned`.
pub(crate) fn step_effort(
    context: Context<'_>,
    tables: &[PlannedTable],
    step: &ReadStep,
    rows: &dyn Fn(StepId) -> f64,
    (enough, returned): (Option<f64>, Option<f64>),
) -> StepEffort {
    let Some(table) = tables.member(step.table) else { return StepEffort::default() };
    let shape = StatementShape::new(&step.select);
    let stated = StatedRows { spans: &step.spans, returned };
    let found = StatementEstimate::new(context, table, &shape, &step.loops, stated);
    let most = shape.limit.or(enough);
    let each = TurnRows { rows: found.rows, enough: most, touched: found.touched };
    let turns = Repetitions::new(context, &step.loops, each, rows);
    let read = turns.rows(found.rows, most);
    let partitions = turns.total() * found.partitions;
    let whole = found.rows * turns.total();
    // A statement that stops early scans its share of the tombstones, unless they precede the rows.
    let part = if whole > 0.0 && !found.tombstones_first { (read / whole).min(1.0) } else { 1.0 };
    let effort = Effort {
        requests: turns.total(),
        rounds: turns.sequence * turns.streams.min(1.0),
        partitions,
        scattered: cost::excess_partitions(context, partitions),
        nodes: turns.total() * found.nodes,
        rows: read,
        cells: read * found.row_cells,
        bytes: read * found.row_bytes * read_back(&shape) + partitions * found.fixed_bytes,
        // Buckets whose rows are all deleted are walked over, too.
        tombstones: match found.tombstones_of_key {
            Some(all) => turns.streams * all,
            None => turns.total() * found.tombstones * part,
        },
        ..Effort::default()
    };
    let partitions_at_most = turns.at_most * found.partitions;
    StepEffort {
        effort,
        partitions_at_most,
        buckets: turns.buckets,
        ahead: to_count(turns.ahead),
        uses: turns.streams / turns.shards,
    }
}

/// The step that reads the oldest bucket for the walk of the main step.
fn oldest_step(plan: &ReadPlan) -> Option<StepId> {
    let main = plan.steps.member(plan.main)?;
    main.loops.iter().find_map(|turn| match turn {
        Loop::Buckets(walk) => walk.oldest,
        _ => None,
    })
}
