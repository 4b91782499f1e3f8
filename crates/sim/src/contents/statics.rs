//! Static columns of partitions that may have no rows: they are written with their entity, not with
//! the rows.

use model::concept::Concept;
use model::id::{IdList, SourceId};
use model::plan::{ColumnRole, Derivation, PlannedTable, RowDefinition};
use model::workload::{Column, Join, Source};

/// The table reduced to its partition key and static columns, over the entity that has both. `None`
/// where there are none, or where no entity has all of the partition key.
pub(super) fn static_table(concept: &Concept, table: &PlannedTable) -> Option<PlannedTable> {
    let statics = || table.columns.iter().filter(|column| column.role == ColumnRole::Static);
    let Derivation::Attribute(first) = statics().next()?.derivation else { return None };
    let mut candidates: Vec<SourceId> = vec![first.source];
    candidates.extend(table.holds.sources.ids().skip(1));
    candidates.into_iter().find_map(|root| rebase_table(concept, table, root))
}

/// The same, over one source and those that it refers to.
fn rebase_table(concept: &Concept, table: &PlannedTable, root: SourceId) -> Option<PlannedTable> {
    let sources = &table.holds.sources;
    let (kept, places) = reduce_sources(sources, root)?;
    let moved = |column: Column| {
        let column = if places.member(column.source).copied().flatten().is_some() {
            column
        } else {
            equal_column(concept, sources, column, root)?
        };
        let source = places.member(column.source).copied().flatten()?;
        Some(Column { source, ..column })
    };
    let mut columns = Vec::new();
    let wanted = table
        .columns
        .iter()
        .filter(|column| matches!(column.role, ColumnRole::Partition | ColumnRole::Static));
    for column in wanted {
        let derivation = match &column.derivation {
            Derivation::Attribute(of) => Derivation::Attribute(moved(*of)?),
            Derivation::Constant => Derivation::Constant,
            _ => return None,
        };
        let mut column = column.clone();
        column.derivation = derivation;
        columns.push(column);
    }
    let holds = RowDefinition { sources: kept, ..RowDefinition::default() };
    Some(PlannedTable { name: table.name.clone(), columns, holds, ..PlannedTable::default() })
}

/// A source and those that it refers to, with the new position of each.
fn reduce_sources(
    sources: &[Source],
    root: SourceId,
) -> Option<(Vec<Source>, Vec<Option<SourceId>>)> {
    let mut places = vec![None; sources.len()];
    let mut kept = vec![Source { join: None, ..sources.member(root)?.clone() }];
    *places.member_mut(root)? = Some(SourceId::new(0));
    for (at, source) in sources.enumerate_ids().skip(root.index() + 1) {
        let Some(join) = source.join.filter(|join| join.to_one) else { continue };
        let Some(with) = places.member(join.with).copied().flatten() else { continue };
        *places.member_mut(at)? = Some(kept.next_id());
        kept.push(Source { join: Some(Join { with, ..join }), ..source.clone() });
    }
    Some((kept, places))
}

/// The column of the root that is joined to be equal to a column of a source that refers to it.
fn equal_column(
    concept: &Concept,
    sources: &[Source],
    column: Column,
    root: SourceId,
) -> Option<Column> {
    let referring = sources.member(column.source)?;
    let onward = sources.member(root)?.join;
    let onward = onward.filter(|join| join.to_one && join.with == column.source);
    let back = referring.join.filter(|join| !join.to_one && join.with == root);
    let join = onward.or(back)?;
    let reference = concept.entities.member(referring.entity)?.references.member(join.reference)?;
    let at = reference.attributes.iter().position(|mine| *mine == column.attribute)?;
    Some(Column { source: root, attribute: *reference.target_attributes.get(at)? })
}
