//! The result of a proof, and the counterexample of a refuted one.

use model::id::{ReadId, TableId};

use crate::transcript::ProofTranscript;

/// The result of a proof.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Proof {
    /// Reads run on both databases.
    pub reads: usize,
    /// Reads that the design refuses, which have no plan to prove.
    pub refused: usize,
    /// Kinds of writes run.
    pub writes: usize,
    /// Times that reads were run with values.
    pub bindings: usize,
    /// Times that writes were run with values.
    pub written: usize,
    /// Rows of the relational database.
    pub rows: u64,
    /// What was exercised.
    pub coverage: Coverage,
    /// Predicted against measured, by table of the design.
    pub tables: Vec<TableMeasure>,
    /// Predicted against measured, by read of the workload.
    pub measured: Vec<ReadMeasure>,
    /// The first disagreement, reduced to a minimal counterexample.
    pub disagreement: Option<Disagreement>,
    /// What was done in the relational database, where the settings ask for it.
    pub transcript: Option<ProofTranscript>,
}

/// Counts of what a proof exercised.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Coverage {
    /// Reads that returned nothing.
    pub empty: usize,
    /// Reads with a key that does not exist.
    pub absent_keys: usize,
    /// Reads of the most popular keys.
    pub hot_keys: usize,
    /// Ranges that begin or end at an existing value.
    pub range_edges: usize,
    /// Results with ties of the ORDER BY.
    pub ties: usize,
    /// Ties cut by LIMIT.
    pub ties_cut: usize,
    /// Walks that continued to a second bucket.
    pub borders_crossed: usize,
    /// Reads that merged the streams of shards or values.
    pub merges: usize,
    /// Lookups for each row.
    pub lookups: usize,
    /// Writes that changed a key column of a table.
    pub key_changes: usize,
    /// Rows with nulls written.
    pub nulls: usize,
    /// The fewest buckets with rows of any bucketed table.
    pub buckets_least: Option<usize>,
    /// The fewest shards with rows of any sharded table.
    pub shards_least: Option<usize>,
}

/// A table as predicted and as measured.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TableMeasure {
    /// The table's position in the design.
    pub table: TableId,
    /// Rows of a partition, predicted for the generated data.
    pub rows: FigureMeasure,
    /// Bytes of a partition, likewise.
    pub bytes: FigureMeasure,
}

/// A read as predicted and as measured.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReadMeasure {
    /// The read's position in the workload.
    pub read: ReadId,
    /// Partitions read.
    pub partitions: FigureMeasure,
    /// Rows read.
    pub rows: FigureMeasure,
}

/// A figure predicted and measured.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FigureMeasure {
    /// Predicted, on average.
    pub predicted: f64,
    /// Measured, on average.
    pub mean: f64,
    /// Measured, at most.
    pub max: f64,
}

/// A counterexample: two results that do not agree.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Disagreement {
    /// The name of the read, or of the write after which the copies differ.
    pub name: String,
    /// The designed table with wrong contents, where it is not the result of a read that differs.
    pub table: Option<String>,
    /// The facts and writes before it, as SQL: the smallest found.
    pub facts: Vec<String>,
    /// The SQL, with its values.
    pub sql: String,
    /// The CQL, with its values, in the order sent.
    pub cql: Vec<String>,
    /// The columns of both results.
    pub columns: Vec<String>,
    /// The result of the relational database.
    pub expected: Vec<Vec<String>>,
    /// The result of the designed tables.
    pub got: Vec<Vec<String>>,
    /// The error of the server, where it rejected a statement.
    pub refused: Option<String>,
}
