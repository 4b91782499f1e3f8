//! [`ShellConnection`]: where statements run, an engine in the same process or a cluster.

use engine::{ExecutionResult, Parameters, PreparedStatement, Result, ResultColumn, Session};

/// A connection on which the statements of a shell run.
pub trait ShellConnection {
    /// The keyspace in use.
    fn keyspace(&self) -> Option<&str>;

    /// Runs a statement and returns one page of its result.
    fn query(&mut self, text: &str, parameters: &Parameters<'_>) -> Result<ExecutionResult>;

    /// Prepares a statement.
    fn prepare(&mut self, text: &str) -> Result<CopyStatement>;

    /// Runs a prepared statement and returns one page of its result.
    fn execute(
        &mut self,
        statement: &CopyStatement,
        parameters: &Parameters<'_>,
    ) -> Result<ExecutionResult>;

    /// Another connection to the same place, for completion.
    fn duplicate(&self) -> Box<dyn ShellConnection>;
}

/// A statement that COPY prepares.
#[derive(Clone, Debug)]
pub struct CopyStatement {
    /// Its text.
    pub text: Box<str>,
    /// Its markers, as columns.
    pub markers: Vec<ResultColumn>,
    /// The statement of an engine in the same process.
    pub embedded: Option<Box<PreparedStatement>>,
}

impl ShellConnection for Session {
    fn keyspace(&self) -> Option<&str> {
        Self::keyspace(self)
    }

    fn query(&mut self, text: &str, parameters: &Parameters<'_>) -> Result<ExecutionResult> {
        Self::query(self, text, parameters)
    }

    fn prepare(&mut self, text: &str) -> Result<CopyStatement> {
        let prepared = Self::prepare(self, text)?;
        let markers = prepared.markers.clone();
        Ok(CopyStatement { text: text.into(), markers, embedded: Some(prepared.into()) })
    }

    fn execute(
        &mut self,
        statement: &CopyStatement,
        parameters: &Parameters<'_>,
    ) -> Result<ExecutionResult> {
        match &statement.embedded {
            Some(prepared) => Self::execute(self, prepared, parameters),
            None => Self::query(self, &statement.text, parameters),
        }
    }

    fn duplicate(&self) -> Box<dyn ShellConnection> {
        Box::new(self.clone())
    }
}
