//! Derived writes: they are shown within the writes that run them.

use model::figures;
use model::id::{IdList, WriteId};
use model::plan::{PlannedRun, WriteStep};
use model::workload::DerivedPart;

use super::DesignView;
use super::phrases::PlanPhrases;

/// Writes within writes that are followed for the sums.
const DEPTH_MAX: usize = 6;

impl DesignView<'_> {
    /// The effects of a write, with those of the derived writes that it runs: rows, tombstones,
    /// idempotence.
    pub(crate) fn effects(&self, at: WriteId) -> String {
        let (rows, tombstones) = self.count_all_written_rows(at);
        let repeatable = self.design.writes.member(at).is_some_and(|plan| plan.idempotent);
        let idempotent = if repeatable { "idempotent" } else { "not idempotent" };
        format!(
            "writes {}, {}, {idempotent}",
            figures::pluralise(rows, "row"),
            figures::pluralise(tombstones, "tombstone"),
        )
    }

    /// The rows and the tombstones that a write makes on average, with the derived writes that it
    /// runs.
    pub(crate) fn count_all_written_rows(&self, at: WriteId) -> (f64, f64) {
        self.count_written_rows(at, DEPTH_MAX)
    }

    /// The price of a write with those of the derived writes that it runs; `None` without prices.
    pub(crate) fn write_price(&self, at: WriteId) -> Option<f64> {
        let rate = self.file.workload.writes.member(at)?.rate.value;
        self.design.choice.as_ref().map(|_| rate * self.price_run(at, DEPTH_MAX))
    }

    /// The price of running a write once.
    fn price_run(&self, at: WriteId, depth: usize) -> f64 {
        let prices = self.design.choice.as_ref().map(|choice| &choice.parts.writes);
        let own = prices.and_then(|prices| prices.get(at.index())).copied().unwrap_or_default();
        let rate = self.file.workload.writes.member(at).map_or(0.0, |write| write.rate.value);
        let own = if rate > 0.0 { own / rate } else { 0.0 };
        let (Some(depth), Some(plan)) = (depth.checked_sub(1), self.design.writes.member(at))
        else {
            return own;
        };
        let runs = plan.steps.iter().filter_map(|step| match step {
            WriteStep::Run(run) => Some(run.times * self.price_run(run.write, depth)),
            _ => None,
        });
        own + runs.sum::<f64>()
    }

    /// The rows and the tombstones that a write makes on average.
    fn count_written_rows(&self, at: WriteId, depth: usize) -> (f64, f64) {
        let Some(plan) = self.design.writes.member(at) else { return (0.0, 0.0) };
        let (mut rows, mut tombstones) = (plan.amplification, plan.tombstones);
        let Some(depth) = depth.checked_sub(1) else { return (rows, tombstones) };
        let writes = &self.file.workload.writes;
        let is_branch = |run: &PlannedRun| {
            let part = writes.member(run.write).and_then(|write| write.derived);
            matches!(part, Some(DerivedPart::NewRow | DerivedPart::ExistingRow))
        };
        let runs = plan.steps.iter().filter_map(|step| match step {
            WriteStep::Run(run) => Some(run),
            _ => None,
        });
        let (mut most, mut most_tombstones): (f64, f64) = (0.0, 0.0);
        for run in runs {
            let (more, graves) = self.count_written_rows(run.write, depth);
            if is_branch(run) {
                // One of them is run.
                (most, most_tombstones) = (most.max(more), most_tombstones.max(graves));
            } else {
                rows += more * run.times;
                tombstones += graves * run.times;
            }
        }
        (rows + most, tombstones + most_tombstones)
    }

    /// The rows that a derived write changes for one row, at the 99th percentile.
    pub(crate) fn p99_rows(&self, at: WriteId) -> Option<f64> {
        let part = self.file.workload.writes.member(at)?.derived?;
        let DerivedPart::Referring { entity, reference, .. } = part else { return None };
        let reference = self.file.concept.entities.member(entity)?.references.member(reference)?;
        Some(reference.fan_out.p99)
    }
}

impl PlanPhrases<'_> {
    /// A step that runs a derived write, in one line.
    pub(crate) fn run(&self, run: &PlannedRun) -> String {
        let Some(write) = self.subject.file.workload.writes.member(run.write) else {
            return String::new();
        };
        let mut before = self.loops(&run.loops, None);
        before.extend(self.guard_list(&run.guards, &run.loops));
        let before =
            if before.is_empty() { String::new() } else { format!("{}: ", before.join(", ")) };
        let changed =
            write.derived.is_some_and(|part| matches!(part, DerivedPart::Referring { .. }));
        let with = if changed {
            let values = run.arguments.iter().zip(&write.parameters);
            let values = values.map(|(operand, parameter)| {
                format!("{} = {}", parameter.name, self.operand(operand, &run.loops))
            });
            format!(" with {}", values.collect::<Vec<_>>().join(", "))
        } else {
            String::new()
        };
        let rows = self.subject.p99_rows(run.write);
        let rows = rows.map_or_else(String::new, |rows| {
            format!(" ({} for each row at p99)", figures::pluralise(rows, "row"))
        });
        format!("{before}run {}{with}{rows}", write.name)
    }
}
