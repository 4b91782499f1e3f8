//! The result of the search over designs: its cost, how close to optimal it is, and the
//! alternatives.

use super::{DesignDifference, NoteSubject};

/// The result of the search over designs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DesignChoice {
    /// The name of the cost profile.
    pub profile: String,
    /// The cost of the design.
    pub price: DesignCost,
    /// The same by reads, writes and tables.
    pub parts: PriceParts,
    /// A lower bound: no design over the same candidates costs less.
    pub bound: f64,
    /// Candidate tables.
    pub candidates: usize,
    /// Candidate ways to serve reads and to find the rows of writes.
    pub ways: usize,
    /// The cost of the tables that the mapping rules give, one query after the other.
    pub by_rules: Option<DesignCost>,
    /// Rejected alternatives with the cost of the whole design that uses them, the cheapest of each
    /// read first.
    pub rejected: Vec<RejectedAlternative>,
    /// The next best designs, the cheapest first.
    pub runners_up: Vec<RunnerUp>,
    /// Rates at which another design becomes the cheapest.
    pub flips: Vec<RateFlip>,
}

/// The cost of a design, split into reads, writes and storage. The unit is that of the profile:
/// milliseconds of server time per second of the workload, or the unit of a published cost model.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct DesignCost {
    /// Its reads.
    pub reads: f64,
    /// Its writes, with the reads that they need.
    pub writes: f64,
    /// Storage, and penalties for hot partitions.
    pub storage: f64,
}

/// The cost of a design by its parts, in their order in the workload and the design. The costs of a
/// write are those of the write alone: derived writes have their own.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PriceParts {
    /// Of each read.
    pub reads: Vec<f64>,
    /// Of each write.
    pub writes: Vec<f64>,
    /// The standing cost of each table.
    pub tables: Vec<f64>,
}

/// A rejected alternative.
#[derive(Clone, Debug, PartialEq)]
pub struct RejectedAlternative {
    /// The read (or table) that it was for.
    pub about: NoteSubject,
    /// The table in Chebotko notation on one line, or the lookups.
    pub what: String,
    /// The cost of the whole design with it; infinite where a bound forbids it.
    pub price: f64,
    /// The figure that decides its cost.
    pub because: String,
}

/// A design that is nearly as good.
#[derive(Clone, Debug, PartialEq)]
pub struct RunnerUp {
    /// Tables that it adds to the chosen design.
    pub gains: Vec<String>,
    /// Tables of the chosen design that it lacks.
    pub loses: Vec<String>,
    /// Its cost.
    pub price: f64,
    /// What it does otherwise than the chosen design.
    pub difference: DesignDifference,
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
    /// Tables that the other design adds.
    pub gains: Vec<String>,
    /// Tables that it lacks.
    pub loses: Vec<String>,
    /// What it does otherwise than the chosen design.
    pub difference: DesignDifference,
}

impl RateFlip {
    /// The logarithmic distance of its rate from the current one.
    pub fn distance(&self) -> f64 {
        (self.at / self.now).ln().abs()
    }
}

impl DesignCost {
    /// The sum of all parts.
    pub fn total(&self) -> f64 {
        self.reads + self.writes + self.storage
    }
}

impl PriceParts {
    /// The sums.
    pub fn total(&self) -> DesignCost {
        DesignCost {
            reads: self.reads.iter().sum(),
            writes: self.writes.iter().sum(),
            storage: self.tables.iter().sum(),
        }
    }
}

impl DesignChoice {
    /// The optimality gap as a share of the cost; 0 when the design is proven optimal.
    pub fn gap(&self) -> f64 {
        let total = self.price.total();
        if total > 0.0 { ((total - self.bound) / total).max(0.0) } else { 0.0 }
    }
}
