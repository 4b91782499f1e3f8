//! What in a forecast deserves attention: each with the figure and the limit that decide.

use doctor::trace::analysis::Verdict;
use schema::access::{AccessPlan, FilterScope, Partitions, ReadPlan};
use schema::catalog::Table;

use super::{FiguresByTable, Forecast, TableFigures};

/// A reason for the verdict.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Reason {
    pub(crate) verdict: Verdict,
    pub(crate) kind: ReasonKind,
    /// The figure, if there is one, and the limit that it exceeds.
    pub(crate) figure: Option<f64>,
    pub(crate) limit: Option<f64>,
}

/// What the reason is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ReasonKind {
    /// All partitions are read.
    FullScan,
    /// Rows are read that are not returned.
    Filtering,
    /// An index is searched on all token ranges.
    IndexOnAllNodes,
    /// Many partitions are read by one request.
    ManyPartitions,
    /// Many bytes are read.
    ManyBytes,
    /// Many rows are read.
    ManyRows,
    /// Tombstones are met.
    Tombstones,
    /// The partition is large, however few of its rows are read.
    LargePartition,
    /// The coordinator holds and sorts many bytes.
    CoordinatorMemory,
    /// A batch writes to many partitions.
    BatchPartitions,
    /// A lightweight transaction.
    Transaction,
}

/// Limits: from the first on watch, from the second on dangerous.
const PARTITIONS: (f64, f64) = (17.0, 101.0);
const BYTES: (f64, f64) = (10e6, 100e6);
const ROWS: (f64, f64) = (10_000.0, 1_000_000.0);
const TOMBSTONES: (f64, f64) = (1_000.0, 10_000.0);
const PARTITION_BYTES: (f64, f64) = (100e6, 500e6);
const COORDINATOR_BYTES: (f64, f64) = (10e6, 100e6);
const SCANNED_ROWS: (f64, f64) = (0.0, 100_000.0);
const FILTERED_ROWS: (f64, f64) = (1_000.0, 100_000.0);
const INDEXED_ROWS: (f64, f64) = (0.0, 10_000.0);
const BATCH_PARTITIONS: (f64, f64) = (2.0, 10.0);

/// The reasons, the worst first.
pub(super) fn judge(
    plan: &AccessPlan,
    forecast: &Forecast,
    figures: &FiguresByTable,
) -> Vec<Reason> {
    let mut reasons = Vec::new();
    let of = |table: &Table| figures.get(&*table.name);
    match plan {
        AccessPlan::Read(plan) => judge_read(plan, forecast, of(&plan.table), &mut reasons),
        AccessPlan::Write(plan) if plan.conditional => reasons.push(transaction()),
        AccessPlan::Batch(plan) => {
            if plan.conditional {
                reasons.push(transaction());
            }
            let partitions = forecast.partitions.map(|partitions| partitions.p99);
            grade(ReasonKind::BatchPartitions, partitions, BATCH_PARTITIONS, &mut reasons);
        }
        _ => {}
    }
    reasons.sort_by_key(|reason| std::cmp::Reverse(reason.verdict));
    reasons
}

fn transaction() -> Reason {
    Reason { verdict: Verdict::Watch, kind: ReasonKind::Transaction, figure: None, limit: None }
}

/// Adds a reason if a figure reaches one of its limits.
fn grade(kind: ReasonKind, figure: Option<f64>, limits: (f64, f64), reasons: &mut Vec<Reason>) {
    let Some(figure) = figure else { return };
    let (watch, dangerous) = limits;
    let (verdict, limit) = match figure {
        figure if figure >= dangerous => (Verdict::Dangerous, dangerous),
        figure if figure >= watch => (Verdict::Watch, watch),
        _ => return,
    };
    let limit = (limit > 0.0).then_some(limit);
    reasons.push(Reason { verdict, kind, figure: Some(figure), limit });
}

fn judge_read(
    plan: &ReadPlan,
    forecast: &Forecast,
    figures: Option<&TableFigures>,
    reasons: &mut Vec<Reason>,
) {
    let p99 = |spread: Option<super::Spread>| spread.map(|spread| spread.p99);
    let (rows, bytes) = (p99(forecast.rows_read), p99(forecast.bytes_read));
    let by_index = plan.index.as_ref().is_some_and(|index| !index.within_partition);
    let is_scan = matches!(plan.partitions, Partitions::All) && !by_index;
    let without_figure = |kind| Reason { verdict: Verdict::Watch, kind, figure: None, limit: None };
    // How much of a table a scan with LIMIT reads depends on where the first rows lie.
    if is_scan {
        match figures {
            Some(_) => grade(ReasonKind::FullScan, rows, SCANNED_ROWS, reasons),
            None => reasons.push(without_figure(ReasonKind::FullScan)),
        }
    }
    if by_index {
        match rows {
            Some(_) => grade(ReasonKind::IndexOnAllNodes, rows, INDEXED_ROWS, reasons),
            None => reasons.push(without_figure(ReasonKind::IndexOnAllNodes)),
        }
    }
    if plan.filtering.scope != FilterScope::None {
        let filtered = p99(forecast.rows_filtered).or(rows);
        match figures {
            Some(_) => grade(ReasonKind::Filtering, filtered, FILTERED_ROWS, reasons),
            None => reasons.push(without_figure(ReasonKind::Filtering)),
        }
    }
    if !is_scan && !by_index {
        grade(ReasonKind::ManyPartitions, p99(forecast.partitions), PARTITIONS, reasons);
        grade(ReasonKind::ManyRows, rows, ROWS, reasons);
        let size = figures.map(|figures| figures.partition_bytes.p99);
        grade(ReasonKind::LargePartition, size, PARTITION_BYTES, reasons);
    }
    grade(ReasonKind::ManyBytes, bytes, BYTES, reasons);
    grade(ReasonKind::Tombstones, p99(forecast.tombstones), TOMBSTONES, reasons);
    grade(
        ReasonKind::CoordinatorMemory,
        p99(forecast.coordinator_bytes),
        COORDINATOR_BYTES,
        reasons,
    );
}
