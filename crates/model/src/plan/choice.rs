//! What a search over designs found: the price, how good it is, and what else there was.

use super::NoteSubject;

/// What a search over designs found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DesignChoice {
    /// The name of the prices.
    pub profile: String,
    /// What the design costs.
    pub price: DesignCost,
    /// No design over the same candidates costs less than this.
    pub bound: f64,
    /// Tables that were considered.
    pub candidates: usize,
    /// Ways to answer reads and to find rows that were considered.
    pub ways: usize,
    /// What the tables of the method, one query after the other, would cost.
    pub by_rules: Option<DesignCost>,
    /// What was not chosen, with what the whole design would cost with it, the cheapest of each read first.
    pub rejected: Vec<RejectedAlternative>,
    /// The next best designs, the cheapest first.
    pub runners_up: Vec<RunnerUp>,
    /// Rates at which another design becomes the cheapest.
    pub flips: Vec<RateFlip>,
}

/// What a design costs, by what for. The unit is that of the profile: milliseconds of server time per second of the
/// workload, or what a published model counts.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct DesignCost {
    /// Its reads.
    pub reads: f64,
    /// Its writes, with the reads that they need.
    pub writes: f64,
    /// What is stored, and what is hot.
    pub storage: f64,
}

/// Something that was not chosen.
#[derive(Clone, Debug, PartialEq)]
pub struct RejectedAlternative {
    /// The read (or table) that it was for.
    pub about: NoteSubject,
    /// What it is: the table in Chebotko's marks on one line, or the lookups.
    pub what: String,
    /// What the whole design would cost with it; infinite where a bound forbids it.
    pub price: f64,
    /// Why it costs so: the figure that decides.
    pub because: String,
}

/// A design that is nearly as good.
#[derive(Clone, Debug, PartialEq)]
pub struct RunnerUp {
    /// Tables that it has and the chosen one has not.
    pub gains: Vec<String>,
    /// Tables that it has not.
    pub loses: Vec<String>,
    /// What it costs.
    pub price: f64,
}

/// A rate at which another design becomes the cheapest.
#[derive(Clone, Debug, PartialEq)]
pub struct RateFlip {
    /// The read or write whose rate it is.
    pub about: NoteSubject,
    /// The rate now, per second.
    pub now: f64,
    /// The rate at which both cost the same.
    pub at: f64,
    /// Tables that the other design has more.
    pub gains: Vec<String>,
    /// Tables that it has less.
    pub loses: Vec<String>,
}

impl DesignCost {
    /// All of it.
    pub fn total(&self) -> f64 {
        self.reads + self.writes + self.storage
    }
}

impl DesignChoice {
    /// How far the design may be from the best, as a share of its price; 0 when it is proven best.
    pub fn gap(&self) -> f64 {
        let total = self.price.total();
        if total > 0.0 { ((total - self.bound) / total).max(0.0) } else { 0.0 }
    }
}
