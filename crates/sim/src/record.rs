//! What a proof ran: a record for each query and write of the workload.
//!
//! A record says that its statement was run, or why it was not; there is no third state and no
//! default, so that a statement that nobody looked at cannot count as proven.

use std::fmt;
use std::time::Duration;

/// What became of a query or write in a proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StatementRecord {
    /// Its name.
    pub name: String,
    /// Whether it was run.
    pub run: StatementRun,
    /// The constraints that it may violate and that no values were found to violate: that the
    /// design refuses such a write was not tried.
    pub untried: Vec<String>,
}

/// Whether a statement was run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StatementRun {
    /// It was run on both databases as often as a proof requires.
    Run(RunCounts),
    /// It was not.
    NotRun(NotRunReason),
}

/// How often a statement was run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RunCounts {
    /// Times that it was run with values.
    pub bindings: usize,
    /// Times that a write changed rows of the relational database.
    pub changes: usize,
    /// Times that its key did not exist.
    pub absent: usize,
    /// Times that its values violated a constraint.
    pub violations: usize,
}

/// Why a statement was not run, or not often enough.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotRunReason {
    /// The design refuses it, so that there is no plan to run.
    Refused,
    /// The time was over.
    TimeLimit {
        /// The time that the proof had.
        limit: Duration,
        /// Times that it was run until then.
        runs: usize,
        /// Times that it had to be run.
        required: usize,
    },
    /// One run would have sent too many statements.
    WorkLimit {
        /// The most that a run may send.
        statements: u64,
    },
    /// A statement before it ended the proof.
    Ended,
    /// No values were found with which it can be run.
    NoValues(DrawObstacle),
    /// It was run, but too few of the runs changed a row.
    Unchanged {
        /// Times that it was run.
        runs: usize,
        /// Times that it changed a row.
        changes: usize,
    },
    /// It was never run with a key that does not exist.
    NoAbsentKey,
}

/// Why no values were found for a write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DrawObstacle {
    /// There is no row to change.
    NoRow {
        /// The table of the model.
        entity: String,
    },
    /// A row cannot be made: the values of its key are exhausted, or there is no row to refer to.
    NoNewRow {
        /// The table of the model.
        entity: String,
    },
    /// Every key that was tried exists already.
    KeyTaken {
        /// The table of the model.
        entity: String,
    },
    /// A row that it would refer to does not exist.
    NoReferencedRow {
        /// The table of the model.
        entity: String,
    },
    /// Other rows refer to every row that was tried.
    Referenced {
        /// The table of the model.
        entity: String,
    },
    /// It leaves or sets a column null that the design assumes never to be null.
    NeverNull {
        /// The table of the model.
        entity: String,
        /// The column.
        attribute: String,
    },
    /// Every row that was tried refers to itself, which the plan presumes not to occur.
    SelfReference {
        /// The table of the model.
        entity: String,
    },
    /// Every row that was tried violates a constraint.
    Constraint {
        /// The table of the model.
        entity: String,
    },
    /// Several rows would get the same key.
    SeveralRows {
        /// The table of the model.
        entity: String,
    },
    /// No values meet its conditions.
    Conditions,
}

impl StatementRecord {
    /// Why it was not run; `None` if it was.
    pub fn not_run(&self) -> Option<&NotRunReason> {
        match &self.run {
            StatementRun::Run(_) => None,
            StatementRun::NotRun(reason) => Some(reason),
        }
    }

    /// How often it was run, if it was.
    pub fn counts(&self) -> Option<RunCounts> {
        match self.run {
            StatementRun::Run(counts) => Some(counts),
            StatementRun::NotRun(_) => None,
        }
    }
}

impl fmt::Display for NotRunReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused => f.write_str("the design refuses it"),
            Self::TimeLimit { limit, runs, required } => {
                write!(f, "run {runs} of {required} times within {} s", limit.as_secs_f64())
            }
            Self::WorkLimit { statements } => {
                write!(f, "one run sends more than {statements} statements")
            }
            Self::Ended => f.write_str("the proof ended before"),
            Self::NoValues(obstacle) => obstacle.fmt(f),
            Self::Unchanged { runs, changes: 0 } => {
                write!(f, "none of its {runs} runs changed a row")
            }
            Self::Unchanged { runs, changes } => {
                write!(f, "only {changes} of its {runs} runs changed a row")
            }
            Self::NoAbsentKey => f.write_str("no key was found that does not exist"),
        }
    }
}

impl fmt::Display for DrawObstacle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoRow { entity } => write!(f, "there is no row of {entity} to change"),
            Self::NoNewRow { entity } => write!(f, "no new row of {entity} could be generated"),
            Self::KeyTaken { entity } => {
                write!(f, "every key of {entity} that was tried exists already")
            }
            Self::Constraint { entity } => {
                write!(f, "every row of {entity} that was tried violates a constraint")
            }
            Self::SelfReference { entity } => {
                write!(f, "every row of {entity} that was tried refers to itself")
            }
            Self::NoReferencedRow { entity } => {
                write!(f, "there is no row of {entity} to refer to")
            }
            Self::Referenced { entity } => {
                write!(f, "other rows refer to every row of {entity} that was tried")
            }
            Self::NeverNull { entity, attribute } => write!(
                f,
                "it leaves {entity}.{attribute} null, which the design assumes never to be null"
            ),
            Self::SeveralRows { entity } => {
                write!(f, "it would give several rows of {entity} the same key")
            }
            Self::Conditions => f.write_str("no values were found that meet its conditions"),
        }
    }
}
