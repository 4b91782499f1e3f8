//! The types of CQL, resolved: what a column, a field or a value has.

mod native;

use std::fmt;
use std::sync::Arc;

pub use native::NativeType;

/// A resolved type.
///
/// `frozen` is kept only where Cassandra keeps it: on the outermost collection or user type of a column. Whatever
/// stands inside another type is frozen, tuples and vectors always are.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// `int`, `text`, ...
    Native(NativeType),
    /// `list<T>`
    List(Arc<Type>, Frozen),
    /// `set<T>`
    Set(Arc<Type>, Frozen),
    /// `map<K, V>`
    Map(Arc<(Type, Type)>, Frozen),
    /// `tuple<T, ...>`
    Tuple(Arc<[Type]>),
    /// A user type.
    User(Arc<UserType>, Frozen),
    /// `vector<T, n>`
    Vector(Arc<Type>, u32),
    /// `'java.class.Name'`
    Custom(Arc<str>),
}

/// Whether a value is one cell (frozen) or a cell per element.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Frozen {
    /// One cell.
    Yes,
    /// A cell per element.
    No,
}

/// A user type: its name and its fields.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct UserType {
    /// Its keyspace.
    pub keyspace: Box<str>,
    /// Its name.
    pub name: Box<str>,
    /// Names and types of its fields. Field types are frozen unless the type itself is used unfrozen.
    pub fields: Vec<(Box<str>, Type)>,
}

impl Type {
    /// A collection or user type that is stored a cell per element.
    pub fn is_multi_cell(&self) -> bool {
        matches!(
            self,
            Self::List(_, Frozen::No)
                | Self::Set(_, Frozen::No)
                | Self::Map(_, Frozen::No)
                | Self::User(_, Frozen::No)
        )
    }

    /// A list, set or map, frozen or not.
    pub fn is_collection(&self) -> bool {
        matches!(self, Self::List(..) | Self::Set(..) | Self::Map(..))
    }

    /// The same type as one cell.
    #[must_use]
    pub fn freeze(&self) -> Self {
        match self {
            Self::List(element, _) => Self::List(element.clone(), Frozen::Yes),
            Self::Set(element, _) => Self::Set(element.clone(), Frozen::Yes),
            Self::Map(entry, _) => Self::Map(entry.clone(), Frozen::Yes),
            Self::User(user, _) => Self::User(user.clone(), Frozen::Yes),
            other => other.clone(),
        }
    }
}

impl From<NativeType> for Type {
    fn from(native: NativeType) -> Self {
        Self::Native(native)
    }
}

/// As Cassandra prints it in messages and in DESCRIBE: user types without their keyspace, names quoted where needed.
impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let frozen = |f: &mut fmt::Formatter<'_>, frozen: Frozen, inner: fmt::Arguments<'_>| match frozen {
            Frozen::Yes => write!(f, "frozen<{inner}>"),
            Frozen::No => write!(f, "{inner}"),
        };
        match self {
            Self::Native(native) => f.write_str(native.name()),
            Self::List(element, kind) => frozen(f, *kind, format_args!("list<{}>", Inner(element))),
            Self::Set(element, kind) => frozen(f, *kind, format_args!("set<{}>", Inner(element))),
            Self::Map(entry, kind) => frozen(f, *kind, format_args!("map<{}, {}>", Inner(&entry.0), Inner(&entry.1))),
            Self::User(user, kind) => frozen(f, *kind, format_args!("{}", crate::printer::identifier(&user.name))),
            Self::Tuple(types) => {
                f.write_str("frozen<tuple<")?;
                for (i, element) in types.iter().enumerate() {
                    write!(f, "{}{}", if i == 0 { "" } else { ", " }, Inner(element))?;
                }
                f.write_str(">>")
            }
            Self::Vector(element, dimension) => write!(f, "vector<{}, {dimension}>", Inner(element)),
            Self::Custom(class) => write!(f, "'{class}'"),
        }
    }
}

/// A type inside another.
struct Inner<'a>(&'a Type);

impl fmt::Display for Inner<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self.0, f)
    }
}
