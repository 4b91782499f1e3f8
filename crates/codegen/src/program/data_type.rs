//! Types of CQL as languages map them.

use std::fmt;

use cql::types::{NativeType, Type};
use serde::{Deserialize, Serialize};

/// A type of CQL. Whether it is frozen makes no difference to a client.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "each has the name of its type in CQL")]
pub enum DataType {
    Ascii,
    Bigint,
    Blob,
    Boolean,
    Counter,
    Date,
    Decimal,
    Double,
    Duration,
    Float,
    Inet,
    Int,
    Smallint,
    Text,
    Time,
    Timestamp,
    Timeuuid,
    Tinyint,
    Uuid,
    Varint,
    List(Box<Self>),
    Set(Box<Self>),
    Map(Box<Self>, Box<Self>),
    Tuple(Vec<Self>),
    /// A user type, by its name.
    User(String),
    Vector(Box<Self>, u32),
}

/// A named value of a row, a user type or a parameter list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Field {
    /// Its name, as CQL or the model file has it.
    pub name: String,
    /// Its type.
    pub ty: DataType,
    /// Whether it may be null.
    pub nullable: bool,
}

/// A list of fields: the columns of a row, or a user type.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// Its name.
    pub name: String,
    /// Its fields, in order.
    pub fields: Vec<Field>,
}

impl Record {
    /// The field of that name.
    pub fn field(&self, name: &str) -> Option<&Field> {
        self.fields.iter().find(|field| field.name == name)
    }
}

impl DataType {
    /// The type as clients see it; `None` for a custom type, which no driver maps.
    pub fn from_cql(ty: &Type) -> Option<Self> {
        let boxed = |ty: &Type| Self::from_cql(ty).map(Box::new);
        Some(match ty {
            Type::Native(native) => Self::from_native(*native),
            Type::List(element, _) => Self::List(boxed(element)?),
            Type::Set(element, _) => Self::Set(boxed(element)?),
            Type::Map(entry, _) => Self::Map(boxed(&entry.0)?, boxed(&entry.1)?),
            Type::Tuple(parts) => {
                Self::Tuple(parts.iter().map(Self::from_cql).collect::<Option<_>>()?)
            }
            Type::User(user, _) => Self::User(user.name.to_string()),
            Type::Vector(element, dimension) => Self::Vector(boxed(element)?, *dimension),
            Type::Custom(_) => return None,
        })
    }

    const fn from_native(native: NativeType) -> Self {
        match native {
            NativeType::Ascii => Self::Ascii,
            NativeType::Bigint => Self::Bigint,
            NativeType::Blob => Self::Blob,
            NativeType::Boolean => Self::Boolean,
            NativeType::Counter => Self::Counter,
            NativeType::Date => Self::Date,
            NativeType::Decimal => Self::Decimal,
            NativeType::Double => Self::Double,
            NativeType::Duration => Self::Duration,
            NativeType::Float => Self::Float,
            NativeType::Inet => Self::Inet,
            NativeType::Int => Self::Int,
            NativeType::Smallint => Self::Smallint,
            NativeType::Text => Self::Text,
            NativeType::Time => Self::Time,
            NativeType::Timestamp => Self::Timestamp,
            NativeType::Timeuuid => Self::Timeuuid,
            NativeType::Tinyint => Self::Tinyint,
            NativeType::Uuid => Self::Uuid,
            NativeType::Varint => Self::Varint,
        }
    }

    /// The type of the elements of a list, set or vector.
    pub fn element(&self) -> Option<&Self> {
        match self {
            Self::List(element) | Self::Set(element) | Self::Vector(element, _) => Some(element),
            _ => None,
        }
    }

    /// Whether it is a type of whole numbers.
    pub const fn is_integer(&self) -> bool {
        matches!(
            self,
            Self::Tinyint
                | Self::Smallint
                | Self::Int
                | Self::Bigint
                | Self::Counter
                | Self::Varint
        )
    }
}

impl fmt::Display for DataType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match self {
            Self::List(element) => return write!(f, "list<{element}>"),
            Self::Set(element) => return write!(f, "set<{element}>"),
            Self::Map(key, value) => return write!(f, "map<{key}, {value}>"),
            Self::Tuple(parts) => {
                let parts: Vec<String> = parts.iter().map(Self::to_string).collect();
                return write!(f, "tuple<{}>", parts.join(", "));
            }
            Self::User(name) => return f.write_str(name),
            Self::Vector(element, dimension) => return write!(f, "vector<{element}, {dimension}>"),
            Self::Ascii => "ascii",
            Self::Bigint => "bigint",
            Self::Blob => "blob",
            Self::Boolean => "boolean",
            Self::Counter => "counter",
            Self::Date => "date",
            Self::Decimal => "decimal",
            Self::Double => "double",
            Self::Duration => "duration",
            Self::Float => "float",
            Self::Inet => "inet",
            Self::Int => "int",
            Self::Smallint => "smallint",
            Self::Text => "text",
            Self::Time => "time",
            Self::Timestamp => "timestamp",
            Self::Timeuuid => "timeuuid",
            Self::Tinyint => "tinyint",
            Self::Uuid => "uuid",
            Self::Varint => "varint",
        };
        f.write_str(name)
    }
}
