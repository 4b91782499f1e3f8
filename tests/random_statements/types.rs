//! The types of the random schema, as the generator sees them.

use std::fmt;

/// A CQL type. User types are named; their fields are looked up in the keyspace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Ty {
    Native(&'static str),
    List(Box<Ty>),
    Set(Box<Ty>),
    Map(Box<Ty>, Box<Ty>),
    Tuple(Vec<Ty>),
    Vector(Box<Ty>, usize),
    User(String),
    Frozen(Box<Ty>),
}

/// The native types, counter apart.
pub(super) const NATIVES: &[&str] = &[
    "ascii",
    "bigint",
    "blob",
    "boolean",
    "date",
    "decimal",
    "double",
    "duration",
    "float",
    "inet",
    "int",
    "smallint",
    "text",
    "time",
    "timestamp",
    "timeuuid",
    "tinyint",
    "uuid",
    "varchar",
    "varint",
];

/// The native types that arithmetic works on.
pub(super) const NUMBERS: &[&str] =
    &["tinyint", "smallint", "int", "bigint", "float", "double", "varint", "decimal"];

impl Ty {
    /// The type without its outer `frozen<>`.
    pub(super) fn bare(&self) -> &Ty {
        match self {
            Self::Frozen(within) => within.bare(),
            other => other,
        }
    }

    /// The same type, frozen where that is allowed.
    pub(super) fn into_frozen(self) -> Ty {
        match self {
            Self::Native(_) | Self::Frozen(_) | Self::Vector(..) => self,
            other => Self::Frozen(Box::new(other)),
        }
    }

    /// Whether its parts are written one by one.
    pub(super) fn is_multicell(&self) -> bool {
        matches!(self, Self::List(_) | Self::Set(_) | Self::Map(..) | Self::User(_))
    }

    /// Whether it is a list, set or map, frozen or not.
    pub(super) fn is_collection(&self) -> bool {
        matches!(self.bare(), Self::List(_) | Self::Set(_) | Self::Map(..))
    }

    /// Whether it is a given native type.
    pub(super) fn is_native(&self, native: &str) -> bool {
        matches!(self, Self::Native(name) if *name == native)
    }

    /// Whether arithmetic works on it.
    pub(super) fn is_number(&self) -> bool {
        matches!(self, Self::Native(name) if NUMBERS.contains(name))
    }
}

impl fmt::Display for Ty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Native(name) => f.write_str(name),
            Self::List(of) => write!(f, "list<{of}>"),
            Self::Set(of) => write!(f, "set<{of}>"),
            Self::Map(key, value) => write!(f, "map<{key}, {value}>"),
            Self::Tuple(fields) => {
                let fields: Vec<String> = fields.iter().map(ToString::to_string).collect();
                write!(f, "tuple<{}>", fields.join(", "))
            }
            Self::Vector(of, size) => write!(f, "vector<{of}, {size}>"),
            Self::User(name) => f.write_str(&super::schema::quote_name(name)),
            Self::Frozen(of) => write!(f, "frozen<{of}>"),
        }
    }
}
