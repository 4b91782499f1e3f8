//! The marks of Chebotko diagrams, as text.

use cql::types::Type;
use model::plan::{ColumnRole, Derivation, Direction, PlannedColumn, PlannedTable};

/// The mark of a column: `K`, `C↑`, `C↓`, `S`, `++` or none; a bucket is `K⌛day`, a shard `K#16`.
pub(crate) fn mark(column: &PlannedColumn) -> String {
    mark_with_bucket_sign(column, "⌛")
}

/// The mark of a column where the typeface is unknown, in which the sign of buckets may be missing.
fn mark_with_bucket_sign(column: &PlannedColumn, sign: &str) -> String {
    match (column.role, &column.derivation) {
        (ColumnRole::Partition, Derivation::Bucket(_, width)) => format!("K{sign}{width}"),
        (ColumnRole::Partition, Derivation::Shard { count, .. }) => format!("K#{count}"),
        (ColumnRole::Partition, _) => "K".to_owned(),
        (ColumnRole::Clustering(Direction::Ascending), _) => "C↑".to_owned(),
        (ColumnRole::Clustering(Direction::Descending), _) => "C↓".to_owned(),
        (ColumnRole::Static, _) => "S".to_owned(),
        (ColumnRole::Counter, _) => "++".to_owned(),
        (ColumnRole::Regular, _) => String::new(),
    }
}

/// The mark of a column of a table, with that of an index on it: `SAI`, or `IDX` for a secondary one.
pub(crate) fn mark_with_indexes(table: &PlannedTable, column: &PlannedColumn) -> String {
    join_indexes(table, column, mark(column))
}

/// The same for pages, whose typeface is unknown: a bucket is `K by day`.
pub(crate) fn page_mark(table: &PlannedTable, column: &PlannedColumn) -> String {
    join_indexes(table, column, mark_with_bucket_sign(column, " by "))
}

fn join_indexes(table: &PlannedTable, column: &PlannedColumn, own: String) -> String {
    let indexes = table.indexes.iter().filter(|index| index.column == column.name);
    let marks = indexes.map(|index| if index.attached { "SAI" } else { "IDX" }.to_owned());
    let own = Some(own).filter(|mark| !mark.is_empty());
    own.into_iter().chain(marks).collect::<Vec<_>>().join(" ")
}

/// The name of a column, marked by its type: `[list]`, `{set}`, `<map>`, `*user type*`, `(tuple)`.
pub(crate) fn name(column: &PlannedColumn) -> String {
    let name = &column.name;
    match &column.ty {
        Type::List(..) => format!("[{name}]"),
        Type::Set(..) => format!("{{{name}}}"),
        Type::Map(..) => format!("<{name}>"),
        Type::User(..) => format!("*{name}*"),
        Type::Tuple(..) => format!("({name})"),
        _ => name.clone(),
    }
}
