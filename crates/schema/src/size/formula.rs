//! Published formulas for partition sizes, shown besides the exact figure.

use super::number::small;
use super::value::client_bytes;
use super::{ColumnLayout, PartitionLayout};

/// A published formula for the size of a partition.
#[derive(Clone, Copy, Debug)]
pub struct Formula {
    /// The name of the formula.
    pub name: &'static str,
    /// The formula, with the symbols of its source.
    pub text: &'static str,
    /// The publication.
    pub source: &'static str,
    /// The bytes for a layout and a number of rows.
    pub bytes: fn(&PartitionLayout, f64) -> f64,
}

/// The formulas, in display order.
pub const FORMULAS: [Formula; 3] = [
    Formula {
        name: "Cassandra 3.0 and later",
        text: "St = sum(ck) + sum(cs) + Nr (sum(cr) + sum(cc)) + 8 Nv",
        source: "the Cassandra documentation, refining a logical model",
        bytes: bytes_3x,
    },
    Formula {
        name: "Cassandra 2.x",
        text: "St = sum(ck) + sum(cs) + Nr sum(cr + sum(cc)) + 8 Nv",
        source: "the DS220 course: clustering values with every cell",
        bytes: bytes_2x,
    },
    Formula {
        name: "script of 23 and 15 bytes",
        text: "20 + Nr (23 + 15 columns + bytes)",
        source: "a published script: 23 bytes a row, 15 a cell",
        bytes: script,
    },
];

/// The values of a partition: Nv = Nr (Nc - Npk - Ns) + Ns, or Nr + Ns if a row has only its key.
pub fn values(layout: &PartitionLayout, rows: f64) -> f64 {
    rows * small(layout.regulars.len()).max(1.0) + small(layout.statics.len())
}

/// The bytes of a partition by the formula of the documentation, for Cassandra 3.0 and later.
pub fn bytes_3x(layout: &PartitionLayout, rows: f64) -> f64 {
    let row = sum(&layout.regulars) + sum(&layout.clustering);
    once(layout) + rows * row + 8.0 * values(layout, rows)
}

/// The bytes of a partition for Cassandra up to 2.x, which stored the clustering values with every
/// cell.
pub(crate) fn bytes_2x(layout: &PartitionLayout, rows: f64) -> f64 {
    let cells = small(layout.regulars.len()).max(1.0);
    let row = sum(&layout.regulars) + cells * sum(&layout.clustering);
    once(layout) + rows * row + 8.0 * values(layout, rows)
}

/// Bytes of a partition by the published script of 23 and 15 bytes: those of the key are in the 20
/// and 23.
pub fn script(layout: &PartitionLayout, rows: f64) -> f64 {
    let row = 15.0 * small(layout.regulars.len()) + sum(&layout.regulars);
    20.0 + rows * (23.0 + row)
}

/// What the published script returns for a partition.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ScriptResult {
    /// `row_size_bytes`
    pub row_bytes: f64,
    /// `partition_size_bytes`
    pub partition_bytes: f64,
    /// `partition_size_mb`, of 1,048,576 bytes each.
    pub partition_mb: f64,
    /// `recommendation`
    pub recommendation: &'static str,
}

/// The result of the published script, for rows with the columns of a layout.
pub fn script_result(layout: &PartitionLayout, rows: f64) -> ScriptResult {
    let partition_bytes = script(layout, rows);
    ScriptResult {
        row_bytes: script(layout, 1.0) - script(layout, 0.0),
        partition_bytes,
        partition_mb: partition_bytes / (1_024.0 * 1_024.0),
        recommendation: if partition_bytes < 100e6 { "OK" } else { "Consider splitting" },
    }
}

fn once(layout: &PartitionLayout) -> f64 {
    sum(&layout.partition_key) + sum(&layout.statics)
}

fn sum(fields: &[ColumnLayout]) -> f64 {
    fields.iter().map(client_bytes).sum()
}
