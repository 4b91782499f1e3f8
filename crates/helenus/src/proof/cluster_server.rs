//! A cluster as the server under test of a proof or a calibration.

use cluster::{Error, ErrorKind, Request, ResultSet, ScratchKeyspace};
use cql::BatchKind;
use sim::{Answer, Failure, Server, ServerStatement};

use shell::InterruptFlag;

/// The name of the keyspace after the server was cleared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum KeyspaceName {
    /// Another one: no node may confuse the tables with those before.
    Fresh,
    /// The same, because other connections use the keyspace.
    Constant,
}

/// A temporary keyspace on a cluster; statements fail after an interrupt.
pub(super) struct ClusterServer<'a> {
    scratch: &'a mut ScratchKeyspace,
    name: KeyspaceName,
    interrupt: InterruptFlag,
}

impl<'a> ClusterServer<'a> {
    pub(super) fn new(
        scratch: &'a mut ScratchKeyspace,
        name: KeyspaceName,
        interrupt: InterruptFlag,
    ) -> Self {
        Self { scratch, name, interrupt }
    }

    /// Fails after an interrupt; called before every statement.
    fn check_interrupt(&self) -> Result<(), Failure> {
        if self.interrupt.is_raised() {
            return Err(Failure::Gone("interrupted".to_owned()));
        }
        Ok(())
    }
}

impl Server for ClusterServer<'_> {
    fn run(&mut self, statement: &ServerStatement) -> Result<Answer, Failure> {
        self.check_interrupt()?;
        let connection = self.scratch.connection().map_err(failure)?;
        connection.run(&statement.cql, &statement.values).map(answer).map_err(failure)
    }

    fn run_batch(
        &mut self,
        kind: BatchKind,
        statements: &[ServerStatement],
    ) -> Result<(), Failure> {
        self.check_interrupt()?;
        let requests: Vec<_> = statements.iter().map(request).collect();
        self.scratch
            .connection()
            .and_then(|connection| connection.run_batch(kind, &requests))
            .map_err(failure)
    }

    fn run_all(&mut self, statements: &[ServerStatement]) -> Result<Vec<Answer>, Failure> {
        self.check_interrupt()?;
        let requests: Vec<_> = statements.iter().map(request).collect();
        let rows = self.scratch.connection().and_then(|connection| connection.run_all(&requests));
        rows.map(|all| all.into_iter().map(answer).collect()).map_err(failure)
    }

    fn clear(&mut self, _: &[String]) -> Result<(), Failure> {
        self.check_interrupt()?;
        match self.name {
            KeyspaceName::Fresh => self.scratch.replace(),
            KeyspaceName::Constant => self.scratch.recreate(),
        }
        .map_err(failure)
    }
}

fn request(statement: &ServerStatement) -> Request<'_> {
    Request { cql: &statement.cql, values: &statement.values }
}

fn answer(rows: ResultSet) -> Answer {
    Answer { columns: rows.columns, rows: rows.rows }
}

fn failure(error: Error) -> Failure {
    match error.kind {
        ErrorKind::Server => Failure::Refused(error.message),
        _ => Failure::Gone(error.message),
    }
}
