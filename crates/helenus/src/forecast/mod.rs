//! [`Forecast`]: what a statement will read and write, from its access plan and the size of its
//! table. The plan alone decides how the statement runs; the figures say how much that is.

mod figures;
mod judgement;
#[cfg(test)]
mod tests;

use doctor::trace::analysis::Verdict;
use schema::access::{AccessPlan, Count, FilterScope, Partitions, ReadOrder, ReadPlan, WritePlan};
use schema::catalog::Table;

pub(crate) use figures::{
    FigureSource, FiguresByTable, RowSizes, Spread, TableFigures, from_tables, row_sizes,
};
pub(crate) use judgement::{Reason, ReasonKind};

/// The part of the rows that a range is taken to cover, if nothing says more (as in model files).
const RANGE_PART: f64 = 0.1;
/// The rows of a page, if the client does not say.
pub(crate) const PAGE_ROWS: f64 = 5_000.0;

/// What a statement will do. What nobody knows is absent.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Forecast {
    /// Where the figures come from; `None`: there are none.
    pub(crate) source: Option<FigureSource>,
    /// Partitions read or written.
    pub(crate) partitions: Option<Spread>,
    /// Rows read on replicas, of one copy.
    pub(crate) rows_read: Option<Spread>,
    /// Bytes of them.
    pub(crate) bytes_read: Option<Spread>,
    /// Rows that are returned.
    pub(crate) rows_returned: Option<Spread>,
    /// Rows that are read and not returned.
    pub(crate) rows_filtered: Option<Spread>,
    /// Tombstones that are met.
    pub(crate) tombstones: Option<Spread>,
    /// Nodes that must answer at consistency level ONE.
    pub(crate) nodes: Option<f64>,
    /// Nodes of the cluster.
    pub(crate) cluster_nodes: Option<u32>,
    /// Bytes that the coordinator holds at a time, for sorting or for one page.
    pub(crate) coordinator_bytes: Option<Spread>,
    /// Whether a range was taken to cover a tenth of the rows.
    pub(crate) assumes_range: bool,
    /// What decides the verdict, the worst first.
    pub(crate) reasons: Vec<Reason>,
}

impl Forecast {
    /// The forecast of a plan. For a batch, of its largest part.
    pub(crate) fn new(plan: &AccessPlan, figures: &FiguresByTable) -> Self {
        let of = |table: &Table| figures.get(&*table.name);
        let mut forecast = match plan {
            AccessPlan::Read(plan) => Self::from_read(plan, of(&plan.table)),
            AccessPlan::Write(plan) => Self::from_write(plan, of(&plan.table)),
            AccessPlan::Batch(plan) => Self {
                partitions: count_value(plan.partitions).map(Spread::even),
                source: plan.tables.iter().find_map(|table| of(table)).map(|of| of.source),
                ..Self::default()
            },
            AccessPlan::Nothing => Self::default(),
        };
        forecast.reasons = judgement::judge(plan, &forecast, figures);
        forecast
    }

    /// The verdict: that of the worst reason. `None` without figures and without a reason.
    pub(crate) fn verdict(&self) -> Option<Verdict> {
        let worst = self.reasons.iter().map(|reason| reason.verdict).max();
        worst.or_else(|| self.source.map(|_| Verdict::Fine))
    }

    fn from_read(plan: &ReadPlan, figures: Option<&TableFigures>) -> Self {
        let mut forecast = Self {
            source: figures.map(|figures| figures.source),
            cluster_nodes: figures.map(|figures| figures.nodes),
            partitions: partitions(plan.partitions, figures).map(Spread::even),
            assumes_range: plan.rows.range.is_some(),
            ..Self::default()
        };
        let Some(figures) = figures else { return forecast };
        let is_scan = matches!(plan.partitions, Partitions::All | Partitions::TokenRange { .. });
        let by_index = plan.index.as_ref().filter(|index| !index.within_partition);
        if let Some(index) = by_index {
            let found =
                index.columns.iter().map(|at| figures.rows * selectivity(plan, figures, &[*at]));
            let found = found.fold(f64::INFINITY, f64::min).min(figures.rows);
            let is_known = index.columns.iter().any(|at| distinct(plan, figures, *at).is_some());
            forecast.rows_read = is_known.then(|| Spread::even(found));
            forecast.partitions = is_known.then(|| Spread::even(found.min(figures.partitions)));
        } else if is_scan {
            forecast.rows_read =
                (plan.partitions == Partitions::All).then(|| Spread::even(figures.rows));
        } else {
            let each = rows_of_partition(plan, figures);
            forecast.rows_read =
                forecast.partitions.map(|partitions| each.map(|rows| rows * partitions.p50));
        }
        forecast.apply_limit(plan);
        forecast.complete_read(plan, figures);
        forecast.nodes = nodes(plan, figures, &forecast);
        forecast
    }

    /// A read that stops at LIMIT reads no more rows, unless it filters.
    fn apply_limit(&mut self, plan: &ReadPlan) {
        let filters = plan.filtering.scope != FilterScope::None;
        let limit = plan.limit.and_then(count_value).filter(|_| plan.stops_at_limit && !filters);
        let each = plan.per_partition_limit.and_then(count_value).filter(|_| !filters);
        let cap = |rows: Spread| {
            let each = each.zip(self.partitions).map(|(each, partitions)| each * partitions.p50);
            let most = limit.into_iter().chain(each).fold(f64::INFINITY, f64::min);
            rows.map(|rows| rows.min(most))
        };
        self.rows_read = self.rows_read.map(cap);
    }

    /// Bytes, tombstones, what filtering leaves and what the coordinator holds.
    fn complete_read(&mut self, plan: &ReadPlan, figures: &TableFigures) {
        let Some(read) = self.rows_read else { return };
        self.bytes_read = Some(read.map(|rows| rows * figures.row_bytes));
        let filters = plan.filtering.scope != FilterScope::None;
        if filters {
            let columns = &plan.filtering.columns;
            let is_known = columns.iter().all(|at| distinct(plan, figures, *at).is_some());
            let part = selectivity(plan, figures, columns);
            self.rows_returned = is_known.then(|| read.map(|rows| rows * part));
            self.rows_filtered = is_known.then(|| read.map(|rows| rows * (1.0 - part)));
        } else {
            self.rows_returned = (!plan.aggregates).then_some(read);
        }
        let limit = plan.limit.and_then(count_value);
        if let (Some(limit), Some(returned)) = (limit, self.rows_returned) {
            self.rows_returned = Some(returned.map(|rows| rows.min(limit)));
        }
        if let Some(tombstones) = figures.tombstones {
            let whole = figures.partition_rows;
            let part =
                |read: f64, whole: f64| if whole > 0.0 { (read / whole).min(1.0) } else { 1.0 };
            let partitions = self.partitions.map_or(1.0, |partitions| partitions.p50);
            self.tombstones = Some(Spread {
                p50: tombstones.p50 * partitions * part(read.p50 / partitions.max(1.0), whole.p50),
                p99: tombstones.p99 * partitions * part(read.p99 / partitions.max(1.0), whole.p99),
            });
        }
        let sorts = matches!(plan.order, ReadOrder::Sorted { .. });
        let held = self.rows_returned.unwrap_or(read);
        let held = if sorts { read } else { held.map(|rows| rows.min(PAGE_ROWS)) };
        self.coordinator_bytes = Some(held.map(|rows| rows * figures.row_bytes));
    }

    fn from_write(plan: &WritePlan, figures: Option<&TableFigures>) -> Self {
        let named = partitions(plan.partitions, figures);
        Self {
            source: figures.map(|figures| figures.source),
            partitions: named.map(Spread::even),
            nodes: named
                .zip(figures)
                .map(|(named, of)| (named * f64::from(of.copies)).min(f64::from(of.nodes))),
            cluster_nodes: figures.map(|figures| figures.nodes),
            ..Self::default()
        }
    }
}

fn count_value(count: Count) -> Option<f64> {
    match count {
        Count::Known(number) => u32::try_from(number).ok().map(f64::from),
        Count::Unknown => None,
    }
}

fn partitions(partitions: Partitions, figures: Option<&TableFigures>) -> Option<f64> {
    match partitions {
        Partitions::None => Some(0.0),
        Partitions::One => Some(1.0),
        Partitions::Several(number) => count_value(number),
        Partitions::TokenRange { .. } => None,
        Partitions::All => figures.map(|figures| figures.partitions),
    }
}

/// The rows of one partition that the slice covers.
fn rows_of_partition(plan: &ReadPlan, figures: &TableFigures) -> Spread {
    if plan.distinct {
        return Spread::even(1.0);
    }
    let whole = figures.partition_rows;
    if let Some(rows) = plan.rows.rows.and_then(count_value) {
        return whole.map(|_| rows);
    }
    let fixed = selectivity(plan, figures, &plan.rows.equal);
    let listed = plan.rows.listed.iter().map(|listed| {
        let values = count_value(listed.values).unwrap_or(1.0);
        (values * selectivity(plan, figures, &listed.columns)).min(1.0)
    });
    let part = fixed * listed.product::<f64>();
    let part = if plan.rows.range.is_some() { part * RANGE_PART } else { part };
    whole.map(|rows| (rows * part).max(rows.min(1.0)))
}

/// The part of the rows that have one value of each of these columns; 1 for those whose number of
/// values nobody states.
fn selectivity(plan: &ReadPlan, figures: &TableFigures, columns: &[usize]) -> f64 {
    let parts = columns.iter().filter_map(|at| distinct(plan, figures, *at));
    parts.map(|values| 1.0 / values.max(1.0)).product()
}

fn distinct(plan: &ReadPlan, figures: &TableFigures, column: usize) -> Option<f64> {
    figures.distinct.get(&*plan.table.columns().get(column)?.name).copied()
}

/// The nodes that must answer, at consistency level ONE: one for each token range that is read, and
/// no more than there are.
fn nodes(plan: &ReadPlan, figures: &TableFigures, forecast: &Forecast) -> Option<f64> {
    let all = f64::from(figures.nodes);
    let by_index = plan.index.as_ref().is_some_and(|index| !index.within_partition);
    if by_index || matches!(plan.partitions, Partitions::All) {
        // Virtual nodes give every node some of the ranges.
        return Some(all);
    }
    let asked = forecast.partitions?.p50;
    // Keys fall on nodes at random.
    Some(all * (1.0 - (1.0 - 1.0 / all.max(1.0)).powf(asked)))
}
