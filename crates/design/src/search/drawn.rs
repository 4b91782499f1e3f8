//! A candidate table on one line, in Chebotko's marks.

use model::plan::{Direction, PlannedTable, Role};

/// The key of a table on one line: `videos (K userid, C added_date desc, C videoid)`.
pub(super) fn line(table: &PlannedTable) -> String {
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
    let sources: Vec<&str> =
        table.holds.sources.iter().take(1).map(|source| source.alias.as_str()).collect();
    format!("{} ({})", sources.join(", "), key.join(", "))
}
