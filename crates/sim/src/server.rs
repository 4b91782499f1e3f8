//! The server of the designed tables: the embedded engine, or a cluster.

use cql::BatchKind;
use cql::types::Type;

/// The server of the designed tables.
pub trait Server {
    /// Runs a statement (prepared, if it has values), and returns all pages of its result.
    fn run(&mut self, statement: &ServerStatement) -> Result<Answer, Failure>;

    /// Runs a batch.
    fn run_batch(&mut self, kind: BatchKind, statements: &[ServerStatement])
    -> Result<(), Failure>;

    /// Runs independent statements in any order; the results are in the order of the statements.
    fn run_all(&mut self, statements: &[ServerStatement]) -> Result<Vec<Answer>, Failure> {
        statements.iter().map(|statement| self.run(statement)).collect()
    }

    /// Drops everything, so that the keyspace is empty again: `schema` are the statements that
    /// created it, in their order.
    fn clear(&mut self, schema: &[String]) -> Result<(), Failure>;
}

/// A statement to send, with the serialised values of its markers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServerStatement {
    /// The statement.
    pub cql: String,
    /// The values.
    pub values: Vec<Option<Vec<u8>>>,
}

/// The result of a statement.
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
    /// The server rejected it: its error message.
    Refused(String),
    /// The server cannot be reached any more.
    Gone(String),
    /// A read or write would send more statements than a proof allows.
    Exhausted,
    /// The types of the generated code have no such value: it cannot be called with it.
    Unrepresentable(String),
}
