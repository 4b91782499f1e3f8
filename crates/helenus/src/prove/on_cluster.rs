//! A cluster as the server of a proof.

use cluster::{Error, Kind, Request, Rows, Scratch};
use cql::BatchKind;
use sim::{Answer, Failure, Server, Statement};

use shell::InterruptFlag;

/// A keyspace of a cluster, until Ctrl-C.
pub(super) struct OnCluster<'a> {
    scratch: &'a mut Scratch,
    interrupt: InterruptFlag,
}

impl<'a> OnCluster<'a> {
    pub(super) fn new(scratch: &'a mut Scratch, interrupt: InterruptFlag) -> Self {
        Self { scratch, interrupt }
    }

    /// Every statement asks whether to go on.
    fn go_on(&self) -> Result<(), Failure> {
        if self.interrupt.is_raised() {
            return Err(Failure::Gone("interrupted".to_owned()));
        }
        Ok(())
    }
}

impl Server for OnCluster<'_> {
    fn run(&mut self, statement: &Statement) -> Result<Answer, Failure> {
        self.go_on()?;
        let connection = self.scratch.connection().map_err(failure)?;
        connection.run(&statement.cql, &statement.values).map(answer).map_err(failure)
    }

    fn batch(&mut self, kind: BatchKind, statements: &[Statement]) -> Result<(), Failure> {
        self.go_on()?;
        let requests: Vec<_> = statements.iter().map(request).collect();
        self.scratch.connection().and_then(|it| it.batch(kind, &requests)).map_err(failure)
    }

    fn run_all(&mut self, statements: &[Statement]) -> Result<Vec<Answer>, Failure> {
        self.go_on()?;
        let requests: Vec<_> = statements.iter().map(request).collect();
        let rows = self.scratch.connection().and_then(|it| it.run_all(&requests));
        rows.map(|all| all.into_iter().map(answer).collect()).map_err(failure)
    }

    fn clear(&mut self, _: &[String]) -> Result<(), Failure> {
        self.go_on()?;
        self.scratch.renew().map_err(failure)
    }
}

fn request(statement: &Statement) -> Request<'_> {
    Request { cql: &statement.cql, values: &statement.values }
}

fn answer(rows: Rows) -> Answer {
    Answer { columns: rows.columns, rows: rows.rows }
}

fn failure(error: Error) -> Failure {
    match error.kind {
        Kind::Server => Failure::Refused(error.message),
        _ => Failure::Gone(error.message),
    }
}
