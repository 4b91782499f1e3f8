//! A table, seen from one of its sources: that of the entity written.

use model::id::{AttributeId, SourceId, StepId, TableId};
use model::plan::{Loop, Operand, PlannedTable};
use model::workload::Column;

use super::count::Count;
use super::guard_expression::GuardExpression;
use super::join_graph::JoinGraph;
use super::request::Request;

/// A table, seen from one of its sources: that of the entity written.
#[derive(Clone)]
pub(super) struct Scope<'a> {
    pub(super) at: TableId,
    pub(super) table: &'a PlannedTable,
    pub(super) shape: JoinGraph<'a>,
    pub(super) source: SourceId,
    /// More sources that are the very row written, and those of its entity that are not.
    pub(super) also: Vec<SourceId>,
    pub(super) others: Vec<SourceId>,
    /// Which of the table's rows are meant by these.
    pub(super) apart: GuardExpression,
    /// The request that finds the table's rows, where a row of the entity is in many.
    pub(super) found: Option<StepId>,
    pub(super) loops: Vec<Loop>,
    pub(super) count: Count,
    /// The values that stand for the elements of arrays.
    pub(super) elements: Vec<(Column, Operand)>,
    /// Rows that refer to the same row as the entity's: the request, and for each source of the table that of the request.
    pub(super) partners: Vec<(StepId, Vec<Option<SourceId>>)>,
    /// Joined rows that were looked up: by what, and in which request.
    pub(super) parents: Vec<(Request, StepId)>,
}

impl Scope<'_> {
    /// The sources that are the row written.
    pub(super) fn row_sources(&self) -> impl Iterator<Item = SourceId> {
        [self.source].into_iter().chain(self.also.iter().copied())
    }

    /// Whether a source is the row written.
    pub(super) fn is_written(&self, source: SourceId) -> bool {
        self.row_sources().any(|written| written == source)
    }

    /// The attribute of the row written that a column is equal to.
    pub(super) fn attribute(&self, column: Column) -> Option<AttributeId> {
        self.row_sources().find_map(|source| self.shape.attribute_at(column, source))
    }

    /// Whether a planned column keeps a column of the table's sources as it is (a constant for null apart).
    pub(super) fn is_stored_by(
        &self,
        planned: &model::plan::PlannedColumn,
        column: Column,
    ) -> bool {
        use model::plan::Derivation::{Attribute, Coalesced};
        matches!(&planned.derivation, Attribute(of) | Coalesced(of, _) if self.shape.is_same(*of, column))
    }
}
