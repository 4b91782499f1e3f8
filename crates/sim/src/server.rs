//! Where designed tables live: the embedded engine, or a cluster.

use cql::BatchKind;
use cql::types::Type;

/// Where designed tables live.
pub trait Server {
    /// Runs a statement (prepared, if it has values), all pages of its answer.
    fn run(&mut self, statement: &ServerStatement) -> Result<Answer, Failure>;

    /// Runs a batch.
    fn run_batch(&mut self, kind: BatchKind, statements: &[ServerStatement])
    -> Result<(), Failure>;

    /// Runs statements that do not depend on one another, in any order; the answers are in theirs.
    fn run_all(&mut self, statements: &[ServerStatement]) -> Result<Vec<Answer>, Failure> {
        statements.iter().map(|statement| self.run(statement)).collect()
    }

    /// Takes away all that was created and written: `schema` are the statements that created it, in
    /// their order. The next statements find an empty keyspace.
    fn clear(&mut self, schema: &[String]) -> Result<(), Failure>;
}

/// A statement with the values of its `?`, in CQL's bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServerStatement {
    /// The statement.
    pub cql: String,
    /// The values.
    pub values: Vec<Option<Vec<u8>>>,
}

/// What a statement returned.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answer {
    /// The columns: their names and types.
    pub columns: Vec<(String, Type)>,
    /// The rows; a value for each column.
    pub rows: Vec<Vec<Option<Vec<u8>>>>,
}

/// Why a statement did not run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The server refused it: its words.
    Refused(String),
    /// The server cannot be reached, or is gone.
    Gone(String),
}
