//! Types as Cassandra prints them in messages and in DESCRIBE: user types without their keyspace,
//! names quoted where needed, tuples always inside `frozen<>`, vectors never.

use std::fmt;

use super::class_name::MARSHAL;
use super::{Frozenness, Type};

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Native(native) => f.write_str(native.name()),
            Self::List(element, kind) => write_frozen(f, *kind, format_args!("list<{element}>")),
            Self::Set(element, kind) => write_frozen(f, *kind, format_args!("set<{element}>")),
            Self::Map(entry, kind) => {
                write_frozen(f, *kind, format_args!("map<{}, {}>", entry.0, entry.1))
            }
            Self::User(user, kind) => write_frozen(
                f,
                *kind,
                format_args!("{}", crate::identifier::identifier(&user.name)),
            ),
            Self::Tuple(types) => {
                f.write_str("frozen<tuple<")?;
                for (i, element) in types.iter().enumerate() {
                    write!(f, "{}{element}", if i == 0 { "" } else { ", " })?;
                }
                f.write_str(">>")
            }
            Self::Vector(element, dimension) => write!(f, "vector<{element}, {dimension}>"),
            Self::Custom(class) => match custom_name(class) {
                Some(name) => f.write_str(name),
                None => write!(f, "'{class}'"),
            },
        }
    }
}

fn write_frozen(
    f: &mut fmt::Formatter<'_>,
    frozen: Frozenness,
    bare: fmt::Arguments<'_>,
) -> fmt::Result {
    match frozen {
        Frozenness::Yes => write!(f, "frozen<{bare}>"),
        Frozenness::No => write!(f, "{bare}"),
    }
}

/// The two classes with a CQL name that are not CQL types: the old timestamp, which is compared by
/// unsigned bytes, and the type without values.
fn custom_name(class: &str) -> Option<&'static str> {
    match class.strip_prefix(MARSHAL)? {
        "DateType" => Some("timestamp"),
        "EmptyType" => Some("empty"),
        _ => None,
    }
}

/// The fixed length of the values of a custom type.
pub(super) fn custom_value_length(class: &str) -> Option<usize> {
    match class.strip_prefix(MARSHAL)? {
        "DateType" => Some(8),
        "EmptyType" => Some(0),
        "LexicalUUIDType" => Some(16),
        _ => None,
    }
}
