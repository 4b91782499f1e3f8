//! Chebotko's marks, as text.

use cql::types::Type;
use model::plan::{Derivation, Direction, PlannedColumn, Role};

use super::words;

/// The mark before a column: `K`, `C↑`, `S`, `++` or nothing; a bucket is `K⌛day`, shards are `K#16`.
pub(crate) fn mark(column: &PlannedColumn) -> String {
    match (column.role, &column.derivation) {
        (Role::Partition, Derivation::Bucket(_, width)) => format!("K⌛{}", words::bucket(*width)),
        (Role::Partition, Derivation::Shard { count, .. }) => format!("K#{count}"),
        (Role::Partition, _) => "K".to_owned(),
        (Role::Clustering(Direction::Ascending), _) => "C↑".to_owned(),
        (Role::Clustering(Direction::Descending), _) => "C↓".to_owned(),
        (Role::Static, _) => "S".to_owned(),
        (Role::Counter, _) => "++".to_owned(),
        (Role::Regular, _) => String::new(),
    }
}

/// The name of a column in the brackets of its type: `[list]`, `{set}`, `<map>`, `*user type*`, `(tuple)`.
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
