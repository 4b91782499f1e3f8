//! A statement about to run, and how it came.

use cql::Statement;
use schema::access::AccessPlan;
use schema::bind::BoundStatement;

/// How a statement came to the server, which words its refusals by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StatementOrigin {
    /// With its text.
    Query,
    /// Prepared before.
    Prepared,
}

/// A statement about to run.
#[derive(Clone, Copy)]
pub(crate) struct RunningStatement<'a> {
    /// As it was written; none for a batch that came in parts.
    pub(crate) statement: Option<&'a Statement>,
    pub(crate) bound: &'a BoundStatement,
    /// How it runs, whatever its values are.
    pub(crate) plan: &'a AccessPlan,
    pub(crate) text: &'a str,
    pub(crate) origin: StatementOrigin,
}
