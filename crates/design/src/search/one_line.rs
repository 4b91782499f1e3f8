//! A candidate table on one line, in Chebotko's marks.

use model::concept::Concept;
use model::id::IdList;
use model::plan::{ColumnRole, Direction, PlannedTable};

/// The key of a table on one line: `videos (K userid, C added_date desc, C videoid)`.
pub(super) fn describe_table(concept: &Concept, table: &PlannedTable) -> String {
    let key: Vec<String> = table
        .columns
        .iter()
        .filter_map(|column| match column.role {
            ColumnRole::Partition => Some(format!("K {}", column.name)),
            ColumnRole::Clustering(Direction::Ascending) => Some(format!("C {}", column.name)),
            ColumnRole::Clustering(Direction::Descending) => {
                Some(format!("C {} desc", column.name))
            }
            _ => None,
        })
        .collect();
    format!("{} ({})", entity_name(concept, table), key.join(", "))
}

/// The name of the entity whose rows a table holds.
pub(super) fn entity_name<'c>(concept: &'c Concept, table: &PlannedTable) -> &'c str {
    let first = table.holds.sources.first();
    let entity = first.and_then(|source| concept.entities.member(source.entity));
    entity.map_or("", |entity| entity.name.as_str())
}
