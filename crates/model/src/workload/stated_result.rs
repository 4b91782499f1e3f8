//! What a model file states about the rows that a query finds: `@span` and `@returns`.

use super::Column;

/// What is stated about the rows that a read finds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StatedResult {
    /// `@span`: how wide the ranges of columns usually are.
    pub spans: Vec<RangeSpan>,
    /// `@returns`.
    pub returns: Option<ResultSize>,
}

/// How wide the range of a column usually is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RangeSpan {
    /// The column.
    pub column: Column,
    /// Seconds for a time, else the number of values.
    pub width: f64,
}

/// How many rows a read returns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ResultSize {
    /// On average.
    pub mean: f64,
    /// At the 99th percentile; the mean where it is not given.
    pub p99: f64,
}

impl StatedResult {
    /// The stated width of the range of a column.
    pub fn span(&self, column: Column) -> Option<f64> {
        self.spans.iter().find(|span| span.column == column).map(|span| span.width)
    }
}
