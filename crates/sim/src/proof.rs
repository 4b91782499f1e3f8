//! What a proof found.

use model::id::{ReadId, TableId};

/// What a proof found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Proof {
    /// Reads run on both sides.
    pub reads: usize,
    /// Reads that the design refuses: they have no plan to be proven.
    pub refused: usize,
    /// Kinds of writes run.
    pub writes: usize,
    /// Times that reads were run with values.
    pub bindings: usize,
    /// Times that writes were run with values.
    pub written: usize,
    /// Rows of the relational side.
    pub rows: u64,
    /// What was exercised.
    pub coverage: Coverage,
    /// Predicted against measured, by table of the design.
    pub tables: Vec<TableMeasure>,
    /// Predicted against measured, by read of the workload.
    pub measured: Vec<ReadMeasure>,
    /// The first answer that did not agree, made as small as could be.
    pub disagreement: Option<Disagreement>,
}

/// What a proof exercised, each a count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Coverage {
    /// Reads that returned nothing.
    pub empty: usize,
    /// Reads with a key that is not there.
    pub absent_keys: usize,
    /// Reads of the most popular keys.
    pub hot_keys: usize,
    /// Ranges that begin or end at a value that is there.
    pub range_edges: usize,
    /// Answers with ties of the ORDER BY, and those in which LIMIT cut one.
    pub ties: usize,
    /// Ties cut by LIMIT.
    pub ties_cut: usize,
    /// Walks that went on to a second bucket, and reads that merged streams.
    pub borders_crossed: usize,
    /// Reads that merged the streams of shards or values.
    pub merges: usize,
    /// Lookups for each row.
    pub lookups: usize,
    /// Writes that changed a key column of a table.
    pub key_changes: usize,
    /// Rows with nulls written.
    pub nulls: usize,
    /// The fewest buckets, and shards, that any bucketed (sharded) table has rows in.
    pub buckets_least: Option<usize>,
    /// The fewest shards.
    pub shards_least: Option<usize>,
}

/// A table, as it was said to be and as it is.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TableMeasure {
    /// The table's position in the design.
    pub table: TableId,
    /// Rows of a partition, said (for the data at hand) and found.
    pub rows: FigureMeasure,
    /// Bytes of a partition, likewise.
    pub bytes: FigureMeasure,
}

/// A read, as it was said to be and as it is.
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
    /// Said to be, on average.
    pub predicted: f64,
    /// Found, on average.
    pub mean: f64,
    /// Found, at most.
    pub max: f64,
}

/// Two answers that do not agree.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Disagreement {
    /// The read that was asked, or the write after which the copies differ: its name.
    pub name: String,
    /// The designed table that does not hold what it must, where it is not the answer of a read
    /// that differs.
    pub table: Option<String>,
    /// What was done before, as SQL: the smallest data set found.
    pub facts: Vec<String>,
    /// The SQL, with its values.
    pub sql: String,
    /// The CQL, with its values, in the order sent.
    pub cql: Vec<String>,
    /// The columns of both answers.
    pub columns: Vec<String>,
    /// What the relational database answers.
    pub expected: Vec<Vec<String>>,
    /// What the designed tables answer.
    pub got: Vec<Vec<String>>,
    /// A refusal of the server, where it was one.
    pub refused: Option<String>,
}
