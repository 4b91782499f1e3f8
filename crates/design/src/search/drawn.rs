//! A candidate table on one line, in Chebotko's marks.

use model::concept::Concept;
use model::id::Numbered;
use model::plan::{Direction, PlannedTable, Role};

/// The key of a table on one line: `videos (K userid, C added_date desc, C videoid)`.
pub(super) fn line(concept: &Concept, table: &PlannedTable) -> String {
    let key: Vec<String> = table
        .columns
        .iter()
        .filter_map(|column| match column.role {
            Role::Partition => Some(format!("K {}", column.name)),
            Role::Clustering(Direction::Ascending) => Some(format!("C {}", column.name)),
            Role::Clustering(Direction::Descending) => Some(format!("C {} desc", column.name)),
            _ => None,
        })
        .collect();
    let first = table.holds.sources.first();
    let entity = first.and_then(|source| concept.entities.at(source.entity));
    let name = entity.map_or("", |entity| entity.name.as_str());
    format!("{name} ({})", key.join(", "))
}
