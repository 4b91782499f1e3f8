//! What a plan costs: partitions and rows read, usually and at most.

use model::concept::DAY;
use model::plan::{Loop, ReadPlan, Walk};
use model::workload::Limit;

use super::columns::View;
use crate::Context;
use crate::volume::YEAR;

/// Elements of a list parameter, where nobody says how many.
const LISTED: f64 = 10.0;
/// Rows of a LIMIT that is a parameter.
const LIMITED: f64 = 20.0;
/// Buckets that a range between parameters usually touches.
const RANGED: f64 = 2.0;

/// Sets what a plan costs.
pub(super) fn set(context: Context<'_>, view: View<'_>, plan: &mut ReadPlan) {
    let limit = view.read.limit.map(|limit| match limit {
        Limit::Number(rows) => rows as f64,
        Limit::Parameter(_) => LIMITED,
    });
    let volume = &view.table.volume;
    // A table that is still empty is looked at after a year.
    let first = volume.rows_after(0.0).mean;
    let rows = if first > 0.0 { first } else { volume.rows_after(YEAR).mean };
    let (mut usual, mut most) = (1.0, 1.0);
    let mut streams = 1.0;
    for turn in plan.steps.get(plan.main).into_iter().flat_map(|step| &step.loops) {
        let (here, at_most) = match turn {
            Loop::Values(values) => (values.len() as f64, values.len() as f64),
            Loop::Elements(_) => (LISTED, 500.0),
            Loop::Shards(count) => (f64::from(*count), f64::from(*count)),
            Loop::Rows(_) => (rows.max(1.0), f64::INFINITY),
            Loop::Buckets(walk) => buckets(context, walk, rows, limit),
        };
        if !matches!(turn, Loop::Buckets(_)) {
            streams *= here;
        }
        usual *= here;
        most *= at_most;
    }
    // The oldest bucket is asked for only once the first one did not suffice.
    let memory = plan.main as f64;
    plan.partitions = if usual > streams { usual + memory } else { usual };
    plan.partitions_at_most = most + memory;
    let unlimited = usual * rows;
    let cut = plan.steps.get(plan.main).is_some_and(|step| step.cql.contains(" LIMIT "));
    plan.rows = match limit {
        // One row of each statement is all that is wanted.
        None if cut => streams,
        Some(limit) if cut => (limit * streams).min(unlimited.max(1.0)),
        _ if view.table.clustering().next().is_none() => usual,
        _ => unlimited,
    };
}

/// Buckets that a walk visits, usually and at most.
fn buckets(context: Context<'_>, walk: &Walk, rows: f64, limit: Option<f64>) -> (f64, f64) {
    let life = walk.retain.map_or(context.options.limits.years * 365.25, |seconds| seconds / DAY);
    let all = walk.bucket.days().map_or(f64::INFINITY, |days| (life / days).ceil() + 1.0);
    let usual = match limit {
        Some(limit) if walk.stops_at_limit => (limit / rows.max(1.0)).ceil().max(1.0).min(all),
        _ if walk.stops_at_limit => 1.0,
        _ if walk.from.is_some() => RANGED.min(all),
        _ => all,
    };
    (usual, all)
}
