//! The result of a proof, and the counterexample of a refuted one.

use model::id::{ReadId, TableId};
use model::plan::Bucket;

use crate::record::{NotRunReason, StatementRecord};
use crate::transcript::ProofTranscript;

/// The result of a proof. It has no default: [`Proof::outcome`] is computed from what was run.
#[derive(Clone, Debug, PartialEq)]
pub struct Proof {
    /// The reads of the workload, in its order.
    pub reads: Vec<StatementRecord>,
    /// The writes of the workload, in its order.
    pub writes: Vec<StatementRecord>,
    /// Times that reads were run with values.
    pub bindings: usize,
    /// Times that writes were run with values.
    pub written: usize,
    /// Rows of the relational database.
    pub rows: u64,
    /// What was exercised.
    pub coverage: Coverage,
    /// What was scaled down.
    pub scaled: Vec<ScaledFigure>,
    /// Predicted against measured, by table of the design.
    pub tables: Vec<TableMeasure>,
    /// Predicted against measured, by read of the workload.
    pub measured: Vec<ReadMeasure>,
    /// The first disagreement, reduced to a minimal counterexample.
    pub disagreement: Option<Disagreement>,
    /// A disagreement that did not come back when it was run again.
    pub fault: Option<UnrepeatedDisagreement>,
    /// What was done in the relational database, where the settings ask for it.
    pub transcript: Option<ProofTranscript>,
}

/// What a proof says.
#[derive(Clone, Debug, PartialEq)]
pub enum ProofOutcome<'p> {
    /// Every read and every write was run, and all results agreed.
    Passed,
    /// These were not run; all others agreed.
    Incomplete(Vec<(&'p str, &'p NotRunReason)>),
    /// The designed tables answer differently.
    Failed(&'p Disagreement),
    /// The proof itself is at fault.
    Faulty(&'p UnrepeatedDisagreement),
}

impl Proof {
    /// A proof in which nothing was run yet; the records are filled in when it ends.
    pub(crate) fn begin(rows: u64) -> Self {
        Self {
            reads: Vec::new(),
            writes: Vec::new(),
            bindings: 0,
            written: 0,
            rows,
            coverage: Coverage::default(),
            scaled: Vec::new(),
            tables: Vec::new(),
            measured: Vec::new(),
            disagreement: None,
            fault: None,
            transcript: None,
        }
    }

    /// What the proof says. A statement without a record of its run makes it incomplete.
    pub fn outcome(&self) -> ProofOutcome<'_> {
        if let Some(disagreement) = &self.disagreement {
            return ProofOutcome::Failed(disagreement);
        }
        if let Some(fault) = &self.fault {
            return ProofOutcome::Faulty(fault);
        }
        let records = self.reads.iter().chain(&self.writes);
        let open: Vec<_> =
            records.filter_map(|record| Some((record.name.as_str(), record.not_run()?))).collect();
        if open.is_empty() { ProofOutcome::Passed } else { ProofOutcome::Incomplete(open) }
    }

    /// Whether every read and every write was run and all results agreed.
    pub fn is_passed(&self) -> bool {
        self.outcome() == ProofOutcome::Passed
    }
}

/// A figure of the design that the proof replaced by a smaller one, so that it ends soon.
#[derive(Clone, Debug, PartialEq)]
pub enum ScaledFigure {
    /// The shards of a partition key.
    Shards {
        /// Their number in the design.
        from: u32,
        /// Their number in the proof.
        to: u32,
    },
    /// A retention that walks over buckets end at.
    Retention {
        /// Its seconds in the model.
        from: f64,
        /// Its seconds in the proof.
        to: f64,
    },
    /// The width of a bucket.
    Bucket {
        /// Its width in the design.
        from: Bucket,
        /// Its width in the proof.
        to: Bucket,
    },
}

/// A disagreement that did not come back: a fault of Helenus, not of the design.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnrepeatedDisagreement {
    /// The read whose results differed; `None` for the contents of the tables.
    pub read: Option<String>,
    /// The seed of the proof.
    pub seed: u64,
    /// The writes before it.
    pub writes: usize,
    /// What the server or the generated code reported, where it was an error.
    pub error: Option<String>,
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
    /// What the steps of the reads exercised; `None` where the runner does not count it.
    pub steps: Option<StepCoverage>,
    /// Writes that changed a key column of a table.
    pub key_changes: usize,
    /// Writes with nulls.
    pub nulls: usize,
    /// Writes with a value at the border of its type: an empty text, 0, the least or greatest.
    pub boundary_values: usize,
    /// Inserts of a key that exists.
    pub upserts: usize,
    /// Writes of a key that was written before.
    pub repeated_keys: usize,
    /// Inserts of a key that was deleted before.
    pub reinserted_keys: usize,
    /// Writes that changed rows of other tables of the model: cascades.
    pub cascades: usize,
    /// Writes whose key did not exist.
    pub absent_writes: usize,
    /// Writes with values that violate a constraint.
    pub violations: usize,
    /// The fewest buckets with rows of any bucketed table.
    pub buckets_least: Option<usize>,
    /// The fewest shards with rows of any sharded table.
    pub shards_least: Option<usize>,
}

/// Counts of what the steps of reads exercised.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StepCoverage {
    /// Walks that continued to a second bucket.
    pub borders_crossed: usize,
    /// Reads that merged the streams of shards or values.
    pub merges: usize,
    /// Lookups for each row.
    pub lookups: usize,
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
