//! Nullable attributes: a key column cannot be null, and an empty collection is.

use std::fmt;

use crate::concept::AttributeRef;
use crate::plan::names::list_names;

/// Notes about nulls.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NullTopic {
    /// A nullable key column is assumed never to be null.
    NeverNull {
        /// The read's name.
        read: String,
        /// The attribute's name.
        name: String,
        /// The attribute.
        attribute: AttributeRef,
        /// What puts it into the key.
        by: NullUse,
    },
    /// Arrays that may be null, which read like empty ones.
    EmptyArrays {
        /// Their names.
        attributes: Vec<String>,
    },
    /// A write makes such a column null.
    MadeNull {
        /// The write's name.
        write: String,
        /// How.
        does: NullWrite,
        /// The attribute's name.
        attribute: String,
        /// The read that does not return the row.
        read: String,
    },
}

/// What puts a column that may be null into a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NullUse {
    /// GROUP BY.
    Group,
    /// ORDER BY.
    Order,
}

/// How a write makes a column null.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NullWrite {
    /// It inserts rows without the column.
    Leaves,
    /// It sets the column to null.
    Makes,
}

impl fmt::Display for NullTopic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NeverNull { read, name, by, .. } => {
                let verb = match by {
                    NullUse::Group => "groups",
                    NullUse::Order => "orders",
                };
                write!(
                    f,
                    "`{read}` {verb} by `{name}`, which may be null: it is assumed never to be null, because a key column cannot be null"
                )
            }
            Self::EmptyArrays { attributes } => {
                let verb = if let [_] = attributes[..] { "is" } else { "are" };
                write!(
                    f,
                    "{} {verb} assumed to mean the same if null and if empty, because Cassandra stores an empty collection as null",
                    list_names(attributes)
                )
            }
            Self::MadeNull { write, does, attribute, read } => {
                let verb = match does {
                    NullWrite::Leaves => "leaves",
                    NullWrite::Makes => "makes",
                };
                write!(
                    f,
                    "`{write}` {verb} `{attribute}` null: `{read}`, which orders by it, does not return the row"
                )
            }
        }
    }
}

impl NullTopic {
    /// The advice: one imperative.
    pub(super) fn help(&self) -> String {
        match self {
            Self::NeverNull { name, by: NullUse::Group, .. } => {
                format!("declare `{name}` NOT NULL, or add `AND {name} IS NOT NULL` to the query")
            }
            Self::NeverNull { name, by: NullUse::Order, .. } => {
                format!("declare `{name}` NOT NULL, or order by COALESCE({name}, constant)")
            }
            Self::EmptyArrays { attributes } => {
                let name = attributes.first().map_or("", |name| name.as_str());
                let column = name.rsplit('.').next().unwrap_or(name);
                format!("declare `{column}` NOT NULL DEFAULT '{{}}'")
            }
            Self::MadeNull { attribute, .. } => {
                format!("give `{attribute}` a value, or order by COALESCE({attribute}, constant)")
            }
        }
    }
}
