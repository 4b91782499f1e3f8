//! Static columns: who writes them.
//!
//! They belong to an entity of which many rows of the table are. Where the partition follows from that entity alone and its
//! rows are inserted by the application, they are written with it, once; else with every row, for which the entity must be
//! read. A partition may therefore have static columns and no rows, and reads leave such a row without a key out.

use model::id::{Numbered, SourceId};
use model::plan::{PlannedColumn, PlannedTable, Role};
use model::workload::WriteKind;

use super::{Impact, made_from};
use crate::Context;
use crate::writing::scope::Scope;
use crate::writing::shape::Shape;

/// Whether the static columns of a source's entity are written with that entity.
pub(in crate::writing) fn kept_by_entity(
    context: Context<'_>,
    table: &PlannedTable,
    source: SourceId,
) -> bool {
    let shape = Shape { concept: context.concept, sources: &table.holds.sources };
    let Some(held) = table.holds.sources.at(source) else { return false };
    let inserted = context
        .workload
        .writes
        .iter()
        .any(|write| write.entity == held.entity && matches!(write.kind, WriteKind::Insert(_)));
    // With a retention they would expire while rows still come.
    let retained = table.holds.sources.iter().any(|held| {
        context.concept.entities.at(held.entity).is_some_and(|entity| entity.retain.is_some())
    });
    inserted && !retained && partition_follows(shape, table, source)
}

/// Whether the partition key follows from a source's entity alone.
pub(in crate::writing) fn partition_follows(
    shape: Shape<'_>,
    table: &PlannedTable,
    source: SourceId,
) -> bool {
    table
        .partition_key()
        .flat_map(made_from)
        .all(|column| shape.attribute_at(column, source).is_some())
        && !table
            .partition_key()
            .any(|column| matches!(column.derivation, model::plan::Derivation::Element(_)))
}

/// The static columns that are of the entity written.
pub(in crate::writing) fn statics_of<'a>(scope: &Scope<'a>) -> Vec<&'a PlannedColumn> {
    let of_source = |column: &&PlannedColumn| {
        column.role == Role::Static
            && made_from(column).first().is_some_and(|of| of.source == scope.source)
    };
    scope.table.columns.iter().filter(of_source).collect()
}

impl<'a> Impact<'a> {
    /// Whether a static column is written with its own entity rather than with each row.
    pub(in crate::writing) fn has_keeper(&self, scope: &Scope<'a>, column: &PlannedColumn) -> bool {
        made_from(column).first().is_some_and(|of| {
            of.source != scope.source && kept_by_entity(self.context, scope.table, of.source)
        })
    }
}
