//! A table seen from one of its sources: the one whose row is written. The second stage narrows a
//! scope step by step: it adds loops, requests and guards until each turn stands for one row of the
//! table.

use model::id::{AttributeId, SourceId, StepId, TableId};
use model::plan::{Loop, Operand, PlannedTable};
use model::workload::Column;

use super::count::Count;
use super::guard_expression::GuardExpression;
use super::join_graph::JoinGraph;
use super::request::Request;

/// A table seen from the source whose row is written.
#[derive(Clone)]
pub(super) struct Scope<'a> {
    pub(super) at: TableId,
    pub(super) table: &'a PlannedTable,
    pub(super) shape: JoinGraph<'a>,
    pub(super) source: SourceId,
    /// Further sources that are the same row, and sources of the same entity that are another row.
    pub(super) also: Vec<SourceId>,
    pub(super) others: Vec<SourceId>,
    /// The guard that selects the table's rows for which `also` and `others` hold.
    pub(super) apart: GuardExpression,
    /// The request that finds the table's rows, where a row of the entity occurs in many.
    pub(super) found: Option<StepId>,
    pub(super) loops: Vec<Loop>,
    pub(super) count: Count,
    /// The operands that stand for the elements of arrays in the current turn.
    pub(super) elements: Vec<(Column, Operand)>,
    /// Requests for rows that refer to the same row as the entity's, each with the request's source
    /// for each source of the table.
    pub(super) partners: Vec<(StepId, Vec<Option<SourceId>>)>,
    /// Joined rows that were looked up, so that each is requested once.
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

    /// Different attributes of the row written that are joined to be equal, because it plays several
    /// roles.
    pub(super) fn find_joined_attributes(&self) -> Vec<(AttributeId, AttributeId)> {
        let count = self.shape.entity(self.source).map_or(0, |entity| entity.attributes.len());
        let attributes = || (0..count).map(AttributeId::new);
        let column = |source: SourceId, attribute: AttributeId| Column { source, attribute };
        let mut found = Vec::new();
        for role in &self.also {
            let before = self.row_sources().take_while(|other| other != role);
            for other in before {
                for (one, another) in
                    attributes().flat_map(|it| attributes().map(move |at| (it, at)))
                {
                    let (mine, theirs) = (column(*role, one), column(other, another));
                    if one != another && self.shape.is_same(mine, theirs) {
                        found.push((one, another));
                    }
                }
            }
        }
        found
    }

    /// The attribute of the row written that a column is equal to.
    pub(super) fn attribute(&self, column: Column) -> Option<AttributeId> {
        self.row_sources().find_map(|source| self.shape.attribute_at(column, source))
    }

    /// Whether a planned column stores a column of the table's sources unchanged, apart from a
    /// constant in place of null.
    pub(super) fn is_stored_by(
        &self,
        planned: &model::plan::PlannedColumn,
        column: Column,
    ) -> bool {
        use model::plan::Derivation::{Attribute, Coalesced};
        matches!(&planned.derivation, Attribute(of) | Coalesced(of, _) if self.shape.is_same(*of, column))
    }
}
