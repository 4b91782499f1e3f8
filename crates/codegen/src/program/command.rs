//! Functions that write.

use serde::{Deserialize, Serialize};

use super::{
    BatchType, Cardinality, Condition, DataType, Documentation, Expression, ExpressionKind, Fetch,
    Record, Repetition, Statement,
};

/// A parameter of a function.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Parameter {
    /// Its name, as the file has it, unique among the parameters.
    pub name: String,
    /// Its type.
    pub ty: DataType,
    /// Whether null may be given.
    pub nullable: bool,
    /// How the function makes the value itself; `None`: the caller gives it. Such parameters come
    /// last. (A second form of the function takes them from the caller.)
    pub supply: Option<ClientSupply>,
}

/// A value that a function makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ClientSupply {
    /// The current time, plus months, days and milliseconds: as `timestamp`, `date` (of UTC),
    /// `time` (of UTC) or `timeuuid`, by the type of the parameter. The same in all parameters of
    /// one call.
    Now {
        /// Months (of the calendar) later.
        months: i32,
        /// Days later.
        days: i32,
        /// Milliseconds later.
        millis: i64,
    },
    /// A new random id (`timeuuid`: a new time-based one).
    NewId,
    /// The next number of a sequence, which only the caller can give.
    Caller,
}

/// A function that writes.
///
/// 1. The checks. Where one is not met, nothing is sent: the outcome is a violation.
/// 2. The steps, in order. Where a conditional statement is not applied, what was done is undone by
///    the inverses of the statements sent, the last one first, and the outcome is that of
///    [`Send::refusal`]; where a statement sent before has no inverse, it is *interrupted*.
/// 3. The returned rows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Command {
    /// Its name, as the file has it. That of a derived one is unique too.
    pub name: String,
    /// What its comment says.
    pub documentation: Documentation,
    /// Its parameters.
    pub parameters: Vec<Parameter>,
    /// It is run by other commands only.
    pub derived: bool,
    /// What the client checks first.
    pub checks: Vec<Check>,
    /// What it does.
    pub steps: Vec<CommandStep>,
    /// The rows that it returns itself; the rows of the derived ones that it runs come before.
    pub returned: Option<ReturnedRows>,
    /// What callers get.
    pub result: ApplicationResult,
    /// Whether the whole may be repeated.
    pub idempotent: bool,
}

/// What callers of a command get.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ApplicationResult {
    /// Nothing.
    Nothing,
    /// Whether it was applied.
    Applied,
    /// The rows of this record: all, or the first.
    Rows(Record, Cardinality),
}

/// A check of the client.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Check {
    /// The constraint, as SQL declares it.
    pub sql: String,
    /// What must hold.
    pub condition: Condition,
}

impl Check {
    /// The parameter that must not be null, if nothing else is checked.
    pub(crate) fn find_required(&self) -> Option<&Expression> {
        let Condition::IsMet(truth) = &self.condition else { return None };
        let ExpressionKind::Not(opposite) = &truth.kind else { return None };
        let ExpressionKind::IsNull(value) = &opposite.kind else { return None };
        matches!(value.kind, ExpressionKind::Parameter(_)).then_some(value)
    }
}

/// A step of a command.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CommandStep {
    /// Reads, and keeps the rows.
    Read(Fetch),
    /// Sends all statements, at all turns at which they are sent, in batches of at most 100. A
    /// batch of one statement is sent as a statement.
    Batch {
        /// The kind of the batch.
        kind: BatchType,
        /// The statements.
        sends: Vec<Send>,
        /// Why they are sent together, and in this kind of batch.
        reason: String,
    },
    /// Sends a statement at each turn, one after the other.
    Send(Send),
    /// Runs another command at each turn.
    Run(Run),
}

/// A statement that writes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Send {
    /// The statement.
    pub statement: Statement,
    /// What it is repeated over, outermost first.
    pub repetitions: Vec<Repetition>,
    /// It is sent (at this turn) only if all of these hold.
    pub guards: Vec<Condition>,
    /// The values of its markers.
    pub values: Vec<SendBinding>,
    /// It is not sent where one of its values is null: no row has such a key.
    pub needs_all_values: bool,
    /// The outcome where it is conditional and not applied.
    pub refusal: Option<Refusal>,
    /// What it means if it is not applied.
    pub condition: Option<String>,
    /// The statement that undoes it, at the same turn.
    pub inverse: Option<Box<Send>>,
    /// The reason for it.
    pub reason: String,
    /// Whether its IF compares with what an earlier step read: where it is not applied, another
    /// client changed the row, and the whole command may be tried again.
    pub depends_on_read: bool,
}

/// A value of a statement that writes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SendBinding {
    /// The value.
    pub value: Expression,
    /// A null is left unset: it writes nothing, not even a tombstone.
    pub null_is_unset: bool,
}

/// The outcome of a statement that is not applied.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Refusal {
    /// A condition of the write does not hold.
    Refused,
    /// A key is taken: SQL refuses the statement.
    Violation,
}

/// Another command that a command runs. With values with which it is running already (outermost
/// calls included), it is not run again and counts as applied.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Run {
    /// The position of the command.
    pub command: usize,
    /// The values of its parameters.
    pub arguments: Vec<Expression>,
    /// What it is repeated over, outermost first.
    pub repetitions: Vec<Repetition>,
    /// It is run (at this turn) only if all of these hold.
    pub guards: Vec<Condition>,
    /// A violation in it ends the whole command as a violation (after undoing); else a violation
    /// or refusal in it counts as refused, and the command goes on. The command is refused if
    /// some run was refused and nothing was done.
    pub violation_ends: bool,
}

/// The rows that a command returns: one at each turn at which the guards hold.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ReturnedRows {
    /// The values of the fields of the result's record.
    pub values: Vec<Expression>,
    /// What they are repeated over, outermost first.
    pub repetitions: Vec<Repetition>,
    /// A row is returned only if all of these hold.
    pub guards: Vec<Condition>,
}
