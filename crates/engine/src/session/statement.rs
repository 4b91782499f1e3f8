//! [`RunningStatement`]: a statement before its execution, and its origin.

use cql::Statement;
use schema::access::AccessPlan;
use schema::bind::BoundStatement;

/// How a statement was sent; the texts of errors depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StatementOrigin {
    /// By its text.
    Query,
    /// As a prepared statement.
    Prepared,
}

/// A statement before its execution.
#[derive(Clone, Copy)]
pub(crate) struct RunningStatement<'a> {
    /// The parsed statement; `None` for a batch of the native protocol.
    pub(crate) statement: Option<&'a Statement>,
    pub(crate) bound: &'a BoundStatement,
    /// Its access plan, which holds for any values.
    pub(crate) plan: &'a AccessPlan,
    pub(crate) text: &'a str,
    pub(crate) origin: StatementOrigin,
    /// When its text was parsed and bound, if it is traced.
    pub(crate) times: Option<StatementTimes>,
}

/// When a statement was parsed and bound, in microseconds since 1970.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StatementTimes {
    pub(crate) parsed_at: i64,
    pub(crate) bound_at: i64,
}

impl<'a> RunningStatement<'a> {
    /// A statement that was sent by its text.
    pub(crate) fn query(
        statement: &'a Statement,
        bound: &'a BoundStatement,
        plan: &'a AccessPlan,
        text: &'a str,
        times: Option<StatementTimes>,
    ) -> Self {
        let origin = StatementOrigin::Query;
        Self { statement: Some(statement), bound, plan, text, origin, times }
    }
}
