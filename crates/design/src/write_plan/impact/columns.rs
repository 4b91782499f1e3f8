//! What the columns of a table are made from.

use model::id::IdList;
use model::plan::{Derivation, PlannedColumn};
use model::workload::Column;

use crate::write_plan::scope::Scope;

/// The columns of the sources that a column is made from.
pub(in crate::write_plan) fn source_columns(planned: &PlannedColumn) -> Vec<Column> {
    match &planned.derivation {
        Derivation::Attribute(of)
        | Derivation::Coalesced(of, _)
        | Derivation::Element(of)
        | Derivation::Bucket(of, _)
        | Derivation::Prefix(of, _)
        | Derivation::Count(Some(of))
        | Derivation::Sum(of) => vec![*of],
        Derivation::Shard { of, .. } => of.clone(),
        Derivation::Constant
        | Derivation::Count(None)
        | Derivation::Oldest(_)
        | Derivation::Newest(_) => Vec::new(),
    }
}

/// Whether the value of a column may be null, as it is known before it is clear whether the join
/// holds.
pub(in crate::write_plan) fn can_be_null(scope: &Scope<'_>, column: Column) -> bool {
    let (source, attribute) = match scope.attribute(column) {
        Some(attribute) => (scope.source, attribute),
        None => (column.source, column.attribute),
    };
    let entity = scope.shape.entity(source);
    scope.shape.is_optional(source)
        || entity
            .and_then(|entity| entity.attributes.member(attribute))
            .is_none_or(|found| found.nullable)
}
