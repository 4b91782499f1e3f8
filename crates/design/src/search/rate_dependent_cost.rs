//! Costs as linear functions of the workload's rates, so that `flips` can evaluate them at other
//! rates without building the program again.

use model::id::{ReadId, WriteId};
use model::workload::Workload;

/// The read or write whose rate a part of a cost is proportional to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum RateId {
    /// A read's.
    Read(ReadId),
    /// A write's.
    Write(WriteId),
}

/// A cost: a constant, and what each run of a read or write adds.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct RateDependentCost {
    fixed: f64,
    each: Vec<(RateId, f64)>,
}

/// The rates of all reads and writes, per second.
#[derive(Clone, Debug)]
pub(super) struct Rates {
    reads: Vec<f64>,
    writes: Vec<f64>,
}

impl RateDependentCost {
    /// A cost that depends on no rate.
    pub(super) fn from_constant(cost: f64) -> Self {
        Self { fixed: cost.max(0.0), each: Vec::new() }
    }

    /// A cost of each run.
    pub(super) fn for_rate(rate: RateId, cost: f64) -> Self {
        let mut terms = Self::default();
        terms.add(rate, cost);
        terms
    }

    /// Adds a cost of each run.
    pub(super) fn add(&mut self, rate: RateId, cost: f64) {
        if cost > 0.0 {
            self.each.push((rate, cost));
        }
    }

    /// Adds all of another cost.
    pub(super) fn extend(&mut self, other: &Self) {
        self.fixed += other.fixed;
        self.each.extend(&other.each);
    }

    /// The cost at these rates.
    pub(super) fn evaluate(&self, rates: &Rates) -> f64 {
        self.fixed + self.each.iter().map(|(rate, cost)| rates.rate(*rate) * cost).sum::<f64>()
    }

    /// The coefficient of one rate.
    pub(super) fn slope(&self, of: RateId) -> f64 {
        self.each.iter().filter(|(rate, _)| *rate == of).map(|(_, cost)| cost).sum()
    }
}

impl Rates {
    pub(super) fn from_workload(workload: &Workload) -> Self {
        Self {
            reads: workload.reads.iter().map(|read| read.rate.value).collect(),
            writes: workload.writes.iter().map(|write| write.rate.value).collect(),
        }
    }

    /// The rate of a read or write.
    pub(super) fn rate(&self, rate: RateId) -> f64 {
        let (list, at) = match rate {
            RateId::Read(read) => (&self.reads, read.index()),
            RateId::Write(write) => (&self.writes, write.index()),
        };
        list.get(at).copied().unwrap_or(0.0)
    }

    /// The same with another value for one of them.
    #[must_use]
    pub(super) fn with_rate(&self, rate: RateId, value: f64) -> Self {
        let mut rates = self.clone();
        let (list, at) = match rate {
            RateId::Read(read) => (&mut rates.reads, read.index()),
            RateId::Write(write) => (&mut rates.writes, write.index()),
        };
        if let Some(slot) = list.get_mut(at) {
            *slot = value;
        }
        rates
    }
}
