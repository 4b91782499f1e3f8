//! [`Type`]: the resolved types of columns, fields and values.
//!
//! A type is plain data. Its names are in `display` (CQL) and `class_name` (Java), the parser of
//! the latter in `class_parser`, its relations to other types in `compatibility`.

mod class_name;
mod class_parser;
mod compatibility;
mod display;
mod native;
mod reference;

use std::sync::Arc;

pub use class_parser::{ClassError, ParsedClass, parse_class};
pub use compatibility::Assignability;
pub use native::NativeType;
pub use reference::UserTypeUpdate;

/// The maximum nesting of types, wherever they are parsed.
pub const MAX_TYPE_DEPTH: usize = 100;

/// The type constructors.
pub const TYPES_OF_TYPES: [&str; 6] = ["frozen", "list", "map", "set", "tuple", "vector"];

/// A resolved type.
///
/// Every collection and user type has its frozenness, also nested ones: Cassandra prints and
/// compares it. The contents of a collection or tuple are frozen; those of a vector or user type
/// are as declared.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// `int`, `text`, ...
    Native(NativeType),
    /// `list<T>`
    List(Arc<Type>, Frozenness),
    /// `set<T>`
    Set(Arc<Type>, Frozenness),
    /// `map<K, V>`
    Map(Arc<(Type, Type)>, Frozenness),
    /// `tuple<T, ...>`
    Tuple(Arc<[Type]>),
    /// A user type.
    User(Arc<UserType>, Frozenness),
    /// `vector<T, n>`
    Vector(Arc<Type>, u32),
    /// `'java.class.Name'`, in full and in canonical form; never the class of a native type.
    Custom(Arc<str>),
}

/// Whether a value is stored as one cell (frozen) or as a cell per element.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Frozenness {
    /// One cell.
    Yes,
    /// A cell per element.
    No,
}

/// A user type: its name and its fields.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct UserType {
    /// The keyspace of the type.
    pub keyspace: Box<str>,
    /// The name of the type.
    pub name: Box<str>,
    /// Names and types of its fields, in declaration order.
    pub fields: Vec<(Box<str>, Type)>,
}

impl Type {
    /// Whether it is stored as a cell per element.
    pub fn is_multi_cell(&self) -> bool {
        matches!(
            self,
            Self::List(_, Frozenness::No)
                | Self::Set(_, Frozenness::No)
                | Self::Map(_, Frozenness::No)
                | Self::User(_, Frozenness::No)
        )
    }

    /// Whether it is a list, set or map, frozen or not.
    pub fn is_collection(&self) -> bool {
        matches!(self, Self::List(..) | Self::Set(..) | Self::Map(..))
    }

    /// Whether it exists both frozen and not: a collection or a user type.
    pub fn is_freezable(&self) -> bool {
        self.is_collection() || matches!(self, Self::User(..))
    }

    /// Whether it is the type of counter columns.
    pub fn is_counter(&self) -> bool {
        matches!(self, Self::Native(NativeType::Counter))
    }

    /// The frozen type. Freezing a collection freezes its contents; the fields of a user type stay
    /// unchanged.
    #[must_use]
    pub fn freeze(&self) -> Self {
        match self {
            Self::List(element, Frozenness::No) => {
                Self::List(Arc::new(element.freeze()), Frozenness::Yes)
            }
            Self::Set(element, Frozenness::No) => {
                Self::Set(Arc::new(element.freeze()), Frozenness::Yes)
            }
            Self::Map(entry, Frozenness::No) => {
                Self::Map(Arc::new((entry.0.freeze(), entry.1.freeze())), Frozenness::Yes)
            }
            Self::User(user, Frozenness::No) => Self::User(user.clone(), Frozenness::Yes),
            other => other.clone(),
        }
    }

    /// The type with a cell per element, if it has such a form; its contents stay unchanged.
    #[must_use]
    pub fn unfreeze(&self) -> Self {
        match self {
            Self::List(element, _) => Self::List(element.clone(), Frozenness::No),
            Self::Set(element, _) => Self::Set(element.clone(), Frozenness::No),
            Self::Map(entry, _) => Self::Map(entry.clone(), Frozenness::No),
            Self::User(user, _) => Self::User(user.clone(), Frozenness::No),
            other => other.clone(),
        }
    }

    /// The direct component types.
    pub fn parts(&self) -> Vec<&Self> {
        match self {
            Self::Native(_) | Self::Custom(_) => Vec::new(),
            Self::List(element, _) | Self::Set(element, _) | Self::Vector(element, _) => {
                vec![element]
            }
            Self::Map(entry, _) => vec![&entry.0, &entry.1],
            Self::Tuple(types) => types.iter().collect(),
            Self::User(user, _) => user.fields.iter().map(|(_, ty)| ty).collect(),
        }
    }

    /// The nesting depth: 1 for a native type.
    pub fn depth(&self) -> usize {
        1 + self.parts().into_iter().map(Self::depth).max().unwrap_or(0)
    }

    /// The number of its parts, with the parts of its parts; `None` if there are more than `max`. A
    /// user type is counted where it is used, each time: a few that use each other twice have
    /// thousands of millions of parts. One is counted as it is after its update.
    pub fn count_parts(&self, max: usize, updated: Option<&UserType>) -> Option<usize> {
        let mut left = max;
        self.is_counted(&mut left, updated).then(|| max - left)
    }

    /// Subtracts its parts; `false` if there are more.
    fn is_counted(&self, left: &mut usize, updated: Option<&UserType>) -> bool {
        let Some(rest) = left.checked_sub(1) else { return false };
        *left = rest;
        match (self, updated) {
            (Self::User(user, _), Some(updated))
                if (&user.keyspace, &user.name) == (&updated.keyspace, &updated.name) =>
            {
                updated.fields.iter().all(|(_, ty)| ty.is_counted(left, None))
            }
            _ => self.parts().into_iter().all(|ty| ty.is_counted(left, updated)),
        }
    }

    /// The length of every value, for types whose values are stored without a length. (Most of them
    /// also have an empty value.)
    pub fn value_length_if_fixed(&self) -> Option<usize> {
        match self {
            Self::Native(native) => native.value_length_if_fixed(),
            Self::Vector(element, dimension) => element
                .value_length_if_fixed()
                .and_then(|length| length.checked_mul(usize::try_from(*dimension).ok()?)),
            Self::Custom(class) => display::custom_value_length(class),
            _ => None,
        }
    }
}

impl UserType {
    /// The index of a field.
    pub fn position(&self, field: &str) -> Option<usize> {
        self.fields.iter().position(|(name, _)| &**name == field)
    }
}

impl From<NativeType> for Type {
    fn from(native: NativeType) -> Self {
        Self::Native(native)
    }
}
