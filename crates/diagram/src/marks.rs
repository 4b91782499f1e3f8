//! The marks of Chebotko's notation.

use std::sync::Arc;

use cql::types::{Type, UserType};
use model::plan::{Bucket, ColumnRole, Derivation, Direction, PlannedColumn};

use super::picture::{Level, RowKind};

/// A name with the marks of its type around it.
pub(crate) fn name_with_marks(name: &str, ty: &Type) -> String {
    match ty {
        Type::List(..) => format!("[{name}]"),
        Type::Set(..) => format!("{{{name}}}"),
        Type::Map(..) => format!("<{name}>"),
        Type::User(..) => format!("*{name}*"),
        Type::Tuple(..) => format!("({name})"),
        Type::Native(_) | Type::Vector(..) | Type::Custom(_) => name.to_owned(),
    }
}

/// The mark of a designed column: its role in the key and, beside it, its derivation.
pub(crate) fn column_mark(column: &PlannedColumn) -> String {
    let place = match column.role {
        ColumnRole::Partition => "K",
        ColumnRole::Clustering(Direction::Ascending) => "C↑",
        ColumnRole::Clustering(Direction::Descending) => "C↓",
        ColumnRole::Static => "S",
        ColumnRole::Regular => "",
        ColumnRole::Counter => "++",
    };
    match &column.derivation {
        Derivation::Bucket(_, bucket) | Derivation::Oldest(bucket) | Derivation::Newest(bucket) => {
            format!("{place}⌛{}", bucket_width(*bucket))
        }
        Derivation::Shard { count, .. } => format!("{place}#{count}"),
        _ => place.to_owned(),
    }
}

/// The kind of row that a column makes.
pub(crate) fn row_kind(role: ColumnRole) -> RowKind {
    match role {
        ColumnRole::Partition => RowKind::Partition,
        ColumnRole::Clustering(_) => RowKind::Clustering,
        ColumnRole::Static => RowKind::Static,
        ColumnRole::Regular => RowKind::Plain,
        ColumnRole::Counter => RowKind::Counter,
    }
}

fn bucket_width(bucket: Bucket) -> String {
    match bucket {
        Bucket::Range(width) => width.to_string(),
        Bucket::HOUR | Bucket::DAY | Bucket::WEEK | Bucket::MONTH | Bucket::YEAR => {
            bucket.to_string()
        }
        Bucket::Hours(count) => format!("{count} hours"),
        Bucket::Days(count) => format!("{count} days"),
        Bucket::Weeks(count) => format!("{count} weeks"),
        Bucket::Months(count) => format!("{count} months"),
    }
}

/// The user types in a type, outermost first.
pub(crate) fn user_types(ty: &Type) -> Vec<&Arc<UserType>> {
    let mut found = Vec::new();
    let mut open = vec![ty];
    while let Some(ty) = open.pop() {
        if let Type::User(user, _) = ty {
            found.push(user);
        } else {
            open.extend(ty.parts().into_iter().rev());
        }
    }
    found
}

/// The type as a row shows it. A counter shows only its mark.
pub(crate) fn type_text(level: Level, ty: &Type) -> String {
    match level {
        Level::Physical if !ty.is_counter() => ty.to_string(),
        Level::Physical | Level::Logical => String::new(),
    }
}
