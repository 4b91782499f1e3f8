//! What the columns of a table are made from.

use model::id::Numbered;
use model::plan::{Derivation, PlannedColumn};
use model::workload::Column;

use crate::writing::scope::Scope;

/// The columns of the sources that a column is made from.
pub(in crate::writing) fn made_from(planned: &PlannedColumn) -> Vec<Column> {
    match &planned.derivation {
        Derivation::Attribute(of)
        | Derivation::Coalesced(of, _)
        | Derivation::Element(of)
        | Derivation::Bucket(of, _)
        | Derivation::Prefix(of, _)
        | Derivation::Count(Some(of))
        | Derivation::Sum(of) => vec![*of],
        Derivation::Shard { of, .. } => of.clone(),
        Derivation::Constant | Derivation::Count(None) | Derivation::Oldest(_) => Vec::new(),
    }
}

/// Whether the value of a column may be null, as it is known before it is clear whether the join holds.
pub(in crate::writing) fn may_be_null(scope: &Scope<'_>, column: Column) -> bool {
    let (source, attribute) = match scope.attribute(column) {
        Some(attribute) => (scope.source, attribute),
        None => (column.source, column.attribute),
    };
    let entity = scope.shape.entity(source);
    entity.and_then(|entity| entity.attributes.at(attribute)).is_none_or(|found| found.nullable)
}
