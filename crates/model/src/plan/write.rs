//! How a write runs.

use cql::BatchKind;

use super::{Effort, Loop, Modification, Operand, PlanRemark, Precondition, ReadStep};
use crate::id::TableId;
use crate::workload::Comparison;

/// How a write runs: its steps, in order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WritePlan {
    /// The steps.
    pub steps: Vec<WriteStep>,
    /// Rows written per write, over all tables.
    pub amplification: f64,
    /// Tombstones made per write.
    pub tombstones: f64,
    /// What running it once takes, with the reads that it needs.
    pub effort: Effort,
    /// Whether it may be repeated without harm.
    pub idempotent: bool,
    /// What must hold before, such as that the key exists.
    pub preconditions: Vec<Precondition>,
    /// What a reader of the plan should know.
    pub remarks: Vec<PlanRemark>,
}

/// One step of a write.
#[derive(Clone, Debug, PartialEq)]
pub enum WriteStep {
    /// A read needed first, and why. It is not sent where one of its operands is null: no row would have such a key.
    Read(ReadStep, String),
    /// Statements sent together.
    Batch {
        /// How.
        kind: BatchKind,
        /// The statements.
        statements: Vec<PlannedStatement>,
        /// Why together, and why so.
        reason: String,
    },
    /// A statement alone.
    Statement(PlannedStatement),
}

/// A statement that changes one table. A DELETE without a condition is not sent where a value of its key is null (that of a
/// row that was not there, or that was not in the table): no row has such a key.
#[derive(Clone, Debug, PartialEq)]
pub struct PlannedStatement {
    /// The table.
    pub table: TableId,
    /// The statement.
    pub modification: Modification,
    /// What it is repeated over, outermost first.
    pub loops: Vec<Loop>,
    /// It is sent (at this turn of its loops) only if all of these hold.
    pub guards: Vec<Guard>,
    /// It is conditional (IF ...), and what a refusal means.
    pub condition: Option<String>,
    /// Rows it writes, and tombstones it makes, each time the write runs.
    pub rows: f64,
    /// Tombstones.
    pub tombstones: f64,
    /// Why it is there.
    pub reason: String,
}

/// When a statement is sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Guard {
    /// The value is not null.
    NotNull(Operand),
    /// The value is null.
    Null(Operand),
    /// The values compare so (null compares with nothing).
    Compares(Operand, Comparison, Operand),
    /// The values do not compare so: the negation of the above, true for null.
    Fails(Operand, Comparison, Operand),
    /// The values differ (null is like null and differs from all else).
    Differ(Operand, Operand),
    /// The array holds the element.
    Has(Operand, Operand),
    /// The array does not hold the element, or is null.
    Lacks(Operand, Operand),
    /// At least one of them holds.
    Any(Vec<Self>),
    /// All of them hold.
    All(Vec<Self>),
}

impl Guard {
    /// All operands that it looks at.
    pub fn operands(&self) -> Vec<&Operand> {
        match self {
            Self::NotNull(of) | Self::Null(of) => vec![of],
            Self::Compares(one, _, other)
            | Self::Fails(one, _, other)
            | Self::Differ(one, other)
            | Self::Has(one, other)
            | Self::Lacks(one, other) => vec![one, other],
            Self::Any(guards) | Self::All(guards) => {
                guards.iter().flat_map(Self::operands).collect()
            }
        }
    }

    /// The same, to be changed.
    pub fn operands_mut(&mut self) -> Vec<&mut Operand> {
        match self {
            Self::NotNull(of) | Self::Null(of) => vec![of],
            Self::Compares(one, _, other)
            | Self::Fails(one, _, other)
            | Self::Differ(one, other)
            | Self::Has(one, other)
            | Self::Lacks(one, other) => vec![one, other],
            Self::Any(guards) | Self::All(guards) => {
                guards.iter_mut().flat_map(Self::operands_mut).collect()
            }
        }
    }
}
