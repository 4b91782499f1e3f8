//! The marks of Chebotko diagrams, as text.

use cql::types::Type;
use model::plan::{ColumnRole, Derivation, Direction, PlannedColumn};

/// The mark of a column: `K`, `C↑`, `C↓`, `S`, `++` or none; a bucket is `K⌛day`, a shard `K#16`.
pub(crate) fn mark(column: &PlannedColumn) -> String {
    match (column.role, &column.derivation) {
        (ColumnRole::Partition, Derivation::Bucket(_, width)) => {
            format!("K⌛{width}")
        }
        (ColumnRole::Partition, Derivation::Shard { count, .. }) => format!("K#{count}"),
        (ColumnRole::Partition, _) => "K".to_owned(),
        (ColumnRole::Clustering(Direction::Ascending), _) => "C↑".to_owned(),
        (ColumnRole::Clustering(Direction::Descending), _) => "C↓".to_owned(),
        (ColumnRole::Static, _) => "S".to_owned(),
        (ColumnRole::Counter, _) => "++".to_owned(),
        (ColumnRole::Regular, _) => String::new(),
    }
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
