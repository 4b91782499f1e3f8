//! The prices of the cost model, by profile (`docs/COST.md` explains each of them).

mod profiles;
mod text;

pub use profiles::{HELENUS, NOSE, PROFILES};

use model::plan::Effort;

/// The price of each countable effort, in one unit.
#[derive(Clone, Debug, PartialEq)]
pub struct Prices {
    /// Their name.
    pub name: &'static str,
    /// The unit, for reports.
    pub unit: &'static str,
    /// A statement that reads.
    pub request: f64,
    /// A round trip that the client waits for.
    pub round: f64,
    /// A partition read.
    pub partition: f64,
    /// A partition beyond the number that one read should access.
    pub scattered: f64,
    /// An access to a partition that is accessed too often.
    pub hot: f64,
    /// A node queried by an index read.
    pub node: f64,
    /// A row read.
    pub row: f64,
    /// A cell read.
    pub cell: f64,
    /// A byte read.
    pub byte: f64,
    /// A tombstone scanned.
    pub tombstone: f64,
    /// A sort by the client, whatever is sorted.
    pub sort: f64,
    /// A row sorted by the client.
    pub sorted_row: f64,
    /// A row written.
    pub written: f64,
    /// A byte written.
    pub written_byte: f64,
    /// A row, cell or range deleted.
    pub deleted: f64,
    /// A partition in a logged batch, beside the row itself.
    pub logged: f64,
    /// A conditional statement, beside the row itself.
    pub conditional: f64,
    /// A counter update, beside the row itself.
    pub counted: f64,
    /// A byte stored, for a second.
    pub stored_byte: f64,
    /// A table, whatever its size.
    pub table: f64,
    /// The assumed share of rows within a range.
    pub range_share: f64,
}

impl Prices {
    /// The price of an effort.
    pub fn price(&self, effort: &Effort) -> f64 {
        let used = effort.counts();
        self.unit_prices().iter().zip(used).map(|(price, used)| price * used).sum()
    }

    /// The prices of what an effort counts, in the order of [`Effort::counts`].
    pub fn unit_prices(&self) -> [f64; 18] {
        [
            self.request,
            self.round,
            self.partition,
            self.scattered,
            self.hot,
            self.node,
            self.row,
            self.cell,
            self.byte,
            self.tombstone,
            self.sort,
            self.sorted_row,
            self.written,
            self.written_byte,
            self.deleted,
            self.logged,
            self.conditional,
            self.counted,
        ]
    }
}

impl Default for Prices {
    fn default() -> Self {
        HELENUS
    }
}
