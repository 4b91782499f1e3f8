//! The SQL types of CQL types.

use cql::types::{NativeType, Type, UserType};

use model::sql_name::quote;

/// A type in SQL.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct SqlType {
    /// Its text.
    pub(super) text: String,
    /// The directive of the column that goes with it.
    pub(super) directive: Option<&'static str>,
    /// Whether SQL has no such type, and this one holds less or something else.
    pub(super) is_substitute: bool,
}

impl SqlType {
    fn exact(text: impl Into<String>) -> Self {
        Self { text: text.into(), ..Self::default() }
    }

    fn substitute(text: impl Into<String>) -> Self {
        Self { text: text.into(), is_substitute: true, ..Self::default() }
    }
}

/// The type of a column; `is_key` of one in a primary key, which must be comparable.
pub(super) fn column_type(ty: &Type, is_key: bool) -> SqlType {
    match ty {
        Type::Native(native) => native_type(*native),
        _ if is_key => SqlType::substitute("text"),
        Type::List(element, _) => array_type(element, None),
        Type::Set(element, _) => array_type(element, Some("@set")),
        Type::Map(entry, _) => {
            let is_text =
                |ty: &Type| matches!(ty, Type::Native(NativeType::Text | NativeType::Ascii));
            let is_substitute = !is_text(&entry.0) || !is_text(&entry.1);
            SqlType { is_substitute, ..SqlType::exact("hstore") }
        }
        Type::User(user, _) => SqlType::exact(quote(&user.name)),
        Type::Vector(element, _) => match &**element {
            Type::Native(native) => SqlType::substitute(format!("{}[]", native_type(*native).text)),
            _ => SqlType::substitute("jsonb"),
        },
        Type::Tuple(_) => SqlType::substitute("jsonb"),
        Type::Custom(_) => SqlType::substitute("bytea"),
    }
}

/// The type of a field of a composite type.
pub(super) fn field_type(ty: &Type) -> SqlType {
    // A directive of a field has no place.
    SqlType { directive: None, ..column_type(ty, false) }
}

fn array_type(element: &Type, directive: Option<&'static str>) -> SqlType {
    match element {
        Type::Native(native) => {
            let element = native_type(*native);
            let text = format!("{}[]", element.text);
            SqlType { text, directive, is_substitute: element.is_substitute }
        }
        Type::User(user, _) => {
            SqlType { directive, ..SqlType::exact(format!("{}[]", quote(&user.name))) }
        }
        // SQL has arrays of several dimensions, but no arrays of arrays of different lengths.
        _ => SqlType::substitute("jsonb"),
    }
}

fn native_type(native: NativeType) -> SqlType {
    match native {
        NativeType::Ascii | NativeType::Text => SqlType::exact("text"),
        NativeType::Bigint | NativeType::Counter => SqlType::exact("bigint"),
        NativeType::Blob => SqlType::exact("bytea"),
        NativeType::Boolean => SqlType::exact("boolean"),
        NativeType::Date => SqlType::exact("date"),
        NativeType::Decimal => SqlType::exact("numeric"),
        NativeType::Double => SqlType::exact("double precision"),
        NativeType::Duration => SqlType::exact("interval"),
        NativeType::Float => SqlType::exact("real"),
        NativeType::Inet => SqlType::exact("inet"),
        NativeType::Int => SqlType::exact("int"),
        NativeType::Smallint => SqlType::exact("smallint"),
        NativeType::Tinyint => SqlType::substitute("smallint"),
        NativeType::Time => SqlType::exact("time"),
        // The milliseconds of Cassandra.
        NativeType::Timestamp => SqlType::exact("timestamptz(3)"),
        NativeType::Timeuuid => SqlType { directive: Some("@time"), ..SqlType::exact("uuid") },
        NativeType::Uuid => SqlType::exact("uuid"),
        NativeType::Varint => SqlType::substitute("numeric"),
    }
}

/// The user types that a type contains, each after those that it uses itself.
pub(super) fn collect_user_types<'a>(ty: &'a Type, found: &mut Vec<&'a UserType>) {
    for part in ty.parts() {
        collect_user_types(part, found);
    }
    if let Type::User(user, _) = ty
        && found.iter().all(|known| known.name != user.name)
    {
        found.push(user);
    }
}
