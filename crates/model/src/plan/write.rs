//! The plan of a write.

use cql::BatchKind;

use super::{ClientCheck, Effort, Loop, Modification, Operand, PlanRemark, Precondition, ReadStep};
use crate::id::{TableId, WriteId};
use crate::workload::Comparison;

/// The plan of a write: its steps, in order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WritePlan {
    /// The steps.
    pub steps: Vec<WriteStep>,
    /// Rows written per write, over all tables.
    pub amplification: f64,
    /// Tombstones made per write.
    pub tombstones: f64,
    /// The effort of running it once, with the reads that it needs.
    pub effort: Effort,
    /// Whether it may be retried.
    pub idempotent: bool,
    /// What the client checks first: it sends nothing where one of them does not hold.
    pub checks: Vec<ClientCheck>,
    /// What must hold before it, such as that the key exists.
    pub preconditions: Vec<Precondition>,
    /// The rows that it returns. A write that consists of derived writes has none of its own and
    /// returns those of the derived writes that it runs.
    pub returned: Option<ReturnedRows>,
    /// Remarks about the plan.
    pub remarks: Vec<PlanRemark>,
}

/// The rows that a write returns, after its last step: one at each turn of the loops at which the
/// guards hold. Where a conditional statement is not applied, there is none.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReturnedRows {
    /// The outputs of its RETURNING, in their order.
    pub values: Vec<Operand>,
    /// What the rows are repeated over, outermost first.
    pub loops: Vec<Loop>,
    /// A row is returned (at this turn of the loops) only if all of these hold.
    pub guards: Vec<Guard>,
}

/// One step of a write.
#[derive(Clone, Debug, PartialEq)]
pub enum WriteStep {
    /// A read needed first, and why. It is not sent where one of its operands is null: no row would
    /// have such a key.
    Read(ReadStep, String),
    /// Statements sent together.
    Batch {
        /// Logged, unlogged or counter.
        kind: BatchKind,
        /// The statements.
        statements: Vec<PlannedStatement>,
        /// Why they are sent together, and in this kind of batch.
        reason: String,
    },
    /// A statement alone.
    Statement(PlannedStatement),
    /// The plan of a derived write.
    Run(PlannedRun),
}

/// A derived write that a plan runs. A write that runs itself (rows that refer to rows of their own
/// table) is not run again with values with which it is running already: such rows are being
/// written.
#[derive(Clone, Debug, PartialEq)]
pub struct PlannedRun {
    /// The write.
    pub write: WriteId,
    /// The values of its parameters.
    pub arguments: Vec<Operand>,
    /// What it is repeated over, outermost first.
    pub loops: Vec<Loop>,
    /// It is run (at this turn of its loops) only if all of these hold.
    pub guards: Vec<Guard>,
    /// How often it is run, each time the write runs.
    pub times: f64,
}

/// A statement that changes one table. A DELETE without a condition is not sent where a value of
/// its key is null (that of a row that was not there, or that was not in the table): no row has
/// such a key.
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
    /// For a conditional statement (IF ...), what it means if it is not applied.
    pub condition: Option<String>,
    /// Rows it writes, each time the write runs.
    pub rows: f64,
    /// Tombstones it makes, each time the write runs.
    pub tombstones: f64,
    /// The reason for it.
    pub reason: String,
}

/// A condition under which a statement is sent, checked by the client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Guard {
    /// The value is not null.
    NotNull(Operand),
    /// The value is null.
    Null(Operand),
    /// The comparison holds (it does not for null).
    Compares(Operand, Comparison, Operand),
    /// The comparison does not hold: the negation of the above, true for null.
    Fails(Operand, Comparison, Operand),
    /// The values differ (null equals null and differs from all else).
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
    /// All operands that it tests.
    pub fn operands(&self) -> Vec<&Operand> {
        match self {
            Self::NotNull(operand) | Self::Null(operand) => vec![operand],
            Self::Compares(left, _, right)
            | Self::Fails(left, _, right)
            | Self::Differ(left, right)
            | Self::Has(left, right)
            | Self::Lacks(left, right) => vec![left, right],
            Self::Any(guards) | Self::All(guards) => {
                guards.iter().flat_map(Self::operands).collect()
            }
        }
    }

    /// All operands that it tests, mutably.
    pub fn operands_mut(&mut self) -> Vec<&mut Operand> {
        match self {
            Self::NotNull(operand) | Self::Null(operand) => vec![operand],
            Self::Compares(left, _, right)
            | Self::Fails(left, _, right)
            | Self::Differ(left, right)
            | Self::Has(left, right)
            | Self::Lacks(left, right) => vec![left, right],
            Self::Any(guards) | Self::All(guards) => {
                guards.iter_mut().flat_map(Self::operands_mut).collect()
            }
        }
    }
}
