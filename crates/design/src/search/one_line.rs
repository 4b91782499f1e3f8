//! A candidate table on one line, in Chebotko's marks.

use std::collections::BTreeSet;

use model::concept::Concept;
use model::id::IdList;
use model::plan::{Bucket, ColumnRole, Derivation, Direction, PlannedColumn, PlannedTable};
use model::workload::Column;

use super::space::SearchSpace;
use crate::candidate::CandidateId;

/// The key of a candidate with these columns on one line, with the bucket and shards that it gets:
/// `videos (K userid, K month, C added_date desc, C videoid)`. Different tables have different
/// lines.
pub(super) fn describe_candidate(
    space: &SearchSpace<'_>,
    candidate: CandidateId,
    columns: &BTreeSet<Column>,
) -> Option<String> {
    let table = space.candidates.member(candidate)?.table_with(space.context, columns).table;
    let line = describe_table(space, &table);
    Some(if space.views.contains_key(&candidate) { format!("{line} as a view") } else { line })
}

/// The key of a table on one line.
pub(super) fn describe_table(space: &SearchSpace<'_>, table: &PlannedTable) -> String {
    let concept = space.context.concept;
    let key: Vec<String> = table.columns.iter().filter_map(describe_column).collect();
    let name = entity_name(concept, table);
    let rows = table.holds.restriction(concept);
    let rows = rows.map(|rows| format!(" with {rows}")).unwrap_or_default();
    format!("{name}{rows} ({})", key.join(", "))
}

/// The name of the entity whose rows a table holds.
pub(super) fn entity_name<'c>(concept: &'c Concept, table: &PlannedTable) -> &'c str {
    let first = table.holds.sources.first();
    let entity = first.and_then(|source| concept.entities.member(source.entity));
    entity.map_or("", |entity| entity.name.as_str())
}

/// A column of the key; `None` for another column.
fn describe_column(column: &PlannedColumn) -> Option<String> {
    let name = match column.derivation {
        Derivation::Shard { count, .. } => format!("{} of {count}", column.name),
        Derivation::Bucket(_, Bucket::Range(width)) => format!("{} of {width}", column.name),
        _ => column.name.clone(),
    };
    match column.role {
        ColumnRole::Partition => Some(format!("K {name}")),
        ColumnRole::Clustering(Direction::Ascending) => Some(format!("C {name}")),
        ColumnRole::Clustering(Direction::Descending) => Some(format!("C {name} desc")),
        _ => None,
    }
}
