//! Types of CQL as types of SQL, as model files use them.

use cql::types::{NativeType, Type};

/// A type of SQL.
pub(super) struct SqlType {
    pub(super) name: String,
    /// Directives of the column.
    pub(super) directives: Vec<&'static str>,
    /// What the type does not carry over.
    pub(super) problem: Option<&'static str>,
}

/// The type of SQL for a type of CQL.
pub(super) fn sql_type(ty: &Type) -> SqlType {
    let plain =
        |name: &str| SqlType { name: name.to_owned(), directives: Vec::new(), problem: None };
    match ty {
        Type::Native(native) => match native {
            NativeType::Timeuuid => SqlType { directives: vec!["@time"], ..plain("uuid") },
            native => plain(native_name(*native)),
        },
        Type::List(element, _) | Type::Set(element, _) if matches!(&**element, Type::Native(_)) => {
            let name = format!("{}[]", sql_type(element).name);
            let directives = if matches!(ty, Type::Set(..)) { vec!["@set"] } else { Vec::new() };
            SqlType { directives, ..plain(&name) }
        }
        Type::Map(entry, _) if is_text(&entry.0) && is_text(&entry.1) => plain("hstore"),
        _ => SqlType { problem: Some("not known: its type in SQL"), ..plain("text") },
    }
}

fn is_text(ty: &Type) -> bool {
    matches!(ty, Type::Native(NativeType::Text | NativeType::Ascii))
}

fn native_name(native: NativeType) -> &'static str {
    match native {
        NativeType::Ascii | NativeType::Text => "text",
        NativeType::Bigint | NativeType::Counter => "bigint",
        NativeType::Blob => "bytea",
        NativeType::Boolean => "boolean",
        NativeType::Date => "date",
        NativeType::Decimal | NativeType::Varint => "numeric",
        NativeType::Double => "double precision",
        NativeType::Duration => "interval",
        NativeType::Float => "real",
        NativeType::Inet => "inet",
        NativeType::Int => "integer",
        NativeType::Smallint | NativeType::Tinyint => "smallint",
        NativeType::Time => "time",
        NativeType::Timestamp => "timestamp",
        NativeType::Timeuuid | NativeType::Uuid => "uuid",
    }
}
