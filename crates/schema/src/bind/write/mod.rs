//! INSERT, UPDATE, DELETE and BATCH, bound to a table.
//!
//! The steps of a write are those of the server:
//!
//! ```text
//! prepare (insert, update, delete, batch) --> validate --> execute (execution)
//! ```
//!
//! PREPARE stops after the second step. The third raises the errors that depend on values; what
//! depends on stored rows is not refused here.
//!
//! - `attributes` is USING, `condition` IF, `operation` SET and the targets of DELETE,
//!   `insert_json` INSERT JSON.
//! - `key`, `index`, `evaluation` and `unusable` are the parts of `execution`.

mod attributes;
mod batch;
mod condition;
mod delete;
mod evaluation;
mod execution;
mod index;
mod insert;
mod insert_json;
mod key;
mod operation;
mod unusable;
mod update;
mod validate;

use std::sync::Arc;

use cql::Span;
use cql::relation::Relation;
use cql::statement::write::{Update, WriteKind};

pub use attributes::BoundAttributes;
pub use batch::BoundBatch;
pub use condition::{BoundCondition, BoundConditions, BoundPredicate, ConditionPart};
pub use evaluation::sort_conditions;
pub use index::composite_size;
pub use operation::{Operation, OperationKind};

pub(super) use batch::bind as bind_batch;
pub(super) use delete::bind as bind_delete;
pub(super) use insert::bind as bind_insert;
pub(super) use insert_json::bind_document;
pub(super) use update::bind as bind_update;

use super::context::Context;
use super::restrictions::{Restrictions, StatementType, WhereClause, analyse};
use super::term::BoundTerm;
use crate::Result;
use crate::catalog::{ColumnKind, Table};

/// An INSERT, UPDATE or DELETE that the server would prepare.
#[derive(Clone, Debug)]
pub struct BoundWrite {
    /// The kind of statement.
    pub statement: StatementType,
    /// The table that is written.
    pub table: Arc<Table>,
    /// The rows that it writes.
    pub rows: WriteRows,
    /// Its operations on columns, in the order written; empty in a DELETE of whole rows.
    pub operations: Vec<Operation>,
    /// The IF clause.
    pub conditions: BoundConditions,
    /// The USING clause.
    pub using: BoundAttributes,
    /// Where it stands.
    pub span: Span,
}

/// The rows of a write.
#[derive(Clone, Debug)]
pub enum WriteRows {
    /// The rows of a WHERE clause, or of the key columns of INSERT.
    Where(Box<Restrictions>),
    /// The values of the primary key in a JSON document, in key order; `None` for an unset one.
    Key(Vec<Option<BoundTerm>>),
    /// A JSON document for a marker.
    Document {
        /// The index of the marker.
        marker: u32,
        /// `DEFAULT UNSET`
        default_unset: bool,
    },
}

/// The rows of a WHERE clause, or of the key columns of INSERT.
fn analyse_rows(
    cx: &mut Context<'_>,
    statement: StatementType,
    table: &Arc<Table>,
    relations: &[Relation],
    only_statics: bool,
) -> Result<WriteRows> {
    let clause = WhereClause {
        statement,
        table,
        relations,
        orderings: &[],
        only_statics,
        allow_filtering: false,
        for_view: false,
    };
    Ok(WriteRows::Where(analyse(cx, clause)?.into()))
}

impl BoundWrite {
    /// Whether it has an IF clause.
    pub fn is_conditional(&self) -> bool {
        !matches!(self.conditions, BoundConditions::None)
    }

    /// Whether any operation is on a column of that kind.
    fn has_operation_on(&self, kind: ColumnKind) -> bool {
        has_operation_on(&self.table, &self.operations, kind)
    }

    /// Whether it writes to rows, besides or instead of the static columns.
    pub fn has_row_updates(&self) -> bool {
        let names_clustering = match &self.rows {
            WriteRows::Where(restrictions) => !restrictions.clustering.is_empty(),
            WriteRows::Key(_) | WriteRows::Document { .. } => true,
        };
        self.table.clustering().is_empty() || names_clustering
    }

    /// Whether it writes static columns only and names no row.
    pub(crate) fn is_static_only(&self) -> bool {
        is_static_only(&self.table, self.statement, &self.operations, &self.conditions)
    }

    /// Whether it deletes a range of rows.
    pub fn is_range(&self) -> bool {
        let WriteRows::Where(restrictions) = &self.rows else { return false };
        self.statement == StatementType::Delete
            && !restrictions.clustering.is_empty()
            && restrictions.is_column_range()
    }
}

fn has_operation_on(table: &Table, operations: &[Operation], kind: ColumnKind) -> bool {
    operations.iter().any(|operation| table.columns()[operation.column].kind == kind)
}

/// Whether operations are on rows. A DELETE without any deletes rows.
fn has_row_operation(table: &Table, statement: StatementType, operations: &[Operation]) -> bool {
    has_operation_on(table, operations, ColumnKind::Regular)
        || (statement == StatementType::Delete
            && !has_operation_on(table, operations, ColumnKind::Static))
}

/// Whether operations and conditions are on static columns only.
fn is_static_only(
    table: &Table,
    statement: StatementType,
    operations: &[Operation],
    conditions: &BoundConditions,
) -> bool {
    !has_row_operation(table, statement, operations)
        && !conditions.has_column_of(table, ColumnKind::Regular)
        && (has_operation_on(table, operations, ColumnKind::Static)
            || conditions.has_column_of(table, ColumnKind::Static))
}

/// Binds one statement of a batch.
fn bind_one(cx: &mut Context<'_>, kind: &WriteKind) -> Result<BoundWrite> {
    match kind {
        WriteKind::Insert(insert) => insert::bind(cx, insert),
        WriteKind::Update(update) => update::bind(cx, update),
        WriteKind::Delete(delete) => delete::bind(cx, delete),
    }
}

/// The errors of the server's grammar in an UPDATE, before any table is looked up.
pub(super) fn check_assignments(update: &Update) -> Result<()> {
    update::check_assignments(&update.assignments)
}

/// The errors of PREPARE in a bound write.
pub(super) fn validate(write: &BoundWrite) -> Result<()> {
    validate::write(write)
}

/// The errors of executing a write.
pub(super) fn check_execution(write: &BoundWrite, now_ms: i64) -> Result<()> {
    execution::write(write, now_ms)
}

/// The errors of PREPARE in a bound batch, statement by statement.
pub(super) fn validate_batch(batch: &BoundBatch) -> Result<()> {
    batch.statements.iter().try_for_each(validate::write)
}

/// The errors of executing a batch.
pub(super) fn check_batch_execution(batch: &BoundBatch, now_ms: i64) -> Result<()> {
    execution::batch(batch, now_ms)
}

/// The errors of a write before any row is read.
pub(super) fn check_start(write: &BoundWrite, now_ms: i64) -> Result<()> {
    if write.is_conditional() {
        execution::check_conditional(write)
    } else {
        execution::write(write, now_ms)
    }
}

/// The errors of a batch before any row is read.
pub(super) fn check_batch_start(batch: &BoundBatch, now_ms: i64) -> Result<()> {
    if batch.is_conditional() {
        execution::check_conditional_batch(batch)
    } else {
        execution::batch(batch, now_ms)
    }
}

/// The errors of a conditional write, or of another in its batch, once all conditions hold.
pub fn check_applied(write: &BoundWrite, now_ms: i64) -> Result<()> {
    execution::carry_out(write, now_ms)
}
