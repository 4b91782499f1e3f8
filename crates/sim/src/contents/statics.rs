//! Static columns of partitions that may have no rows: they are written with the entity that they are of, not with the rows.

use model::concept::Concept;
use model::id::{Numbered, SourceId};
use model::plan::{Derivation, Holds, PlannedTable, Role};
use model::workload::{Column, Join, Source};

/// The table as its static columns alone would be: the partition key and the static columns, of the entity that has both.
/// `None` where there are none, or where no entity has all of the partition key.
pub(super) fn alone(concept: &Concept, table: &PlannedTable) -> Option<PlannedTable> {
    let statics = || table.columns.iter().filter(|column| column.role == Role::Static);
    let Derivation::Attribute(first) = statics().next()?.derivation else { return None };
    let mut candidates: Vec<SourceId> = vec![first.source];
    candidates.extend(table.holds.sources.ids().skip(1));
    candidates.into_iter().find_map(|root| rooted(concept, table, root))
}

/// The same, of one of the sources and what it refers to.
fn rooted(concept: &Concept, table: &PlannedTable, root: SourceId) -> Option<PlannedTable> {
    let sources = &table.holds.sources;
    let (kept, places) = reduced(sources, root)?;
    let moved = |column: Column| {
        let column = if places.at(column.source).copied().flatten().is_some() {
            column
        } else {
            equal(concept, sources, column, root)?
        };
        let source = places.at(column.source).copied().flatten()?;
        Some(Column { source, ..column })
    };
    let mut columns = Vec::new();
    let wanted =
        table.columns.iter().filter(|column| matches!(column.role, Role::Partition | Role::Static));
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
    let holds = Holds { sources: kept, ..Holds::default() };
    Some(PlannedTable { name: table.name.clone(), columns, holds, ..PlannedTable::default() })
}

/// A source and those that it refers to, with the new place of each.
fn reduced(sources: &[Source], root: SourceId) -> Option<(Vec<Source>, Vec<Option<SourceId>>)> {
    let mut places = vec![None; sources.len()];
    let mut kept = vec![Source { join: None, ..sources.at(root)?.clone() }];
    *places.at_mut(root)? = Some(SourceId::new(0));
    for (at, source) in sources.numbered().skip(root.index() + 1) {
        let Some(join) = source.join.filter(|join| join.to_one) else { continue };
        let Some(with) = places.at(join.with).copied().flatten() else { continue };
        *places.at_mut(at)? = Some(kept.next_id());
        kept.push(Source { join: Some(Join { with, ..join }), ..source.clone() });
    }
    Some((kept, places))
}

/// The column of the root that is joined to be equal to a column of a source that refers to it.
fn equal(concept: &Concept, sources: &[Source], column: Column, root: SourceId) -> Option<Column> {
    let referring = sources.at(column.source)?;
    let onward = sources.at(root)?.join;
    let onward = onward.filter(|join| join.to_one && join.with == column.source);
    let back = referring.join.filter(|join| !join.to_one && join.with == root);
    let join = onward.or(back)?;
    let reference = concept.entities.at(referring.entity)?.references.at(join.reference)?;
    let at = reference.attributes.iter().position(|mine| *mine == column.attribute)?;
    Some(Column { source: root, attribute: *reference.target_attributes.get(at)? })
}
