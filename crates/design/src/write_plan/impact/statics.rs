//! Static columns: which writes set them.
//!
//! They belong to an entity that many rows of the table share. Where the partition follows from
//! that entity alone and the application inserts its rows, they are written with it, once;
//! otherwise with every row, for which the entity must be read. A partition may therefore have
//! static columns and no rows; reads skip such a result row without a clustering key.

use model::id::{IdList, SourceId};
use model::plan::{ColumnRole, PlannedColumn, PlannedTable};
use model::workload::WriteKind;

use super::{Impact, source_columns};
use crate::Context;
use crate::write_plan::join_graph::JoinGraph;
use crate::write_plan::scope::Scope;

/// Whether the static columns of a source's entity are written with that entity.
pub(in crate::write_plan) fn is_written_with_entity(
    context: Context<'_>,
    table: &PlannedTable,
    source: SourceId,
) -> bool {
    let shape = JoinGraph { concept: context.concept, sources: &table.holds.sources };
    let Some(held) = table.holds.sources.member(source) else { return false };
    let inserted = context
        .workload
        .writes
        .iter()
        .any(|write| write.entity == held.entity && matches!(write.kind, WriteKind::Insert(_)));
    // With a retention they would expire while rows are still added.
    let retained = table.holds.sources.iter().any(|held| {
        context.concept.entities.member(held.entity).is_some_and(|entity| entity.retain.is_some())
    });
    inserted && !retained && is_partition_determined(shape, table, source)
}

/// Whether the partition key follows from a source's entity alone.
pub(in crate::write_plan) fn is_partition_determined(
    shape: JoinGraph<'_>,
    table: &PlannedTable,
    source: SourceId,
) -> bool {
    table
        .partition_key()
        .flat_map(source_columns)
        .all(|column| shape.attribute_at(column, source).is_some())
        && !table
            .partition_key()
            .any(|column| matches!(column.derivation, model::plan::Derivation::Element(_)))
}

/// The static columns that are of the entity written.
pub(in crate::write_plan) fn statics_of<'a>(scope: &Scope<'a>) -> Vec<&'a PlannedColumn> {
    let of_source = |column: &&PlannedColumn| {
        column.role == ColumnRole::Static
            && source_columns(column).first().is_some_and(|of| of.source == scope.source)
    };
    scope.table.columns.iter().filter(of_source).collect()
}

impl<'a> Impact<'a> {
    /// Whether a static column is written with its own entity rather than with each row.
    pub(in crate::write_plan) fn has_own_writer(
        &self,
        scope: &Scope<'a>,
        column: &PlannedColumn,
    ) -> bool {
        source_columns(column).first().is_some_and(|of| {
            of.source != scope.source
                && is_written_with_entity(self.context, scope.table, of.source)
        })
    }
}
