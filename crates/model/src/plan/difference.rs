//! The difference between two designs, in the names of their tables, reads and writes.

/// What a design has, reads and writes otherwise than another.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DesignDifference {
    /// Tables that only it has.
    pub added: Vec<String>,
    /// Tables that it lacks.
    pub removed: Vec<String>,
    /// Tables with another primary key, which is given.
    pub rekeyed: Vec<(String, String)>,
    /// Reads and writes that take another effort, those whose cost changes most first.
    pub statements: Vec<StatementDifference>,
}

/// The difference in the effort of a read or write.
#[derive(Clone, Debug, PartialEq)]
pub struct StatementDifference {
    /// Its name.
    pub name: String,
    /// What it does more of, or less (negative).
    pub more: Vec<(EffortMeasure, f64)>,
}

/// What is counted of an effort in a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EffortMeasure {
    /// Statements that read.
    Requests,
    /// Partitions read.
    Partitions,
    /// Rows read.
    Rows,
    /// Rows written.
    Written,
    /// Rows, cells or ranges deleted.
    Deleted,
}

impl DesignDifference {
    /// Whether both designs are the same.
    pub fn is_empty(&self) -> bool {
        self.added.is_empty()
            && self.removed.is_empty()
            && self.rekeyed.is_empty()
            && self.statements.is_empty()
    }
}
