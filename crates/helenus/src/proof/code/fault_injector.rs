//! Faults of the server while generated code writes: a statement times out before or after it took
//! effect, or is unavailable, or the program is killed while it waits for one.

use std::time::Duration;

use engine::{Database, Parameters, Session};
use sim::Failure;

use super::command_facts::CommandFacts;

/// How long a statement takes during which a program is killed.
const KILL_WINDOW: Duration = Duration::from_millis(400);

/// What happens to a write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WriteFault {
    /// A statement times out, and had no effect.
    Timeout,
    /// A statement times out after it took effect.
    AppliedTimeout,
    /// There are too few replicas for a statement.
    Unavailable,
    /// The program is killed while it waits for a statement.
    Kill,
}

const FAULTS: [WriteFault; 4] =
    [WriteFault::Timeout, WriteFault::AppliedTimeout, WriteFault::Unavailable, WriteFault::Kill];

/// Makes statements of a server in this process fail.
pub(super) struct FaultInjector {
    session: Session,
    keyspace: String,
    /// The number of writes so far: each is hit differently.
    turns: usize,
}

impl FaultInjector {
    /// An injector for the tables of a keyspace.
    pub(super) fn new(database: &Database, keyspace: &str) -> Self {
        Self { session: database.session(), keyspace: keyspace.to_owned(), turns: 0 }
    }

    /// Prepares a fault of a statement of the write, in turn of each kind and on each of its tables.
    pub(super) fn prepare(&mut self, write: &CommandFacts) -> Result<WriteFault, Failure> {
        let turn = self.turns;
        self.turns += 1;
        let fault = FAULTS[turn % FAULTS.len()];
        let table = write.tables.iter().nth(turn / FAULTS.len() % write.tables.len().max(1));
        let table = table.map(String::as_str).unwrap_or_default();
        let (kind, applied, delay) = match fault {
            WriteFault::Timeout => ("timeout", false, 0),
            WriteFault::AppliedTimeout => ("timeout", true, 0),
            WriteFault::Unavailable => ("unavailable", false, 0),
            WriteFault::Kill => ("slow", false, KILL_WINDOW.as_millis()),
        };
        let keyspace = &self.keyspace;
        self.run(&format!(
            "INSERT INTO helenus.faults (name, kind, keyspace_name, table_name, statement, count, \
             applied, delay_ms) VALUES ('proof', '{kind}', '{keyspace}', '{table}', 'write', 1, \
             {applied}, {delay})"
        ))?;
        Ok(fault)
    }

    /// Ends the fault; whether it has hit a statement.
    pub(super) fn finish(&mut self) -> Result<(), Failure> {
        self.run("DELETE FROM helenus.faults WHERE name = 'proof'")
    }

    fn run(&mut self, statement: &str) -> Result<(), Failure> {
        let done = self.session.query(statement, &Parameters::default());
        done.map(drop).map_err(|error| Failure::Gone(format!("no fault can be injected: {error}")))
    }
}

impl WriteFault {
    /// How long to wait for the answer to a call before the program is killed.
    pub(super) fn kill_delay(self) -> Option<Duration> {
        (self == Self::Kill).then_some(KILL_WINDOW / 2)
    }

    /// How long the statement may still run that the killed program waited for.
    pub(super) const fn settle_delay() -> Duration {
        KILL_WINDOW
    }
}
